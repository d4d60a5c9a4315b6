import { MoreOutlined } from '@ant-design/icons';
import type { MenuProps } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Column } from '../../lib/crud';
import { ResourceRows } from '../../lib/crud/ResourceRows';
import { useMedia, useNarrow } from '../../lib/hooks';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { DropMenu } from '../../lib/ui/DropMenu';
import { canArchive, isUnaccepted, type OrderRow } from '../order/model';
import { useOrderWords } from '../order/parts';
import { useMethods } from './api';
import { isChild } from '../order/payments/model';
import { useCustomerUrl } from '../order/useCustomerUrl';
import { usePrintItems } from '../order/usePrint';
import { Head, Paid, Parent, Total, When, Where, Who } from './cells';

interface Props {
  orders: readonly OrderRow[];
  /** They are those of the filter before. */
  old: boolean;
  onOpen: (id: string) => void;
  /** Undefined for who may not. */
  onArchive: ((order: OrderRow) => void) | undefined;
  busy: (id: string) => boolean;
}

/** Who has what, of the order of a partial storno too. */
function useParts(orders: readonly OrderRow[]) {
  const methods = useMethods();
  const byId = new Map(orders.map((order) => [order.id, order]));
  return {
    who: (order: OrderRow) =>
      isChild(order) ? (
        <Parent order={order} parent={byId.get(order.order_parent_id!)} />
      ) : (
        <Who order={order} />
      ),
    paid: (order: OrderRow) => <Paid order={order} methods={methods} />,
  };
}

const both = (one: ReactNode, other: ReactNode) => (
  <div className="previous-both">
    {one}
    {other}
  </div>
);

/** Columns, of which two are one where there is little room. */
function useColumns({ who, paid }: ReturnType<typeof useParts>): Column<OrderRow>[] {
  const { t } = useTranslation();
  const roomy = useMedia('(min-width: 1200px)');
  const total: Column<OrderRow> = {
    key: 'total',
    title: t('previous.total'),
    align: 'right',
    width: 120,
    render: (order) => <Total order={order} />,
  };
  const order: Column<OrderRow> = {
    key: 'order',
    title: t('previous.order'),
    width: 130,
    render: (row) => <Head order={row} />,
  };
  if (!roomy)
    return [
      order,
      {
        key: 'who',
        title: t('previous.who'),
        width: 210,
        render: (row) => both(who(row), <Where order={row} />),
      },
      {
        key: 'when',
        title: t('previous.when'),
        width: 190,
        render: (row) => both(<When order={row} />, paid(row)),
      },
      total,
    ];
  return [
    order,
    { key: 'who', title: t('previous.who'), width: 210, render: who },
    { key: 'where', title: t('previous.where'), width: 210, render: (row) => <Where order={row} /> },
    { key: 'when', title: t('previous.when'), width: 150, render: (row) => <When order={row} /> },
    { key: 'paid', title: t('previous.paid'), width: 190, render: paid },
    total,
  ];
}

/** The orders as a table, as cards on phones. */
export function OrderRows({ orders, old, onOpen, onArchive, busy }: Props) {
  const url = usePageUrl();
  const narrow = useNarrow();
  const parts = useParts(orders);
  const columns = useColumns(parts);
  const action = (order: OrderRow) => <RowMenu {...{ order, busy, onArchive }} />;
  const to = (order: OrderRow) => url('order_page', order.id);
  if (narrow) return <Cards {...{ orders, to, parts, action }} />;
  return (
    <ResourceRows
      list={{
        resource: 'orders',
        fields: {},
        // Inside, rows are read by the names of their fields.
        columns: columns as unknown as Column[],
        href: (row) => to(row as unknown as OrderRow),
        onOpen: (row) => onOpen(String(row.id)),
        rowActions: (row) => action(row as unknown as OrderRow),
      }}
      rows={{
        rows: orders as never,
        query: { isPlaceholderData: old },
        sortable: () => false,
      }}
      state={{ sort: undefined, set: () => undefined }}
    />
  );
}

/** What a row says needs no labels on a phone, and room. */
function Cards({
  orders,
  to,
  parts,
  action,
}: {
  orders: readonly OrderRow[];
  to: (order: OrderRow) => string;
  parts: ReturnType<typeof useParts>;
  action: (order: OrderRow) => ReactNode;
}) {
  return (
    <ul className="list-cards previous-cards">
      {orders.map((order) => (
        <li key={order.id}>
          <div className="list-card-head">
            <Link className="row-link" to={to(order)}>
              <Head order={order} />
            </Link>
            <span className="previous-card-end">
              <Total order={order} />
              {action(order)}
            </span>
          </div>
          <div className="previous-card">
            {parts.who(order)}
            <Where order={order} />
            <When order={order} />
            {parts.paid(order)}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What is done with a row; absent where there is nothing. */
function RowMenu({ order, busy, onArchive }: { order: OrderRow } & Pick<Props, 'busy' | 'onArchive'>) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const printItems = usePrintItems();
  const customer = useCustomerUrl()(order);
  const items: NonNullable<MenuProps['items']> = isChild(order) ? [] : [...printItems(order)];
  if (customer) items.push({ key: 'customer', label: <Link to={customer}>{t('order.customer')}</Link> });
  if (onArchive && canArchive(order))
    items.push(
      { type: 'divider' },
      {
        key: 'archive',
        danger: true,
        label: isUnaccepted(order) ? t('order.refuse_more') : t('order.storno_more'),
        onClick: () => onArchive(order),
      },
    );
  if (items.length === 0) return null;
  return (
    <DropMenu menu={{ items }} placement="bottomRight">
      <Button
        type="text"
        icon={<MoreOutlined />}
        disabled={busy(order.id)}
        aria-label={t('previous.row_menu', { order: words.name(order) })}
      />
    </DropMenu>
  );
}
