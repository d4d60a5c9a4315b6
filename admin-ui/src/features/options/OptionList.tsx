import {
  CopyOutlined,
  DeleteOutlined,
  EditOutlined,
  OrderedListOutlined,
  PlusOutlined,
  SettingOutlined,
} from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { IdempotencyKeys } from '../../lib/form/idempotency';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { EmptyState } from '../../lib/ui/states';
import { PageTitle } from '../categories-and-products/CategoryList';
import { useEditUrl } from '../categories-and-products/links';
import {
  keys,
  optionCalls,
  useAllergens,
  useById,
  useOptions,
  useRefreshCatalogue,
} from '../categories-and-products/shared/api';
import { choice } from '../categories-and-products/shared/choice';
import { FoundCard } from '../categories-and-products/shared/FoundCard';
import { hiddenBy } from '../categories-and-products/shared/inherit';
import { CatalogueList } from '../categories-and-products/shared/List';
import {
  ActiveToggle,
  HeadAction,
  HiddenChip,
  Trail,
  useDelete,
} from '../categories-and-products/shared/parts';
import { isShown, useShown } from '../categories-and-products/shared/shown';
import { SortCard } from '../categories-and-products/shared/SortCard';
import { useSearch } from '../categories-and-products/shared/Toolbar';
import type { Option, OptionGroup } from '../categories-and-products/shared/types';
import { optionBody, optionDraft } from './option';

/** The options of one group. */
export function OptionList({ group }: { group: OptionGroup | undefined }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  if (group) return <List group={group} />;
  return (
    <>
      <Trail steps={[{ name: <PageTitle />, to: url('options') }, { name: t('option_groups.gone') }]} />
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

function List({ group }: { group: OptionGroup }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const editUrl = useEditUrl('options');
  const navigate = useNavigate();
  const remove = useDelete();
  const copy = useCopyOption(group.id);
  const shown = useShown();
  const { money, language } = useFormat();
  const allergens = useById(useAllergens());
  const [sorting, setSorting] = useState(false);
  const [name, searchName] = useSearch('q');
  const all = useOptions(group.id);
  const found = useOptions(group.id, name || undefined);
  const mayEdit = can('catalog_edit');
  const params = { option_group_id: group.id };
  const rows = (found.data ?? []).filter((row) => isShown(row, shown));
  const { key, min, max } = choice(group);
  const newButton = mayEdit && (
    <Button
      type="primary"
      icon={<PlusOutlined />}
      onClick={() => void navigate(url('options', `${group.id}/new`))}
    >
      {t('options.new')}
    </Button>
  );
  const deleteRow = (row: Option) =>
    remove(row, () => optionCalls.remove(row.id, params), { inUse: t('options.in_use') });
  const price = (row: Option) => (
    <span className="num cat-price">
      {Number(row.price) === 0 ? (
        <span className="cat-soft">{t('options.free')}</span>
      ) : (
        t('options.plus', { amount: money(row.price) })
      )}
    </span>
  );
  const allergenNames = (row: Option) =>
    row.allergenic_ids
      .map((id) => {
        const a = allergens.get(id);
        return a && (language === 'hu' ? a.name : a.name_en);
      })
      .filter(Boolean)
      .join(', ');
  // Fewer active options than a guest must choose: nobody can order what uses the group.
  const tooFew = all.data && group.min_no_options > 0 && all.data.filter((row) => row.active).length === 0;

  const header = (
    <>
      <Trail steps={[{ name: <PageTitle />, to: url('options') }, { name: group.name }]} />
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
        actions={
          !sorting && (
            <>
              <HeadAction
                icon={<SettingOutlined />}
                label={t('option_groups.settings')}
                to={editUrl(group.id)}
              />
              {mayEdit && (all.data?.length ?? 0) > 1 && (
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
    </>
  );

  if (sorting && all.data) {
    return (
      <>
        {header}
        <SortCard
          rows={all.data}
          nameOf={(row) => row.name}
          send={(ids) => optionCalls.rank(ids, params)}
          onDone={() => setSorting(false)}
        >
          {(row) => (
            <>
              <span className="rank-name">{row.name}</span>
              {!row.active && <Chip>{t('state.inactive')}</Chip>}
              <span className="sort-fact">{price(row)}</span>
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
        all={all.data?.length ?? 0}
        label={t('options.search')}
        empty={<EmptyState title={t('options.none')} text={t('options.empty')} actions={newButton} />}
      >
        <CatalogueList
          rows={rows}
          label={group.name}
          busy={found.isPlaceholderData}
          nameOf={(row) => row.name}
          href={(row) => url('options', `${group.id}/${row.id}`)}
          under={(row) => (row.name_sec_lang ? <span className="cat-under">{row.name_sec_lang}</span> : null)}
          columns={[
            {
              key: 'allergens',
              title: t('field.allergenic_ids'),
              wideOnly: true,
              filled: (row) => row.allergenic_ids.length > 0,
              render: (row) => <span className="cat-soft">{allergenNames(row)}</span>,
            },
            {
              key: 'limits',
              title: t('catalogue.limits'),
              wideOnly: true,
              filled: (row) => hiddenBy(row, group).length > 0,
              render: (row) => <HiddenChip channels={hiddenBy(row, group)} />,
            },
            { key: 'price', title: t('field.price'), align: 'right', render: price },
          ]}
          toggle={(row) => (
            <ActiveToggle
              row={row}
              save={(active) => optionCalls.update(row.id, { active, version: row.version }, params)}
            />
          )}
          menu={(row) => [
            {
              key: 'edit',
              icon: <EditOutlined />,
              label: <Link to={url('options', `${group.id}/${row.id}`)}>{t('action.edit')}</Link>,
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

/** A copy in the same group, opened at once: its name is what has to change. */
function useCopyOption(group: string): (row: Option) => Promise<void> {
  const { t } = useTranslation();
  const notify = useNotify();
  const refresh = useRefreshCatalogue();
  const navigate = useNavigate();
  const url = usePageUrl();
  return async (row) => {
    try {
      const { option_group_id: _, ...body } = optionBody({
        ...optionDraft(row),
        name: t('catalogue.copy_of', { name: row.name }),
      });
      const made = await optionCalls.create(body, new IdempotencyKeys().keyFor(body), {
        option_group_id: group,
      });
      void refresh({ key: keys.option(made.id), row: made });
      notify.success(t('catalogue.copied', { name: made.name }));
      void navigate(url('options', `${group}/${made.id}`));
    } catch (error) {
      notify.problem(error);
    }
  };
}
