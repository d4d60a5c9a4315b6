import { CopyOutlined, EditOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { optionsDelete } from '../../generated/client/catalogue/catalogue';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { keys, optionCalls, useAllergens, useById } from '../categories-and-products/shared/api';
import { hiddenBy } from '../categories-and-products/shared/inherit';
import { CatalogueList, type ListColumn } from '../categories-and-products/shared/List';
import { useDeleteEntry } from '../categories-and-products/shared/listActions';
import { ActiveToggle, HiddenChip, useDelete } from '../categories-and-products/shared/parts';
import type { Option, OptionGroup } from '../categories-and-products/shared/types';
import { useCopy } from '../categories-and-products/shared/useCopy';
import { idsOf, OPTION_IDS } from '../categories-and-products/shared/externalIds';
import { optionBody, optionDraft } from './option';

interface Props {
  rows: readonly Option[];
  group: OptionGroup;
  busy: boolean;
}

/** Options as links to their editors. */
export function OptionRows({ rows, group, busy }: Props) {
  const url = usePageUrl();
  const columns = useColumns(group);
  const menu = useMenu(group);
  return (
    <CatalogueList
      rows={rows}
      label={group.name}
      busy={busy}
      nameOf={(row) => row.name}
      href={(row) => url('options', `${group.id}/${row.id}`)}
      under={(row) => (row.name_sec_lang ? <span className="cat-under">{row.name_sec_lang}</span> : null)}
      columns={columns}
      toggle={(row) => (
        <ActiveToggle
          row={row}
          save={(active) => optionCalls.update(group.id, row.id, { active, version: row.version })}
        />
      )}
      menu={menu}
    />
  );
}

/** The price of an option. */
export function OptionPrice({ of: row }: { of: Option }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  return (
    <span className="num cat-price">
      {Number(row.price) === 0 ? (
        <span className="cat-soft">{t('options.free')}</span>
      ) : (
        t('options.plus', { amount: money(row.price) })
      )}
    </span>
  );
}

function AllergenNames({ ids }: { ids: readonly string[] }) {
  const { language } = useFormat();
  const allergens = useById(useAllergens());
  const names = ids.map((id) => {
    const allergen = allergens.get(id);
    return allergen && (language === 'hu' ? allergen.name : allergen.name_en);
  });
  return <span className="cat-soft">{names.filter(Boolean).join(', ')}</span>;
}

function useColumns(group: OptionGroup): ListColumn<Option>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'allergens',
      title: t('field.allergenic_ids'),
      wideOnly: true,
      filled: (row) => row.allergenic_ids.length > 0,
      render: (row) => <AllergenNames ids={row.allergenic_ids} />,
    },
    {
      key: 'limits',
      title: t('catalogue.limits'),
      wideOnly: true,
      filled: (row) => hiddenBy(row, group).length > 0,
      render: (row) => <HiddenChip channels={hiddenBy(row, group)} />,
    },
    {
      key: 'price',
      title: t('field.price'),
      align: 'right',
      render: (row) => <OptionPrice of={row} />,
    },
  ];
}

/** Further actions on an option. */
function useMenu(group: OptionGroup) {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const url = usePageUrl();
  const copy = useCopyOption(group.id);
  const remove = useDelete();
  const deleteEntry = useDeleteEntry();
  return (row: Option) => [
    {
      key: 'edit',
      icon: <EditOutlined />,
      label: <Link to={url('options', `${group.id}/${row.id}`)}>{t('action.edit')}</Link>,
    },
    ...(mayEdit
      ? [{ key: 'copy', icon: <CopyOutlined />, label: t('catalogue.copy'), onClick: () => void copy(row) }]
      : []),
    ...deleteEntry(() =>
      remove(row, () => optionsDelete(...here(), group.id, row.id), {
        inUse: t('options.in_use'),
      }),
    ),
  ];
}

/** A copy in the same group. */
function useCopyOption(group: string) {
  const { t } = useTranslation();
  const url = usePageUrl();
  return useCopy<Option>({
    send: (row, key) => {
      // Ids in other systems are of one option.
      const draft = {
        ...optionDraft(row),
        ...idsOf(OPTION_IDS),
        name: t('catalogue.copy_of', { name: row.name }),
      };
      const { option_group_id: _, ...body } = optionBody(draft);
      return optionCalls.create(group, body, key);
    },
    stored: (made) => ({ own: keys.option(made.id) }),
    urlOf: (made) => url('options', `${group}/${made.id}`),
  });
}
