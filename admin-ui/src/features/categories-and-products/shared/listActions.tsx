import { DeleteOutlined, OrderedListOutlined, PlusOutlined } from '@ant-design/icons';
import type { MenuProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../../lib/access';
import { Button } from '../../../lib/ui/Button';
import { HeadAction } from './parts';
import { useSearch } from './Toolbar';

/** Whether a list is being sorted by hand: all of it, so beginning ends its search. */
export interface Sorting {
  on: boolean;
  begin: () => void;
  end: () => void;
}

export function useSorting(): Sorting {
  const [, search] = useSearch('q');
  const [on, setOn] = useState(false);
  return {
    on,
    begin: () => {
      search('');
      setOn(true);
    },
    end: () => setOn(false),
  };
}

/** Begins to sort, where that is allowed and there is something to sort. */
export function SortButton({ sorting, total }: { sorting: Sorting; total: number }) {
  const { t } = useTranslation();
  const can = useCan();
  if (!can('catalog_edit') || total < 2) return null;
  return <HeadAction icon={<OrderedListOutlined />} label={t('list.sort')} onClick={sorting.begin} />;
}

/** Opens the editor of a new row. */
export function NewButton({ to, label }: { to: string; label: string }) {
  const navigate = useNavigate();
  return (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(to)}>
      {label}
    </Button>
  );
}

/** The end of a row's menu: deleting, where that is allowed. */
export function useDeleteEntry(): (remove: () => Promise<void>) => NonNullable<MenuProps['items']> {
  const { t } = useTranslation();
  const can = useCan();
  if (!can('catalog_delete')) return () => [];
  return (remove) => [
    { type: 'divider' as const },
    {
      key: 'delete',
      danger: true,
      icon: <DeleteOutlined />,
      label: t('action.delete'),
      onClick: () => void remove(),
    },
  ];
}
