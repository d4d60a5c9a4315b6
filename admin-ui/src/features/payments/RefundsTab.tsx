import { useTranslation } from 'react-i18next';
import type { PaymentRefund } from '../../generated/model';
import { type Column, useListState } from '../../lib/crud';
import { NONE } from '../../lib/format';
import { useMedia } from '../../lib/hooks';
import { providerName } from '../../lib/paymentProviders';
import { waitsForApproval } from '../order/payments/model';
import { RefundActions } from '../order/payments/RefundActions';
import { useRefundFault } from '../order/payments/words';
import { useRefunds } from './api';
import { RefundFilters } from './Filters';
import { MoneyList, useToPayment } from './MoneyList';
import { REFUND_FILTERS, refundsQuery, wholeOf } from './model';
import { By, RefundChip, useMethodName, useFirstColumns, useMoneyOf } from './parts';

interface Props {
  onChanged: () => void;
}

/** Money that went back, is to go back, or could not. */
export function RefundsTab({ onChanged }: Props) {
  const state = useListState(REFUND_FILTERS);
  const query = useRefunds(refundsQuery(state), state.page);
  const to = useToPayment();
  return (
    <MoneyList
      resource="refunds"
      query={query}
      state={state}
      tools={<RefundFilters state={state} />}
      columns={useColumns(onChanged)}
      to={({ attempt_id }) => to(attempt_id)}
    />
  );
}

/** Where a table has little room why and who stand below the state. */
function useColumns(onChanged: () => void): Column<PaymentRefund>[] {
  const { t } = useTranslation();
  const method = useMethodName();
  const faultOf = useFaultOf();
  const tight = useMedia('(min-width: 768px) and (max-width: 1199.98px)');
  const columns: Column<PaymentRefund>[] = [
    ...useFirstColumns(),
    {
      key: 'method',
      title: t('payments.method'),
      render: ({ payment_key, provider }) => (
        <span className="payments-lines">
          <span>{method(payment_key)}</span>
          {provider && <small>{providerName(provider)}</small>}
        </span>
      ),
    },
    {
      key: 'amount',
      title: t('payments.amount'),
      align: 'right',
      render: (refund) => <Sum refund={refund} />,
    },
    {
      key: 'state',
      title: t('payments.state'),
      render: (refund) => (
        <div className="payments-refund">
          <RefundChip refund={refund} />
          {tight && faultOf(refund) && <small>{faultOf(refund)}</small>}
          {tight && (
            <small>
              <By refund={refund} />
            </small>
          )}
          {waitsForApproval(refund) && <RefundActions refund={refund} onChanged={onChanged} />}
        </div>
      ),
    },
    { key: 'fault', title: t('payments.fault'), render: (refund) => faultOf(refund) || NONE },
    {
      key: 'by',
      title: t('payments.asked_by'),
      render: (refund) => <By refund={refund} />,
    },
  ];
  return tight ? columns.filter(({ key }) => key !== 'fault' && key !== 'by') : columns;
}

function Sum({ refund }: { refund: PaymentRefund }) {
  return <b className="num">{useMoneyOf(refund)(wholeOf(refund))}</b>;
}

/** Why it could not be given back: as the provider says, else as a person did. */
function useFaultOf(): (refund: PaymentRefund) => string {
  const fault = useRefundFault();
  return (refund) => fault(refund) || (refund.state === 'failed' && refund.reason) || '';
}
