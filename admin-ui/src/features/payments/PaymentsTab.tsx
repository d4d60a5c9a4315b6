import { useTranslation } from 'react-i18next';
import type { Payment } from '../../generated/model';
import { type Column, useListState } from '../../lib/crud';
import { NONE, useFormat } from '../../lib/format';
import { useMedia } from '../../lib/hooks';
import { providerName } from '../../lib/paymentProviders';
import { usePayments } from './api';
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
    <MoneyList
      resource="payments"
      query={query}
      state={state}
      tools={<Filters state={state} />}
      columns={useColumns()}
      to={({ id }) => to(id)}
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
