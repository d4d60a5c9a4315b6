import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Payment } from '../../generated/model';
import { type Column, useListState } from '../../lib/crud';
import { NONE, useFormat } from '../../lib/format';
import { useMedia } from '../../lib/hooks';
import { usePageUrl } from '../../lib/navigation';
import { providerName } from '../../lib/paymentProviders';
import { useOpenRefunds, usePayments } from './api';
import { Filters } from './Filters';
import { MoneyList, useToPayment } from './MoneyList';
import { FILTERS, paymentsQuery } from './model';
import { Badges, StateChip, useMethodName, useFirstColumns, useMoneyOf } from './parts';

/** All payments: what was tried, what came of it, and what somebody should look at. */
export function PaymentsTab() {
  const { zone } = useFormat();
  const state = useListState(FILTERS);
  const query = usePayments(paymentsQuery(state, zone), state.page);
  const to = useToPayment();
  return (
    <>
      <OpenRefunds />
      <MoneyList
        resource="payments"
        query={query}
        state={state}
        tools={<Filters state={state} />}
        columns={useColumns()}
        to={({ id }) => to(id)}
      />
    </>
  );
}

/** That refunds wait for a person, and the way to them. */
function OpenRefunds() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const url = usePageUrl();
  const open = useOpenRefunds();
  if (open === 0) return null;
  const to = url('payments', undefined, { tab: 'refunds', state: 'created', by_person: 'true' });
  return (
    <Alert
      className="page-alert"
      type="info"
      showIcon
      title={t('payments.open_refunds', { number: number(open) })}
      action={
        <Link className="payments-order" to={to}>
          {t('payments.open_refunds_show')}
        </Link>
      }
    />
  );
}

/** Where there is little room the provider stands below the method. */
function useColumns(): Column<Payment>[] {
  const { t } = useTranslation();
  const method = useMethodName();
  const roomy = useMedia('(min-width: 1200px)');
  const columns: Column<Payment>[] = [
    ...useFirstColumns(),
    {
      key: 'method',
      title: t('payments.method'),
      render: ({ payment_key, provider }) => (
        <span className="payments-lines">
          <span>{method(payment_key)}</span>
          {!roomy && provider && <small>{providerName(provider)}</small>}
        </span>
      ),
    },
    {
      key: 'provider',
      title: t('payments.provider'),
      render: ({ provider }) => (provider ? providerName(provider) : NONE),
    },
    {
      key: 'amount',
      title: t('payments.amount'),
      align: 'right',
      render: (payment) => <Sum payment={payment} />,
    },
    {
      key: 'state',
      title: t('payments.state'),
      render: (payment) => (
        <span className="payments-chips">
          <StateChip state={payment.state} />
          <Badges payment={payment} />
        </span>
      ),
    },
  ];
  return roomy ? columns : columns.filter(({ key }) => key !== 'provider');
}

function Sum({ payment }: { payment: Payment }) {
  const { t } = useTranslation();
  const money = useMoneyOf(payment);
  return (
    <span className="payments-lines">
      <b className="num">{money(payment.amount)}</b>
      {Number(payment.tip) > 0 && <small>{t('order.with_tip', { amount: money(payment.tip) })}</small>}
    </span>
  );
}
