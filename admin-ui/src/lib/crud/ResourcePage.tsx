import { useList } from '@refinedev/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../fields/Field';
import type { Fields } from '../fields/kinds';
import { isWord } from '../features';
import { usePage, usePageUrl } from '../navigation';
import { resourceInfo } from '../resources';
import { useNotify } from '../ui/notify';
import { FormDrawer, type Layout } from './ResourceForm';
import type { ResourceListProps } from './listProps';
import { ResourceList } from './ResourceList';
import { type ResourceFormOptions, type Row, useResourceForm } from './useResourceForm';

export interface ResourcePageProps extends Omit<ResourceListProps, 'href' | 'onOpen' | 'onNew'> {
  fields: Fields;
  /** Order and groups of the form's fields. */
  form?: Layout;
  overrides?: Partial<Record<string, Partial<FieldProps>>>;
  initial?: Row;
  toBody?: ResourceFormOptions['toBody'];
  /** After a creation, before the drawer closes: return true to keep it open (a secret to show). */
  onCreated?: (row: Row) => void;
  /** Whether a row can be opened; unless said, each can. */
  opens?: (row: Row) => boolean;
  /** Title of the drawer. */
  nameOf?: (row: Row) => string;
  /** A button for the history of a row. */
  history?: boolean;
  formExtra?: (row: Row | undefined) => ReactNode;
  /** Id of the row above, which stands first in the address of a nested resource. */
  below?: string;
}

/** A plain resource whole: the list, and behind `/new` or `/{id}` its form in a drawer over the list. */
export function ResourcePage(props: ResourcePageProps) {
  const { feature, path, open } = usePage();
  const url = usePageUrl();
  const [generation, setGeneration] = useState(0);
  const { below } = props;
  const at = path[below === undefined ? 0 : 1];
  const within = (sub?: string) => [below, sub].filter(Boolean).join('/') || undefined;
  const isNew = isWord('new', at);
  return (
    <>
      <ResourceList
        {...props}
        href={(row) =>
          props.opens?.(row) === false ? undefined : url(feature!.key, within(row.id)) + location.search
        }
        onOpen={(row) => open(within(row.id))}
        onNew={() => open(within('new'))}
      />
      {at && (
        <Editor
          key={isNew ? `new-${generation}` : at}
          {...props}
          id={isNew ? undefined : at}
          close={() => open(within())}
          again={() => setGeneration((g) => g + 1)}
        />
      )}
    </>
  );
}

function Editor(props: ResourcePageProps & { id: string | undefined; close: () => void; again: () => void }) {
  const {
    resource,
    fields,
    form: layout,
    overrides,
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
  const name = state.row ? (nameOf?.(state.row) ?? String(state.row.name ?? '')) : '';
  return (
    <FormDrawer
      state={state}
      resource={resource}
      fields={fields}
      layout={layout}
      overrides={overrides}
      name={name}
      title={id === undefined ? t(`${resource}.new`) : name || t('state.loading')}
      history={props.history ? 'restaurant' : undefined}
      onClose={close}
      onAnother={again}
      onRemoved={() => notify.success(t('state.deleted', { name }))}
    >
      {props.formExtra?.(state.row)}
    </FormDrawer>
  );
}
