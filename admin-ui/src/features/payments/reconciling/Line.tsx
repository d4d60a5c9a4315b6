import { CheckCircleOutlined, InfoCircleOutlined, WarningOutlined } from '@ant-design/icons';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PaymentReconciliationLine } from '../../../generated/model';
import { type Amount, NONE } from '../../../lib/format';
import { later } from '../../../lib/later';
import { providerName } from '../../../lib/paymentProviders';
import { Button } from '../../../lib/ui/Button';
import { Chip } from '../../../lib/ui/page';
import { useToPayment } from '../MoneyList';
import { OrderLink, Reference, useMoneyOf } from '../parts';

// The form is loaded with the first explanation.
const ExplainDialog = later(() => import('./ExplainDialog'), 'over');

interface Props {
  line: PaymentReconciliationLine;
}

/** A payment in our books beside the provider's word. */
export function Line({ line }: Props) {
  const { t } = useTranslation();
  const to = useToPayment();
  const { attempt_id, order_id, order_counter, provider, reference } = line;
  return (
    <li>
      <div className="payment-line">
        {order_id ? (
          <OrderLink id={order_id} counter={order_counter} />
        ) : (
          <b>{t('payments.only_at_provider')}</b>
        )}
        <DifferenceChip line={line} />
      </div>
      <p className="payments-from">
        {providerName(provider)}
        {reference && <Reference text={reference} />}
      </p>
      <Beside line={line} />
      <Explanation line={line} />
      <div className="payment-actions">
        {attempt_id && (
          <Link className="payments-order" to={to(attempt_id)}>
            {t('payments.open_payment')}
          </Link>
        )}
        {line.difference && !line.explained && <Explain line={line} />}
      </div>
    </li>
  );
}

function DifferenceChip({ line: { difference, explained } }: Props) {
  const { t } = useTranslation();
  if (!difference)
    return (
      <Chip tone="success" icon={<CheckCircleOutlined aria-hidden />}>
        {t('payments.no_difference')}
      </Chip>
    );
  const [tone, Icon] = explained
    ? (['neutral', InfoCircleOutlined] as const)
    : (['error', WarningOutlined] as const);
  return (
    <Chip tone={tone} icon={<Icon aria-hidden />}>
      {t(`payments.difference.${difference}`)}
    </Chip>
  );
}

/** Of a payment that was refused or waits a provider names what was asked for. */
const hasCome = (seen: string | null | undefined) => seen === 'captured' || seen === 'refunded';

/** State and sums of both sides. */
function Beside({ line }: Props) {
  const { t } = useTranslation();
  const money = useMoneyOf(line);
  const { state, seen_state: seen, fee } = line;
  const amount = (known: unknown, value: Amount | null | undefined) =>
    known && value != null ? <span className="num">{money(value)}</span> : NONE;
  const rows = [
    {
      key: 'state',
      ours: state ? t(`payments.state.${state}`) : t('payments.not_here'),
      theirs: seen
        ? t([`payments.state.${seen}`, 'payments.state.unknown'])
        : t(line.difference === 'not_asked' ? 'payments.not_asked' : 'payments.not_there'),
    },
    { key: 'captured', ours: amount(state, line.captured), theirs: amount(hasCome(seen), line.seen_amount) },
    { key: 'refunded', ours: amount(state, line.refunded), theirs: amount(seen, line.seen_refunded) },
    ...(fee == null ? [] : [{ key: 'fee', ours: NONE, theirs: amount(true, fee) }]),
  ];
  return (
    <table className="payments-beside">
      <thead>
        <tr>
          <td />
          <th scope="col">{t('payments.ours')}</th>
          <th scope="col">{t('payments.theirs')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, ours, theirs }) => (
          <tr key={key}>
            <th scope="row">{t(`payments.${key}`)}</th>
            <td>{ours}</td>
            <td>{theirs}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why it is no fault: the comparison has booked it, or as a person said. */
function Explanation({ line: { difference, explained, explained_by } }: Props) {
  const { t } = useTranslation();
  if (!difference || !explained) return null;
  const isOwn = explained === 'booked' && !explained_by;
  return (
    <p className="payment-details">
      {isOwn
        ? t('payments.explained_booked')
        : t('payments.explained', { why: [explained, explained_by].filter(Boolean).join(' · ') })}
    </p>
  );
}

function Explain({ line }: Props) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('payments.explain')}
      </Button>
      {asking && (
        <Suspense>
          <ExplainDialog line={line} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
