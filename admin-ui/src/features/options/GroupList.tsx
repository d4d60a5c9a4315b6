import { CopyOutlined, EditOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { optionGroupsRank } from '../../generated/client/catalogue/catalogue';
import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState } from '../../lib/ui/states';
import { useEditUrl } from '../categories-and-products/links';
import { groupCalls, keys, useGroups } from '../categories-and-products/shared/api';
import { choice } from '../categories-and-products/shared/choice';
import { FoundCard } from '../categories-and-products/shared/FoundCard';
import { hiddenBy } from '../categories-and-products/shared/inherit';
import { CatalogueList, type ListColumn } from '../categories-and-products/shared/List';
import {
  NewButton,
  SortButton,
  useDeleteEntry,
  useSorting,
} from '../categories-and-products/shared/listActions';
import { ActiveToggle, HiddenChip } from '../categories-and-products/shared/parts';
import { isShown, useShown } from '../categories-and-products/shared/shown';
import { SortCard, SortedRow } from '../categories-and-products/shared/SortCard';
import { useSearch } from '../categories-and-products/shared/Toolbar';
import type { OptionGroup } from '../categories-and-products/shared/types';
import { useCopy } from '../categories-and-products/shared/useCopy';
import { useDeleteGroup } from './useDeleteGroup';

/** All option groups. */
export function GroupList({ groups }: { groups: readonly OptionGroup[] }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const mayEdit = useCan()('catalog_edit');
  const shown = useShown();
  const sorting = useSorting();
  const [name] = useSearch('q');
  const found = useGroups(name || undefined);
  const rows = (found.data ?? []).filter((row) => isShown(row, shown));
  const newButton = mayEdit && <NewButton to={url('options', 'new')} label={t('option_groups.new')} />;
  const actions = (
    <>
      <SortButton sorting={sorting} total={groups.length} />
      {newButton}
    </>
  );
  return (
    <>
      <PageHeader lead={t('option_groups.lead')} actions={!sorting.on && actions} />
      {sorting.on ? (
        <Sort rows={groups} onDone={sorting.end} />
      ) : (
        <FoundCard
          found={found}
          rows={rows}
          all={groups.length}
          label={t('option_groups.search')}
          empty={
            <EmptyState
              title={t('option_groups.empty_title')}
              text={t('option_groups.empty')}
              actions={newButton}
            />
          }
        >
          <Rows rows={rows} busy={found.isPlaceholderData} />
        </FoundCard>
      )}
    </>
  );
}

/** How many options of the group a guest chooses. */
function Rule({ of: group }: { of: OptionGroup }) {
  const { t } = useTranslation();
  const { key, min, max } = choice(group);
  return t(key, { min, max });
}

function Sort({ rows, onDone }: { rows: readonly OptionGroup[]; onDone: () => void }) {
  return (
    <SortCard
      rows={rows}
      nameOf={(row) => row.name}
      send={(ids) => optionGroupsRank(...here(), { option_group_ids: ids })}
      onDone={onDone}
    >
      {(row) => <SortedRow row={row} fact={<Rule of={row} />} />}
    </SortCard>
  );
}

function Rows({ rows, busy }: { rows: readonly OptionGroup[]; busy: boolean }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const columns = useColumns();
  const menu = useMenu();
  return (
    <CatalogueList
      rows={rows}
      label={t('option_groups.list')}
      busy={busy}
      nameOf={(row) => row.name}
      href={(row) => url('options', row.id)}
      under={(row) => (row.name_sec_lang ? <span className="cat-under">{row.name_sec_lang}</span> : null)}
      columns={columns}
      toggle={(row) => (
        <ActiveToggle
          row={row}
          save={(active) => groupCalls.update(row.id, { active, version: row.version })}
        />
      )}
      menu={menu}
    />
  );
}

function useColumns(): ListColumn<OptionGroup>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'rule',
      title: t('option_groups.rule'),
      render: (row) => (
        <Chip tone={row.min_no_options > 0 ? 'info' : 'neutral'}>
          <Rule of={row} />
        </Chip>
      ),
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
  ];
}

/** Further actions on a group. */
function useMenu() {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const editUrl = useEditUrl('options');
  const copy = useCopy<OptionGroup>({
    send: (row, key) => groupCalls.copy(row.id, key),
    stored: () => ({ into: keys.groups() }),
    urlOf: (made) => editUrl(made.id),
  });
  const remove = useDeleteGroup();
  const deleteEntry = useDeleteEntry();
  return (row: OptionGroup) => [
    {
      key: 'edit',
      icon: <EditOutlined />,
      label: <Link to={editUrl(row.id)}>{t('option_groups.settings')}</Link>,
    },
    ...(mayEdit
      ? [{ key: 'copy', icon: <CopyOutlined />, label: t('catalogue.copy'), onClick: () => void copy(row) }]
      : []),
    ...deleteEntry(() => remove(row)),
  ];
}
