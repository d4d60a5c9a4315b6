import { LinkOutlined, SettingOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { optionsRank } from '../../generated/client/catalogue/catalogue';
import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { EmptyState } from '../../lib/ui/states';
import { useEditUrl } from '../categories-and-products/links';
import { useOptions } from '../categories-and-products/shared/api';
import { choice } from '../categories-and-products/shared/choice';
import { FoundCard } from '../categories-and-products/shared/FoundCard';
import {
  NewButton,
  SortButton,
  type Sorting,
  useSorting,
} from '../categories-and-products/shared/listActions';
import { HeadAction, PageTitle, Trail } from '../categories-and-products/shared/parts';
import { isShown, useShown } from '../categories-and-products/shared/shown';
import { SortCard, SortedRow } from '../categories-and-products/shared/SortCard';
import { useSearch } from '../categories-and-products/shared/Toolbar';
import type { Option, OptionGroup } from '../categories-and-products/shared/types';
import { OptionPrice, OptionRows } from './OptionRows';
import { SizesDrawer } from './SizesDrawer';

/** The options of one group. */
export function OptionList({ group }: { group: OptionGroup | undefined }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <>
      <Trail
        steps={[
          { name: <PageTitle />, to: url('options') },
          { name: group?.name ?? t('option_groups.gone') },
        ]}
      />
      {group ? <List group={group} /> : <GroupNotFound />}
    </>
  );
}

/** The address names a group that does not exist. */
function GroupNotFound() {
  const { t } = useTranslation();
  const url = usePageUrl();
  return (
    <>
      <PageHeader title={t('option_groups.gone')} />
      <Card flush>
        <EmptyState
          title={t('option_groups.gone')}
          text={t('option_groups.gone_text')}
          actions={
            <Link className="button-link" to={url('options')}>
              {t('action.back')}
            </Link>
          }
        />
      </Card>
    </>
  );
}

function useNewButton(group: OptionGroup) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const can = useCan();
  return can('catalog_edit') && <NewButton to={url('options', `${group.id}/new`)} label={t('options.new')} />;
}

function List({ group }: { group: OptionGroup }) {
  const { t } = useTranslation();
  const newButton = useNewButton(group);
  const shown = useShown();
  const sorting = useSorting();
  const [name] = useSearch('q');
  const all = useOptions(group.id).data;
  const found = useOptions(group.id, name || undefined);
  const rows = (found.data ?? []).filter((row) => isShown(row, shown));
  return (
    <>
      <Head group={group} sorting={sorting} options={all} />
      {sorting.on && all ? (
        <Sort rows={all} group={group} onDone={sorting.end} />
      ) : (
        <FoundCard
          found={found}
          rows={rows}
          all={all?.length ?? 0}
          label={t('options.search')}
          empty={<EmptyState title={t('options.none')} text={t('options.empty')} actions={newButton} />}
        >
          <OptionRows rows={rows} group={group} busy={found.isPlaceholderData} />
        </FoundCard>
      )}
    </>
  );
}

interface HeadProps {
  group: OptionGroup;
  sorting: Sorting;
  /** All options of the group, once they are loaded. */
  options: readonly Option[] | undefined;
}

function Head({ group, sorting, options }: HeadProps) {
  const { t } = useTranslation();
  const editUrl = useEditUrl('options');
  const newButton = useNewButton(group);
  const can = useCan();
  const [giving, setGiving] = useState(false);
  const { key, min, max } = choice(group);
  // Fewer active options than a guest must choose: nobody can order what uses the group.
  const tooFew = options && group.min_no_options > 0 && !options.some((row) => row.active);
  const actions = (
    <>
      <HeadAction icon={<SettingOutlined />} label={t('option_groups.settings')} to={editUrl(group.id)} />
      {can('catalog_edit') && (
        <HeadAction
          icon={<LinkOutlined />}
          label={t('option_groups.sizes')}
          onClick={() => setGiving(true)}
        />
      )}
      <SortButton sorting={sorting} total={options?.length ?? 0} />
      {newButton}
    </>
  );
  return (
    <>
      <PageHeader
        title={group.name}
        mark={
          <>
            <Chip tone={group.min_no_options > 0 ? 'info' : 'neutral'}>{t(key, { min, max })}</Chip>
            {!group.active && <Chip>{t('state.inactive')}</Chip>}
            {tooFew && <Chip tone="warning">{t('option_groups.too_few')}</Chip>}
          </>
        }
        lead={
          group.subproduct_count === 0
            ? t('option_groups.unused_lead')
            : t('option_groups.used_lead', { count: group.subproduct_count })
        }
        actions={!sorting.on && actions}
      />
      {giving && <SizesDrawer group={group} onClose={() => setGiving(false)} />}
    </>
  );
}

interface SortProps {
  rows: readonly Option[];
  group: OptionGroup;
  onDone: () => void;
}

function Sort({ rows, group, onDone }: SortProps) {
  return (
    <SortCard
      rows={rows}
      nameOf={(row) => row.name}
      send={(ids) => optionsRank(...here(), group.id, { option_ids: ids })}
      onDone={onDone}
    >
      {(row) => <SortedRow row={row} fact={<OptionPrice of={row} />} />}
    </SortCard>
  );
}
