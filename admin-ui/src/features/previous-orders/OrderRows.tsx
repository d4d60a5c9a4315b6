import { DeleteOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Order } from '../../generated/model';
import type { Column } from '../../lib/crud';
import { ResourceRows } from '../../lib/crud/ResourceRows';
import { useMedia, useNarrow } from '../../lib/hooks';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { canArchive, isUnaccepted } from '../order/model';
import { useOrderWords } from '../order/parts';
import { useMethods } from './api';
import { isChild } from '../order/payments/model';
import { Head, Paid, Parent, Total, When, Where, Who } from './cells';

interface Props {
  orders: readonly Order[];
  /** They are those of the filter before. */
  old: boolean;
  onOpen: (id: string) => void;
  /** Undefined for who may not. */
  onArchive: ((order: Order) => void) | undefined;
  busy: (id: string) => boolean;
}

/** Who has what, of the order of a partial storno too. */
function useParts(orders: readonly Order[]) {
  const methods = useMethods();
  const byId = new Map(orders.map((order) => [order.id, order]));
  return {
    who: (order: Order) =>
      isChild(order) ? (
        <Parent order={order} parent={byId.get(order.order_parent_id!)} />
      ) : (
        <Who order={order} />
      ),
    paid: (order: Order) => <Paid order={order} methods={methods} />,
  };
}

const both = (one: ReactNode, other: ReactNode) => (
  <div className="previous-both">
    {one}
    {other}
  </div>
);

/** Columns, of which two are one where there is little room. */
function useColumns({ who, paid }: ReturnType<typeof useParts>): Column<Order>[] {
  const { t } = useTranslation();
  const roomy = useMedia('(min-width: 1200px)');
  const total: Column<Order> = {
    key: 'total',
    title: t('previous.total'),
    align: 'right',
    width: 120,
    render: (order) => <Total order={order} />,
  };
  const order: Column<Order> = {
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
  const action = (order: Order) =>
    onArchive &&
    canArchive(order) && <Archive order={order} busy={busy(order.id)} onClick={() => onArchive(order)} />;
  const to = (order: Order) => url('order_page', order.id);
  if (narrow) return <Cards {...{ orders, to, parts, action }} />;
  return (
    <ResourceRows
      list={{
        resource: 'orders',
        fields: {},
        // Inside, rows are read by the names of their fields.
        columns: columns as unknown as Column[],
        href: (row) => to(row as unknown as Order),
        onOpen: (row) => onOpen(String(row.id)),
        rowActions: (row) => action(row as unknown as Order),
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
  orders: readonly Order[];
  to: (order: Order) => string;
  parts: ReturnType<typeof useParts>;
  action: (order: Order) => ReactNode;
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

function Archive({ order, busy, onClick }: { order: Order; busy: boolean; onClick: () => void }) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const verb = isUnaccepted(order) ? t('order.refuse') : t('order.storno');
  return (
    <Tooltip title={verb}>
      <Button
        type="text"
        danger
        icon={<DeleteOutlined />}
        disabled={busy}
        aria-label={t('previous.action_of', { verb, order: words.title(order) })}
        onClick={onClick}
      />
    </Tooltip>
  );
}
