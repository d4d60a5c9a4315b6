import { EditOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../lib/access';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useEditUrl } from './links';
import { categoryCalls } from './shared/api';
import { hiddenOn } from './shared/inherit';
import { CatalogueList, type ListColumn } from './shared/List';
import { useDeleteEntry } from './shared/listActions';
import { ActiveToggle, ColorDot, HiddenChip, isTimed, TimeChips } from './shared/parts';
import type { ProductCategory } from './shared/types';
import { useDeleteCategory } from './useDeleteCategory';

const KEY = 'categories_and_products';

/** How many sub-categories, or else products, are in a category. */
export function CategoryContents({ of: row }: { of: ProductCategory }) {
  const { t } = useTranslation();
  return row.children_count > 0
    ? t('product_categories.children', { count: row.children_count })
    : t('product_categories.products', { count: row.product_count });
}

interface Props {
  rows: readonly ProductCategory[];
  /** None: the top level. */
  parent: ProductCategory | undefined;
  busy: boolean;
  /** Name of the category above a row, where it is not clear from the page. */
  parentOf: (row: ProductCategory) => string | undefined;
}

/** Categories as links to what is in them. */
export function CategoryRows({ rows, parent, busy, parentOf }: Props) {
  const { feature } = usePage();
  const url = usePageUrl();
  const columns = useColumns();
  const menu = useMenu();
  return (
    <CatalogueList
      rows={rows}
      label={parent?.name ?? feature?.title.hu ?? ''}
      busy={busy}
      nameOf={(row) => row.name}
      href={(row) => url(KEY, row.id)}
      lead={(row) => <ColorDot row={row} rows={rows} />}
      under={(row) => {
        const text = [parentOf(row), row.name_sec_lang].filter(Boolean).join(' · ');
        return text ? <span className="cat-under">{text}</span> : null;
      }}
      columns={columns}
      toggle={(row) => (
        <ActiveToggle
          row={row}
          save={(active) => categoryCalls.update(row.id, { active, version: row.version })}
        />
      )}
      menu={menu}
    />
  );
}

function useColumns(): ListColumn<ProductCategory>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'contents',
      title: t('product_categories.contents'),
      render: (row) => (
        <span className="num cat-soft">
          <CategoryContents of={row} /> {row.children_count > 0 && <RightOutlined aria-hidden />}
        </span>
      ),
    },
    {
      key: 'limits',
      title: t('catalogue.limits'),
      filled: (row) => isTimed(row) || hiddenOn(row.effective).length > 0,
      render: (row) => (
        <span className="chips">
          <HiddenChip channels={hiddenOn(row.effective)} />
          <TimeChips row={row} />
        </span>
      ),
    },
  ];
}

/** Further actions on a category. */
function useMenu() {
  const { t } = useTranslation();
  const mayEdit = useCan()('catalog_edit');
  const url = usePageUrl();
  const editUrl = useEditUrl();
  const remove = useDeleteCategory();
  const deleteEntry = useDeleteEntry();
  const link = (key: string, icon: React.ReactNode, to: string, label: string) => ({
    key,
    icon,
    label: <Link to={to}>{label}</Link>,
  });
  return (row: ProductCategory) => [
    link('edit', <EditOutlined />, editUrl(row.id), t('product_categories.settings')),
    ...(mayEdit && row.children_count === 0
      ? [link('product', <PlusOutlined />, url(KEY, `${row.id}/new`), t('products.new'))]
      : []),
    ...(mayEdit && row.parent_id === null && row.product_count === 0
      ? [
          link(
            'child',
            <PlusOutlined />,
            `${url(KEY, 'new')}?parent=${row.id}`,
            t('product_categories.new_child'),
          ),
        ]
      : []),
    ...deleteEntry(() => remove(row)),
  ];
}
