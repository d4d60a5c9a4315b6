import { useTranslation } from 'react-i18next';
import type { Payment, PaymentEvent } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { providerName } from '../../lib/paymentProviders';
import { faultOf, isOnline, lineKey } from './model';
import { useMoneyOf } from './parts';

interface Props {
  payment: Payment;
  lines: readonly PaymentEvent[];
}

/** What was said about a payment, oldest first. */
export function Conversation({ payment, lines }: Props) {
  return (
    <ol className="payments-talk">
      {lines.map((line, index) => (
        // Lines are only ever added at the end.
        <Line key={index} payment={payment} line={line} />
      ))}
    </ol>
  );
}

function Line({ payment, line }: { payment: Payment; line: PaymentEvent }) {
  const { t } = useTranslation();
  const { exactTime } = useFormat();
  const details = useDetails(payment)(line);
  const failed = line.state === 'failed' || line.state === 'unknown';
  return (
    <li data-failed={failed}>
      <time className="num" dateTime={line.at}>
        {exactTime(line.at)}
      </time>
      <span className="payments-who">{useWho(payment)(line)}</span>
      <b>
        {t([`payments.said.${lineKey(line, isOnline(payment))}`, 'payments.said.other'], {
          state: line.state,
        })}
      </b>
      {details && <span>{details}</span>}
    </li>
  );
}

/** Who spoke. */
function useWho({ provider, kind }: Payment): (line: PaymentEvent) => string {
  const { t } = useTranslation();
  const name = providerName(provider ?? '');
  return ({ source, actor_name, state }) => {
    if (source === 'person') {
      if (actor_name) return actor_name;
      // The guest begins what is paid online; of what was said later the line does not tell who said it.
      return t(kind === 'online' && state === 'created' ? 'payments.who.guest' : 'payments.who.person');
    }
    return t([`payments.who.${source}`, 'payments.who.other'], { name });
  };
}

/** Amounts, reasons and codes of a line. */
function useDetails(payment: Payment): (line: PaymentEvent) => string {
  const { t } = useTranslation();
  const money = useMoneyOf(payment);
  return ({ amount, refunded, fee, reason, reference, provider_state, error }) => {
    const { fault, code } = error ? faultOf(error) : {};
    return [
      amount != null && money(amount),
      Number(refunded ?? 0) > 0 && t('payments.said_refunded', { amount: money(refunded) }),
      fee != null && t('payments.said_fee', { amount: money(fee) }),
      fault && t(`payments.call_fault.${fault}`),
      code && t('payments.said_code', { code }),
      reason,
      provider_state && provider_state !== 'not found' && t('payments.said_word', { word: provider_state }),
      reference && t('payments.said_reference', { reference }),
    ]
      .filter(Boolean)
      .join(' · ');
  };
}
