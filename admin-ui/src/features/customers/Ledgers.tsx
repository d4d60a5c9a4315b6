import { PlusOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { BalanceTransaction, PointTransaction, ShadowCustomerDetails } from '../../generated/model';
import { useCan } from '../../lib/access';
import { DayInput } from '../../lib/fields/DayInput';
import { formatMoney, useFormat } from '../../lib/format';
import { later } from '../../lib/later';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, Facts } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { type Ledger, usePaymentNames } from './api';
import { useBalanceRows, useBalanceSum, usePointRows, usePointSum } from './api';
import { FIRST_DAY } from './ledger';
import { Pager } from './Pager';
import { useSeen } from './useSeen';

const MovementDrawer = later(() => import('./MovementDrawer'), 'over');

interface Props {
  row: ShadowCustomerDetails;
  locked: boolean;
}
type Transaction = BalanceTransaction | PointTransaction;

/** Days between which movements are shown; an empty one is no bound. */
function useDays() {
  const [days, setDays] = useState<{ from: string | null; till: string | null }>({
    from: FIRST_DAY,
    till: null,
  });
  const [page, setPage] = useState(0);
  return {
    days,
    page,
    setPage,
    change: (next: Partial<typeof days>) => {
      setDays({ ...days, ...next });
      setPage(0);
    },
  };
}
type Days = ReturnType<typeof useDays>;

/** What the customer has paid in and spent. */
export function BalanceCard(props: Props) {
  const { language } = useFormat();
  const { ref, seen } = useSeen();
  const days = useDays();
  const { id, currency } = props.row;
  const rows = useBalanceRows(id, days.days, days.page, seen);
  const sum = useBalanceSum(id, days.days, seen);
  const shown = (value: number) => formatMoney(language, value, sum.data?.currency ?? currency);
  return (
    <div ref={ref}>
      <LedgerCard {...props} ledger="balance" days={days} rows={rows} sum={sum} shown={shown} />
    </div>
  );
}

/** What the customer has earned and spent of points. */
export function PointsCard(props: Props) {
  const { number } = useFormat();
  const { ref, seen } = useSeen();
  const days = useDays();
  const { id } = props.row;
  const rows = usePointRows(id, days.days, days.page, seen);
  const sum = usePointSum(id, days.days, seen);
  return (
    <div ref={ref}>
      <LedgerCard {...props} ledger="points" days={days} rows={rows} sum={sum} shown={number} />
    </div>
  );
}

interface Read<T> {
  data: T | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

interface CardProps extends Props {
  ledger: Ledger;
  days: Days;
  rows: Read<{ rows: Transaction[]; total: number }>;
  sum: Read<{ sum: number; in: number; out: number }>;
  shown: (value: number) => string;
}

function LedgerCard({ row, locked, ledger, days, rows, sum, shown }: CardProps) {
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const title = t(`customers.${ledger}_history`);
  const none = rows.data?.total === 0;
  const narrowed = days.days.from !== FIRST_DAY || days.days.till !== null;
  return (
    <Card
      title={title}
      extra={
        !locked && (
          <Button icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            {t(`customers.${ledger}_add`)}
          </Button>
        )
      }
    >
      <DayFields ledger={ledger} days={days} />
      {sum.data && (
        <Facts
          rows={[
            [t('customers.sum_in'), shown(sum.data.in)],
            [t('customers.sum_out'), shown(sum.data.out)],
            [t('customers.sum'), shown(sum.data.sum)],
          ]}
        />
      )}
      {!rows.data ? (
        <QueryFallback query={rows} rows={3} />
      ) : none ? (
        <p className="edit-help customer-none">
          {t(narrowed ? 'customers.ledger_none_then' : `customers.${ledger}_none`)}
        </p>
      ) : (
        <>
          <Rows rows={rows.data.rows} title={title} shown={shown} />
          <Pager
            of={title}
            page={days.page}
            rows={rows.data.rows.length}
            total={rows.data.total}
            onChange={days.setPage}
          />
        </>
      )}
      {adding && <MovementDrawer row={row} ledger={ledger} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function DayFields({ ledger, days: { days, change } }: { ledger: Ledger; days: Days }) {
  const { t } = useTranslation();
  return (
    <div className="field-line customer-days">
      {(['from', 'till'] as const).map((name) => (
        <div className="edit-field" key={name}>
          <div className="edit-label">
            <label htmlFor={`${ledger}-${name}`}>{t(`customers.day_${name}`)}</label>
          </div>
          <DayInput
            id={`${ledger}-${name}`}
            value={days[name]}
            onChange={(day) => change({ [name]: name === 'from' ? (day ?? FIRST_DAY) : day })}
          />
        </div>
      ))}
    </div>
  );
}

interface RowsProps {
  rows: readonly Transaction[];
  title: string;
  shown: (value: number) => string;
}

function Rows({ rows, title, shown }: RowsProps) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const nameOf = usePaymentNames();
  return (
    <ul className="customer-rows" aria-label={title}>
      {rows.map((row) => {
        const method = 'payment_method' in row && row.payment_method ? nameOf(row.payment_method) : undefined;
        return (
          <li key={row.id}>
            <span className="customer-row-main">
              <span className="customer-row-head">
                <b>{t(`customers.type_${row.type}`)}</b>
                <span className="num">{dateTime(row.transaction_at)}</span>
                <ToOrder row={row} />
              </span>
              {row.comment && <span>{row.comment}</span>}
              <span className="edit-help">{[method, row.actor_name].filter(Boolean).join(' · ')}</span>
            </span>
            <b className="num customer-row-sum">
              {row.value > 0 ? `+${shown(row.value)}` : shown(row.value)}
            </b>
          </li>
        );
      })}
    </ul>
  );
}

/** The order that a movement belongs to, where its page may be seen. */
function ToOrder({ row }: { row: Transaction }) {
  const { t } = useTranslation();
  const can = useCan();
  const url = usePageUrl();
  const restaurant = useRestaurant();
  if (!row.order_id || row.restaurant_id !== restaurant.id || !can('fresh_order', 'all_order')) return null;
  return (
    <Link className="customer-link" to={url('order_page', row.order_id)}>
      {t('customers.to_order')}
    </Link>
  );
}
