import {
  CopyOutlined,
  DeleteOutlined,
  EditOutlined,
  OrderedListOutlined,
  PlusOutlined,
} from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { IdempotencyKeys } from '../../lib/form/idempotency';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Chip, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { EmptyState } from '../../lib/ui/states';
import { useEditUrl } from '../categories-and-products/links';
import { groupCalls, keys, useGroups, useRefreshCatalogue } from '../categories-and-products/shared/api';
import { choice } from '../categories-and-products/shared/choice';
import { FoundCard } from '../categories-and-products/shared/FoundCard';
import { hiddenBy } from '../categories-and-products/shared/inherit';
import { CatalogueList } from '../categories-and-products/shared/List';
import { ActiveToggle, HeadAction, HiddenChip, useDelete } from '../categories-and-products/shared/parts';
import { isShown, useShown } from '../categories-and-products/shared/shown';
import { SortCard } from '../categories-and-products/shared/SortCard';
import { useSearch } from '../categories-and-products/shared/Toolbar';
import type { OptionGroup } from '../categories-and-products/shared/types';

/** All option groups. */
export function GroupList({ groups }: { groups: readonly OptionGroup[] }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const editUrl = useEditUrl('options');
  const navigate = useNavigate();
  const remove = useDelete();
  const copy = useCopyGroup();
  const shown = useShown();
  const [sorting, setSorting] = useState(false);
  const [name, searchName] = useSearch('q');
  const found = useGroups(name || undefined);
  const mayEdit = can('catalog_edit');
  const rows = (found.data ?? []).filter((row) => isShown(row, shown));
  const newButton = mayEdit && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(url('options', 'new'))}>
      {t('option_groups.new')}
    </Button>
  );
  const deleteRow = (row: OptionGroup) =>
    remove(row, () => groupCalls.remove(row.id), {
      effect:
        row.subproduct_count > 0
          ? t('option_groups.delete_effect', { count: row.subproduct_count })
          : t('confirm.delete_effect'),
      inUse: t('option_groups.in_use', { count: row.subproduct_count }),
    });
  const rule = (row: OptionGroup) => {
    const { key, min, max } = choice(row);
    return t(key, { min, max });
  };
  const header = (
    <PageHeader
      lead={t('option_groups.lead')}
      actions={
        !sorting && (
          <>
            {mayEdit && groups.length > 1 && (
              <HeadAction
                icon={<OrderedListOutlined />}
                label={t('list.sort')}
                onClick={() => {
                  searchName('');
                  setSorting(true);
                }}
              />
            )}
            {newButton}
          </>
        )
      }
    />
  );

  if (sorting) {
    return (
      <>
        {header}
        <SortCard
          rows={groups}
          nameOf={(row) => row.name}
          send={(ids) => groupCalls.rank(ids)}
          onDone={() => setSorting(false)}
        >
          {(row) => (
            <>
              <span className="rank-name">{row.name}</span>
              {!row.active && <Chip>{t('state.inactive')}</Chip>}
              <span className="sort-fact">{rule(row)}</span>
            </>
          )}
        </SortCard>
      </>
    );
  }

  return (
    <>
      {header}
      <FoundCard
        found={found}
        rows={rows}
        all={groups.length}
        label={t('option_groups.search')}
        empty={<EmptyState title={t('list.empty')} text={t('option_groups.empty')} actions={newButton} />}
      >
        <CatalogueList
          rows={rows}
          label={t('option_groups.list')}
          busy={found.isPlaceholderData}
          nameOf={(row) => row.name}
          href={(row) => url('options', row.id)}
          under={(row) => (row.name_sec_lang ? <span className="cat-under">{row.name_sec_lang}</span> : null)}
          columns={[
            {
              key: 'rule',
              title: t('option_groups.rule'),
              render: (row) => <Chip tone={row.min_no_options > 0 ? 'info' : 'neutral'}>{rule(row)}</Chip>,
            },
            {
              key: 'used',
              title: t('option_groups.used'),
              render: (row) => (
                <span className="num cat-soft">
                  {row.subproduct_count === 0
                    ? t('option_groups.unused')
                    : t('option_groups.used_by', { count: row.subproduct_count })}
                </span>
              ),
            },
            {
              key: 'limits',
              title: t('catalogue.limits'),
              wideOnly: true,
              filled: (row) => hiddenBy(row).length > 0,
              render: (row) => <HiddenChip channels={hiddenBy(row)} />,
            },
          ]}
          toggle={(row) => (
            <ActiveToggle
              row={row}
              save={(active) => groupCalls.update(row.id, { active, version: row.version })}
            />
          )}
          menu={(row) => [
            {
              key: 'edit',
              icon: <EditOutlined />,
              label: <Link to={editUrl(row.id)}>{t('option_groups.settings')}</Link>,
            },
            ...(mayEdit
              ? [
                  {
                    key: 'copy',
                    icon: <CopyOutlined />,
                    label: t('catalogue.copy'),
                    onClick: () => void copy(row),
                  },
                ]
              : []),
            ...(can('catalog_delete')
              ? [
                  { type: 'divider' as const },
                  {
                    key: 'delete',
                    danger: true,
                    icon: <DeleteOutlined />,
                    label: t('action.delete'),
                    onClick: () => void deleteRow(row),
                  },
                ]
              : []),
          ]}
        />
      </FoundCard>
    </>
  );
}

/** Copies a group with its options and opens the copy. */
export function useCopyGroup(): (row: OptionGroup) => Promise<void> {
  const { t } = useTranslation();
  const notify = useNotify();
  const refresh = useRefreshCatalogue();
  const navigate = useNavigate();
  const editUrl = useEditUrl('options');
  return async (row) => {
    try {
      const made = await groupCalls.copy(row.id, new IdempotencyKeys().keyFor(row.id));
      void refresh({ into: keys.groups(), row: made });
      notify.success(t('catalogue.copied', { name: made.name }));
      void navigate(editUrl(made.id));
    } catch (error) {
      notify.problem(error);
    }
  };
}
