import { useList } from '@refinedev/core';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClear } from '../ui/clear';
import { useDebounced } from '../hooks';
import { resourceInfo } from '../resources';

interface RefSelectProps {
  resource: string;
  many?: boolean;
  clearable?: boolean;
  /** Path parameters of a nested resource. */
  params?: Record<string, unknown>;
  [control: string]: unknown;
}

/** The rows a picker offers, and how they are called. */
function useChoices(
  resource: string,
  params: Record<string, unknown> | undefined,
  search: string,
  enabled = true,
) {
  const { paged = false, pickPath } = resourceInfo(resource);
  const { query, result } = useList({
    resource,
    pagination: paged ? { currentPage: 1, pageSize: search ? 40 : 200 } : { mode: 'off' },
    filters: paged && search ? [{ field: 'name', operator: 'contains', value: search }] : [],
    meta: { ...(params ? { params } : {}), ...(pickPath ? { pick: true } : {}) },
    queryOptions: { staleTime: 60_000, enabled },
  });
  return { paged, query, rows: result.data };
}

const nameOf = (row: Record<string, unknown>) => String(row.name ?? row.name_local ?? row.code ?? row.id);

/** Names instead of ids, in lists. */
export function RefNames({
  resource,
  ids,
  params,
}: {
  resource: string;
  ids: readonly string[];
  params?: Record<string, unknown>;
}) {
  const { rows } = useChoices(resource, params, '', ids.length > 0);
  const names = new Map(rows.map((row) => [row.id, nameOf(row)]));
  return <>{ids.map((id) => names.get(id) ?? '…').join(', ')}</>;
}

/**
 * Picks rows of another resource by name. Endless resources are searched by the service, others filtered
 * here.
 */
export function RefSelect({ resource, many, clearable, params, ...control }: RefSelectProps) {
  const { t } = useTranslation();
  const clear = useClear();
  const [text, setText] = useState('');
  const { paged, query, rows } = useChoices(resource, params, useDebounced(text, 400));
  return (
    <Select
      {...control}
      {...(many ? { mode: 'multiple' as const } : {})}
      allowClear={clearable ? clear : false}
      loading={query.isFetching}
      showSearch={{ optionFilterProp: 'label', filterOption: !paged, onSearch: setText }}
      placeholder={t('form.choose')}
      notFoundContent={query.isError ? t('state.failed') : undefined}
      options={rows.map((row) => ({ value: row.id, label: nameOf(row) }))}
    />
  );
}
