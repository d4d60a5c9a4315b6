import { useList } from '@refinedev/core';
import { useTranslation } from 'react-i18next';
import { resourceInfo } from '../resources';
import { useNotify } from '../ui/notify';
import type { ResourcePageProps } from './pageProps';
import { FormDrawer } from './ResourceForm';
import { type Row, useResourceForm } from './useResourceForm';

interface Props extends ResourcePageProps {
  /** Of a new row: none. */
  id: string | undefined;
  close: () => void;
  /** Another new row, with an empty form; without it there is no button for that. */
  again?: (() => void) | undefined;
}

/** The form of one row in a drawer over its list. Loaded after the list, which stands first. */
export default function ResourceEditor(props: Props) {
  const {
    resource,
    fields,
    form: layout,
    overrides,
    fixed = [],
    params,
    initial,
    toBody,
    onCreated,
    nameOf,
    id,
    close,
    again,
  } = props;
  const { t } = useTranslation();
  const notify = useNotify();
  // Without a call for a single row, the row comes from the list, which is in the cache.
  const readable = resourceInfo(resource).ops.get !== undefined;
  const { query, result } = useList<Row & { id: string }>({
    resource,
    pagination: { mode: 'off' },
    meta: params ? { params } : {},
    queryOptions: { enabled: !readable && id !== undefined },
  });
  const state = useResourceForm({
    resource,
    fields,
    id,
    params,
    initial,
    toBody: toBody ?? ((body) => body),
    row: readable || !query.isSuccess ? undefined : (result.data.find((row) => row.id === id) ?? null),
    onSaved: id === undefined ? onCreated : undefined,
  });
  const locked = (id === undefined ? [] : fixed).map((field) => [
    field,
    { ...overrides?.[field], disabled: true },
  ]);
  const name = state.row ? (nameOf?.(state.row) ?? String(state.row.name ?? '')) : '';
  const removal = props.removal?.(name, state.row);
  return (
    <FormDrawer
      state={state}
      resource={resource}
      fields={fields}
      layout={layout}
      overrides={{ ...overrides, ...Object.fromEntries(locked) }}
      name={name}
      title={id === undefined ? t(`${resource}.new`) : name || t('state.loading')}
      history={props.history ? 'restaurant' : undefined}
      onClose={close}
      onAnother={again}
      removal={removal}
      onRemoved={() => notify.success(removal?.done ?? t('state.deleted', { name }))}
    >
      {props.formExtra?.(state.row)}
    </FormDrawer>
  );
}
