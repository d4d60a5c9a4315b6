import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { BookedPayment, BookedSince } from '../../generated/model';
import { formatMoney, useFormat } from '../../lib/format';
import { providerName } from '../../lib/paymentProviders';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Chip } from '../../lib/ui/page';
import { CopyButton } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { type Paused, useEndPause, usePaused } from './api';
import './pause.css';

/** Says that online payments wait after a restore, what providers have booked since, and lets them go on. */
export default function Pause() {
  const paused = usePaused();
  return paused ? <PauseAlert {...paused} /> : null;
}

function PauseAlert({ why, booked, asking, failed }: Paused) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return (
    <Alert
      className="page-alert payment-pause"
      type="warning"
      showIcon
      title={t('payment_pause.title')}
      description={
        <>
          <p>
            {t(`payment_pause.why.${why?.kind ?? 'unknown'}`, { at: dateTime(why?.since) })}{' '}
            {t('payment_pause.effect')}
          </p>
          {asking && <p role="status">{t('payment_pause.asking')}</p>}
          {failed && !asking && <p>{t('payment_pause.failed')}</p>}
          {booked?.map((one) => (
            <Booked key={one.provider} booked={one} />
          ))}
          {why?.may_end && <EndButton />}
        </>
      }
    />
  );
}

/** What a provider has booked since then. */
function Booked({ booked: { provider, can_tell, payments } }: { booked: BookedSince }) {
  const { t } = useTranslation();
  const name = providerName(provider);
  return (
    <section>
      <h2>{t('payment_pause.booked', { name })}</h2>
      {!can_tell ? (
        <p>{t('payment_pause.cannot_tell')}</p>
      ) : payments.length === 0 ? (
        <p>{t('payment_pause.nothing')}</p>
      ) : (
        <ul aria-label={t('payment_pause.booked', { name })}>
          {payments.map((payment) => (
            <Payment key={payment.reference} payment={payment} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Payment({ payment }: { payment: BookedPayment }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { reference, state, amount, refunded, currency, known } = payment;
  return (
    <li>
      <code>{reference}</code>
      <CopyButton text={reference} label={t('payment_pause.copy')} />
      <b className="num">{formatMoney(language, amount, currency)}</b>
      <span>{t([`payment_pause.state.${state}`, 'payment_pause.state.unknown'])}</span>
      {Number(refunded) > 0 && (
        <span className="num">
          {t('payment_pause.refunded', { amount: formatMoney(language, refunded, currency) })}
        </span>
      )}
      <Chip tone={known ? 'success' : 'error'}>
        {t(known ? 'payment_pause.known' : 'payment_pause.not_known')}
      </Chip>
    </li>
  );
}

function EndButton() {
  const { t } = useTranslation();
  const notify = useNotify();
  const end = useEndPause();
  const { busy, work } = useWork();
  const ask = async () => {
    const sure = await notify.confirm({
      title: t('payment_pause.end_ask'),
      effect: t('payment_pause.end_effect'),
      verb: t('payment_pause.end'),
    });
    if (!sure) return;
    await work(async () => {
      await end();
      notify.success(t('payment_pause.ended'));
    });
  };
  return (
    <Button danger loading={busy} onClick={() => void ask()}>
      {t('payment_pause.end')}
    </Button>
  );
}
