import { CheckCircleOutlined, MinusCircleOutlined, PlusCircleOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AssumedPayment, DrawerPerson } from '../../generated/model';
import { useCan } from '../../lib/access';
import { PlainRows } from '../../lib/crud';
import { type Amount, formatMoney, useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Chip } from '../../lib/ui/page';
import { unsigned } from '../order/payments/amount';
import { plain } from '../order/payments/exact';
import { useMethodName } from './api';
import { ownFirst, type Verdict, verdictOf } from './model';
import { orderName } from '../../lib/orderName';

/** Amounts of any currency. */
export function useMoney(): (value: Amount, currency: string) => string {
  const { language } = useFormat();
  return (value, currency) => formatMoney(language, value, currency);
}

/** `Készpénz`, and of another currency than the restaurant's `Készpénz (€)`. */
export function useLineName(): (line: { payment_key: string; currency: string }) => string {
  const method = useMethodName();
  const { currency: own } = useFormat();
  return ({ payment_key, currency }) =>
    currency === own ? method(payment_key) : `${method(payment_key)} (${currency.toUpperCase()})`;
}

/** The way to an order, for who may open it. */
export function OrderLink({ id, counter, label }: { id: string; counter?: string | null; label?: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const name = orderName(t, counter);
  if (!can('fresh_order', 'all_order')) return label ? null : <b>{name}</b>;
  return (
    <Link
      className={label ? 'drawer-act' : 'row-link num'}
      to={url('order_page', id)}
      {...(label ? { 'aria-label': `${label}: ${name}` } : {})}
    >
      {label ?? name}
    </Link>
  );
}

const TONES = { exact: 'success', missing: 'error', over: 'warning' } as const;
const ICONS = { exact: CheckCircleOutlined, missing: MinusCircleOutlined, over: PlusCircleOutlined };

/** A difference in words. */
export function useVerdict(): (difference: bigint, currency: string) => string {
  const { t } = useTranslation();
  const money = useMoney();
  const words: Record<Verdict, (amount: string) => string> = {
    exact: () => t('drawer.exact'),
    missing: (amount) => t('drawer.missing', { amount }),
    over: (amount) => t('drawer.over', { amount }),
  };
  return (difference, currency) => words[verdictOf(difference)](money(unsigned(plain(difference)), currency));
}

export function DifferenceChip({ difference, currency }: { difference: bigint; currency: string }) {
  const say = useVerdict();
  const verdict = verdictOf(difference);
  const Icon = ICONS[verdict];
  return (
    <Chip tone={TONES[verdict]} icon={<Icon aria-hidden />}>
      {say(difference, currency)}
    </Chip>
  );
}

/** Who took what. */
export function Persons({ rows }: { rows: readonly DrawerPerson[] }) {
  const { t } = useTranslation();
  const { currency } = useFormat();
  const name = useLineName();
  const money = useMoney();
  return (
    <PlainRows
      rows={ownFirst(rows, currency)}
      rowKey={(row) => `${row.actor_name} ${row.payment_key} ${row.currency}`}
      columns={[
        {
          key: 'who',
          title: t('drawer.who'),
          render: (row) => <b>{row.actor_name || t('drawer.nobody')}</b>,
        },
        { key: 'method', title: t('drawer.method'), render: name },
        {
          key: 'total',
          title: t('drawer.sum'),
          align: 'right',
          render: (row) => <span className="num">{money(row.total, row.currency)}</span>,
        },
      ]}
    />
  );
}

/** Booked because nobody said anything. What was otherwise is given back and booked on the order's page. */
export function Assumed({ rows, currency }: { rows: readonly AssumedPayment[]; currency: string }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const name = useLineName();
  const money = useMoney();
  return (
    <PlainRows
      rows={rows}
      rowKey={(row) => row.payment_id}
      columns={[
        {
          key: 'order',
          title: t('drawer.order'),
          render: (row) => <OrderLink id={row.order_id} counter={row.counter ?? null} />,
        },
        {
          key: 'at',
          title: t('drawer.promised'),
          render: (row) => <span className="num">{dateTime(row.paid_at)}</span>,
        },
        {
          key: 'method',
          title: t('drawer.method'),
          render: ({ payment_key }) => name({ payment_key, currency }),
        },
        {
          key: 'value',
          title: t('drawer.amount'),
          align: 'right',
          render: (row) => <span className="num">{money(row.value, currency)}</span>,
        },
      ]}
      rowActions={(row) => (
        <OrderLink id={row.order_id} counter={row.counter ?? null} label={t('drawer.correct')} />
      )}
    />
  );
}
