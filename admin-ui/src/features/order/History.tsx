import { useTranslation } from 'react-i18next';
import type { OrderHistory } from '../../generated/model';
import { type Amount, useFormat } from '../../lib/format';
import { useChangeWords } from './change/words';
import type { Order } from './model';
import './change/change.css';
import { unsigned } from './payments/amount';
import { usePaymentWords } from './payments/words';
import { type ToldReason, useReasonWords } from './reasons';

/** What a line says beside its state; each is there or not. */
interface Details extends ToldReason {
  payment_key?: string;
  /** Of an online payment. */
  provider?: string;
  amount?: Amount;
  tip?: Amount;
  total_price?: Amount;
  approved_by?: string;
  level?: number;
  override_reason?: string;
}

const hasAmount = (amount: Amount): boolean =>
  amount !== undefined && amount !== null && Number(amount) !== 0;

/** Method, amounts, reason, and who allowed it, in words. */
function useDetailWords() {
  const { t } = useTranslation();
  const { money } = useFormat();
  const { method } = usePaymentWords();
  const reasons = useReasonWords();
  return (details: unknown): string => {
    if (typeof details !== 'object' || details === null) return '';
    const { payment_key, amount, tip, total_price, approved_by, level, override_reason, ...told }: Details =
      details;
    return [
      payment_key && method(payment_key),
      hasAmount(amount) && money(unsigned(amount)),
      hasAmount(tip) && t('order.with_tip', { amount: money(tip) }),
      hasAmount(total_price) && money(total_price),
      reasons.name(told),
      level && t(`order.escalation_${level}`),
      override_reason,
      approved_by && t('order.approved_by', { name: approved_by }),
    ]
      .filter(Boolean)
      .join(' · ');
  };
}

/** What a change made of what; of an anonymised customer only which things. */
function Changes({ entry: { changes, details } }: { entry: OrderHistory }) {
  const { t } = useTranslation();
  const words = useChangeWords();
  const told = words.told(changes);
  if (told.length === 0) {
    const { fields = [] } = (details ?? {}) as { fields?: string[] };
    return <span>{words.things(fields)}</span>;
  }
  return (
    <ul className="change-list">
      {told.map(({ field, before, after }) => (
        <li key={field}>
          {words.label(field)}:{' '}
          <s>
            <span className="sr-only">{t('order.change_before')} </span>
            {before}
          </s>{' '}
          <span aria-hidden>→ </span>
          {after}
        </li>
      ))}
    </ul>
  );
}

/** What an entry is called: one that nobody accepted was refused, and a provider has no terminal. */
function eventOf({ status, details }: OrderHistory, order: Order): string {
  if (status === 'archived' && !order.accepted_at) return 'refused';
  const online = status === 'payment_begun' && (details as Details | null | undefined)?.provider;
  return online ? 'payment_begun_online' : status;
}

/** Every change of state, payment and storno: what, when, who, from where. */
export function History({ order, entries }: { order: Order; entries: OrderHistory[] }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { by } = usePaymentWords();
  const words = useDetailWords();
  return (
    <ol className="order-history">
      {entries.map((entry, index) => {
        const who = by(entry.by, entry.surface);
        const details = words(entry.details);
        const what = eventOf(entry, order);
        return (
          <li key={`${entry.status}-${entry.at}-${index}`} data-status={entry.status}>
            <b>{t(`order.event_${what}`)}</b>
            {details && <span className="num order-history-details">{details}</span>}
            {entry.status === 'changed' && <Changes entry={entry} />}
            <span>
              <span className="num">{dateTime(entry.at)}</span>
              {who && ` · ${who}`}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
