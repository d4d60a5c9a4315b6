import { CopyOutlined, EditOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { productsDelete } from '../../generated/client/catalogue/catalogue';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { Chip } from '../../lib/ui/page';
import { Price } from './Price';
import { productCalls } from './shared/api';
import { hiddenOn } from './shared/inherit';
import { CatalogueList, type ListColumn } from './shared/List';
import { useDeleteEntry } from './shared/listActions';
import { ActiveToggle, ColorDot, HiddenChip, isTimed, TimeChips, useDelete } from './shared/parts';
import type { Product, ProductCategory } from './shared/types';
import { useCopyProduct } from './useCopyProduct';

const KEY = 'categories_and_products';

interface Props {
  rows: readonly Product[];
  category: ProductCategory;
  busy: boolean;
}

/** Products as links to their editors. */
export function ProductRows({ rows, category, busy }: Props) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const mayEdit = useCan()('catalog_edit');
  const copy = useCopyProduct();
  const remove = useDelete();
  const columns = useColumns();
  const deleteEntry = useDeleteEntry();
  const href = (row: Product) => url(KEY, `${category.id}/${row.id}`);
  return (
    <CatalogueList
      rows={rows}
      label={category.name}
      busy={busy}
      nameOf={(row) => row.name}
      href={href}
      lead={(row) => <ColorDot row={row} rows={rows} />}
      under={(row) => {
        const text = describe(row);
        return text ? <span className="cat-under">{text}</span> : null;
      }}
      columns={columns}
      toggle={(row) => (
        <ActiveToggle
          row={row}
          save={(active) => productCalls.update(category.id, row.id, { active, version: row.version })}
        />
      )}
      menu={(row) => [
        { key: 'edit', icon: <EditOutlined />, label: <Link to={href(row)}>{t('action.edit')}</Link> },
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
        ...deleteEntry(() =>
          remove(row, () => productsDelete(...here(), category.id, row.id), { inUse: t('products.in_use') }),
        ),
      ]}
    />
  );
}

/** The names of several sizes, else the description. */
const describe = (row: Product): string | null =>
  row.subproducts.length > 1
    ? row.subproducts.map((s) => s.name).join(' · ')
    : (row.description ?? row.name_sec_lang);

function useColumns(): ListColumn<Product>[] {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return [
    {
      key: 'limits',
      title: t('catalogue.limits'),
      filled: (row) =>
        isTimed(row) ||
        hiddenOn(row.effective).length > 0 ||
        row.subproducts.some((s) => s.sellable_quantity !== null || isOut(s)),
      render: (row) => (
        <span className="chips">
          <HiddenChip channels={hiddenOn(row.effective)} />
          <TimeChips row={row} />
          <Quantities product={row} />
        </span>
      ),
    },
    {
      key: 'vat',
      title: t('field.vat_id'),
      align: 'right',
      wideOnly: true,
      render: (row) => <span className="num cat-soft">{percent(row.effective.vat.percent)}</span>,
    },
    {
      key: 'price',
      title: t('field.price'),
      align: 'right',
      render: (row) => <Price rows={row.subproducts} />,
    },
  ];
}

/** Nothing is left of it, or it is off for today. */
const isOut = (row: Product['subproducts'][number]) => row.sellable_quantity === 0 || Boolean(row.off_until);

/** What is counted: sold out, or how many are left. */
function Quantities({ product }: { product: Product }) {
  const { t } = useTranslation();
  const counted = product.subproducts.filter((row) => row.sellable_quantity !== null);
  const out = product.subproducts.filter(isOut).length;
  if (counted.length === 0 && out === 0) return null;
  if (out > 0)
    return (
      <Chip tone="error">
        {out === product.subproducts.length
          ? t('products.sold_out')
          : t('products.some_sold_out', { count: out })}
      </Chip>
    );
  return counted.length === 1 && product.subproducts.length === 1 ? (
    <Chip tone="info">{t('products.left', { count: counted[0]!.sellable_quantity ?? 0 })}</Chip>
  ) : (
    <Chip tone="info">{t('products.counted')}</Chip>
  );
}
