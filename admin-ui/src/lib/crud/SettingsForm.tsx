import { useOne } from '@refinedev/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Restaurant } from '../../generated/model';
import { useCanDo } from '../access';
import type { Fields } from '../fields/kinds';
import { SaveBar } from '../form/SaveBar';
import { useHotkey } from '../hooks';
import { resourceInfo } from '../resources';
import { justReadAt, useRestaurant, useRestaurantUpdate } from '../target';
import { Button } from '../ui/Button';
import { useNotify } from '../ui/notify';
import { FormBody, type FormBodyProps } from './ResourceForm';
import { type ResourceForm, type Row, useResourceForm } from './useResourceForm';

interface Options {
  /** A part of the restaurant's own row (`restaurants_general`), or something it has one of (`socials`). */
  resource: string;
  fields: Fields;
  toBody?: (body: Row, values: Row) => Row;
}

export type Settings = ResourceForm & Options;

/**
 * One of a restaurant's settings: loaded, edited and saved as a row of a resource is. A part of the
 * restaurant is read anew when its screen opens, and taken from what the whole page shows when that is newer.
 */
export function useSettings({ resource, fields, toBody }: Options): Settings {
  const restaurant = useRestaurant();
  const update = useRestaurantUpdate();
  const part = resourceInfo(resource).ops.get === undefined;
  // A page that begins with this screen has read it a moment ago.
  const [readAt] = useState(justReadAt);
  const known = readAt !== undefined && { initialData: { data: restaurant }, initialDataUpdatedAt: readAt };
  const { query } = useOne<Restaurant>({
    resource: 'restaurants',
    id: restaurant.id,
    queryOptions: { enabled: part, refetchOnWindowFocus: false, ...known },
    errorNotification: false,
  });
  const read = query.data?.data;
  const newest = read && restaurant.version > read.version ? restaurant : read;
  const state = useResourceForm({
    resource,
    fields,
    id: restaurant.id,
    row: newest as Row | undefined,
    onSaved: (row) => part && update(row as unknown as Restaurant),
    ...(toBody ? { toBody } : {}),
  });
  const own =
    part && query.isError
      ? { loadError: query.error, loading: false, reload: () => void query.refetch() }
      : {};
  return { ...state, ...own, resource, fields, ...(toBody ? { toBody } : {}) };
}

interface Props extends Pick<FormBodyProps, 'layout' | 'overrides'> {
  state: Settings;
  /** Below the fields, saved with them. */
  children?: ReactNode;
  /** Text of the button that takes the changes back. */
  reset?: string;
}

/** The fields of a settings screen, a card for each group, and the bar that saves them together. */
export function SettingsForm({ state, reset, ...body }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const may = useCanDo()(state.resource, 'update');
  const save = async () => {
    if (await state.save()) notify.saved();
  };
  useHotkey('ctrl+s', () => void (state.dirty && save()), may);
  return (
    <div className="settings">
      <FormBody {...body} state={state} resource={state.resource} fields={state.fields} disabled={!may} />
      <SaveBar shown={may && state.row !== undefined && (state.dirty || state.saving)} dirty={state.dirty}>
        <Button disabled={state.saving} onClick={state.reset}>
          {reset ?? t('unsaved.discard')}
        </Button>
        <Button type="primary" loading={state.saving} onClick={() => void save()}>
          {t('action.save')}
        </Button>
      </SaveBar>
    </div>
  );
}
