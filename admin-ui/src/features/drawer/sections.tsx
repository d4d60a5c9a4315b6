import { InboxOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CourierCash, Drawer, DrawerLine, DrawerMovement } from '../../generated/model';
import { type PlainColumn, PlainRows } from '../../lib/crud';
import { NONE, useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { EmptyState } from '../../lib/ui/states';
import { hundredths } from '../order/payments/exact';
import { ownFirst } from './model';
import { OrderLink, useLineName, useMoney } from './parts';

const FIGURES = ['left_before', 'taken', 'given_back', 'change_given', 'moved', 'expected'] as const;

/** The sums of each method and currency, as columns. Change stands there only where some was given. */
export function useFigures(lines: readonly DrawerLine[]): PlainColumn<DrawerLine>[] {
  const { t } = useTranslation();
  const name = useLineName();
  const money = useMoney();
  const change = lines.some((line) => hundredths(line.change_given) !== 0n);
  return [
    { key: 'method', title: t('drawer.method'), render: (line) => <b>{name(line)}</b> },
    ...FIGURES.filter((figure) => change || figure !== 'change_given').map(
      (figure): PlainColumn<DrawerLine> => ({
        key: figure,
        title: t(`drawer.figure_${figure}`),
        align: 'right',
        render: (line) =>
          figure === 'expected' ? (
            <b className="num">{money(line.expected, line.currency)}</b>
          ) : (
            <span className="num">
              {hundredths(line[figure]) === 0n ? NONE : money(line[figure], line.currency)}
            </span>
          ),
      }),
    ),
  ];
}

export function Lines({ drawer }: { drawer: Drawer }) {
  const { t } = useTranslation();
  const columns = useFigures(drawer.lines);
  if (drawer.lines.length === 0)
    return <EmptyState icon={<InboxOutlined />} title={t('drawer.empty_title')} text={t('drawer.empty')} />;
  return (
    <PlainRows
      rows={ownFirst(drawer.lines, drawer.currency)}
      rowKey={(line) => `${line.payment_key} ${line.currency}`}
      columns={columns}
    />
  );
}

interface Named {
  id: string;
  name: string;
}

export function Unpaid({ drawer, couriers }: { drawer: Drawer; couriers: readonly Named[] }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const name = useLineName();
  const money = useMoney();
  const { currency } = drawer;
  return (
    <PlainRows
      rows={drawer.unpaid}
      rowKey={(row) => row.order_id}
      columns={[
        {
          key: 'order',
          title: t('drawer.order'),
          render: (row) => <OrderLink id={row.order_id} counter={row.counter ?? null} />,
        },
        {
          key: 'at',
          title: t('drawer.promised'),
          render: (row) => <span className="num">{dateTime(row.promised_at)}</span>,
        },
        {
          key: 'method',
          title: t('drawer.method'),
          render: ({ payment_key }) => name({ payment_key, currency }),
        },
        {
          key: 'courier',
          title: t('drawer.courier'),
          render: ({ courier_id }) =>
            courier_id
              ? (couriers.find(({ id }) => id === courier_id)?.name ?? t('drawer.of_courier'))
              : NONE,
        },
        {
          key: 'due',
          title: t('drawer.due'),
          align: 'right',
          render: (row) => <b className="num">{money(row.due, currency)}</b>,
        },
      ]}
    />
  );
}

export function Couriers({
  rows,
  onHandIn,
}: {
  rows: readonly CourierCash[];
  onHandIn: (courier: string) => void;
}) {
  const { t } = useTranslation();
  const money = useMoney();
  const url = usePageUrl();
  return (
    <PlainRows
      rows={rows}
      rowKey={(row) => `${row.courier_id} ${row.currency}`}
      columns={[
        {
          key: 'courier',
          title: t('drawer.courier'),
          render: (row) => (
            <Link className="row-link" to={url('drawer', undefined, { courier: row.courier_id })}>
              {row.name}
            </Link>
          ),
        },
        {
          key: 'holds',
          title: t('drawer.holds'),
          align: 'right',
          render: (row) => <b className="num">{money(row.holds, row.currency)}</b>,
        },
      ]}
      rowActions={(row) => (
        <Button
          aria-label={t('drawer.hand_in_of', { name: row.name })}
          onClick={() => onHandIn(row.courier_id)}
        >
          {t('drawer.hand_in_short')}
        </Button>
      )}
    />
  );
}

interface MovementsProps {
  rows: readonly DrawerMovement[];
  couriers: readonly Named[];
  /** Of a courier's drawer: what he hands in goes out of it. */
  ofCourier: boolean;
}

export function Movements({ rows, couriers, ofCourier }: MovementsProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const money = useMoney();
  const what = ({ kind, courier_id }: DrawerMovement) => {
    const name = couriers.find(({ id }) => id === courier_id)?.name;
    return kind === 'hand_in' && name && !ofCourier
      ? t('drawer.kind_hand_in_of', { name })
      : t(`drawer.kind_${kind}`);
  };
  return (
    <PlainRows
      rows={rows}
      rowKey={(row) => row.id}
      columns={[
        {
          key: 'what',
          title: t('drawer.what'),
          render: (row) => (
            <div className="drawer-two">
              <b>{row.reason}</b>
              <span>{what(row)}</span>
            </div>
          ),
        },
        {
          key: 'by',
          title: t('drawer.by'),
          render: (row) => (
            <div className="drawer-two">
              <span className="num">{dateTime(row.created_at)}</span>
              <span>{row.actor_name}</span>
            </div>
          ),
        },
        {
          key: 'value',
          title: t('drawer.amount'),
          align: 'right',
          render: (row) => (
            <b className="num">
              {row.kind === 'out' || (ofCourier && row.kind === 'hand_in') ? '-' : '+'}
              {money(row.value, row.currency)}
            </b>
          ),
        },
      ]}
    />
  );
}
