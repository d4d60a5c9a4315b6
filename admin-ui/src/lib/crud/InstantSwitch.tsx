import { useTranslation } from 'react-i18next';
import type { Restaurant } from '../../generated/model';
import { useCanDo } from '../access';
import { helpOf, labelOf } from '../fields/labels';
import { request } from '../http';
import { itemPath } from '../providers/data';
import { useRestaurant, useRestaurantUpdate } from '../target';
import { SavingSwitch } from '../ui/SavingSwitch';
import { useAtOnce } from './useAtOnce';

/** Changes a part of the restaurant at once; the whole page then shows what the service answers. */
export function usePartUpdate(resource: string): (body: object) => Promise<Restaurant> {
  const update = useRestaurantUpdate();
  return async (body) => {
    const { data } = await request<Restaurant>(itemPath(resource, undefined), { method: 'PUT', body });
    update(data);
    return data;
  };
}

/** A setting that takes effect when it is switched, and can be taken back. */
export function InstantSwitch({ resource, field }: { resource: string; field: keyof Restaurant & string }) {
  const { t } = useTranslation();
  const put = usePartUpdate(resource);
  const may = useCanDo()(resource, 'update');
  const at = useAtOnce((value: boolean) => put({ [field]: value }));
  const now = Boolean(useRestaurant()[field]);
  const label = labelOf(resource, field);
  const change = (next: boolean) =>
    at.change(next, !next, t(next ? 'setting.switched_on' : 'setting.switched_off', { name: label }));
  const help = helpOf(resource, field);
  return (
    <div className="setting-line">
      <div>
        <b id={`${resource}-${field}`}>{label}</b>
        {help && <p id={`${resource}-${field}-help`}>{help}</p>}
      </div>
      <label className="target">
        <SavingSwitch
          aria-labelledby={`${resource}-${field}`}
          aria-describedby={help ? `${resource}-${field}-help` : undefined}
          checked={now}
          saving={at.saving}
          disabled={!may}
          onChange={(next) => void change(next)}
        />
      </label>
    </div>
  );
}
