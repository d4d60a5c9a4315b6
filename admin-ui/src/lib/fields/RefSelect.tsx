import { useList } from '@refinedev/core';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Picks rows of another resource by name. Endless resources are searched by the service, others filtered here. */
export function RefSelect({ resource, many, clearable, params, ...control }: RefSelectProps) {
  const { t } = useTranslation();
  const { paged = false, pickPath } = resourceInfo(resource);
  const [text, setText] = useState('');
  const search = useDebounced(text, 400);
  const { query, result } = useList({
    resource,
    pagination: paged ? { currentPage: 1, pageSize: 40 } : { mode: 'off' },
    filters: paged && search ? [{ field: 'name', operator: 'contains', value: search }] : [],
    meta: { ...(params ? { params } : {}), ...(pickPath ? { pick: true } : {}) },
  });
  const nameOf = (row: Record<string, unknown>) => String(row.name ?? row.first_name ?? row.code ?? row.id);
  return (
    <Select
      {...control}
      {...(many ? { mode: 'multiple' as const } : {})}
      allowClear={clearable ?? false}
      loading={query.isFetching}
      showSearch={{ optionFilterProp: 'label', filterOption: !paged, onSearch: setText }}
      placeholder={t('form.choose')}
      notFoundContent={query.isError ? t('state.failed') : undefined}
      options={result.data.map((row) => ({ value: row.id, label: nameOf(row) }))}
    />
  );
}
