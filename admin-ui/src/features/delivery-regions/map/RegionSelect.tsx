import { Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useClear } from '../../../lib/ui/clear';
import type { DeliveryRegion } from '../../../generated/model';

interface Props {
  regions: readonly DeliveryRegion[];
  value: string | null;
  onChange: (region: string | null) => void;
  label: string;
  hideLabel?: boolean;
}

/** Chooses a region; none: it is decided later. */
export function RegionSelect({ regions, value, onChange, label, hideLabel = false }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const select = (
    <Select
      id={id}
      className="edit-wide"
      {...(hideLabel ? { 'aria-label': label } : {})}
      allowClear={useClear()}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('region_map.choose_region')}
      value={value}
      onChange={(next: string | undefined) => onChange(next ?? null)}
      options={regions.map((region) => ({
        value: region.id,
        label: region.active ? region.name : `${region.name} (${t('state.inactive').toLowerCase()})`,
      }))}
    />
  );
  if (hideLabel) return select;
  return (
    <div className="edit-field">
      <label className="edit-label" htmlFor={id}>
        {label}
      </label>
      {select}
    </div>
  );
}
