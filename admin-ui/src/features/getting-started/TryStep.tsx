import { CheckCircleFilled, SendOutlined } from '@ant-design/icons';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { menuGet, ordersCreate, publicPaymentMethodsList } from '../../generated/client/public/public';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { IdempotencyKeys } from '../../lib/form/idempotency';
import { usePageUrl } from '../../lib/navigation';
import { here, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import type { StepProps } from './stepProps';
import { firstLine, methodOf, type Refusal, tryOrder, wayOf } from './tryOrder';

/**
 * An order that goes a guest's whole way and counts nowhere; where a guest would have been refused, it says
 * with what words.
 */
export function TryStep({ onSaved }: StepProps) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const restaurant = useRestaurant();
  const keys = useRef(new IdempotencyKeys());
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [problem, setProblem] = useState<string>();
  const [refusals, setRefusals] = useState<Refusal[]>();
  const [sent, setSent] = useState<{ counter?: string | null }>();
  const send = async () => {
    setSending(true);
    setError(undefined);
    setProblem(undefined);
    setRefusals(undefined);
    try {
      const way = wayOf(restaurant, Date.now());
      const [menu, methods] = await Promise.all([
        menuGet(...here(), { channel: 'online', pickup: way.pickup }),
        publicPaymentMethodsList(...here()),
      ]);
      const line = firstLine(menu, way.pickup ? 0 : Number(restaurant.min_order_price ?? 0));
      if (!line) return setProblem(t('guide.try_no_menu'));
      const guest = {
        first_name: t('guide.try_guest'),
        last_name: t('guide.try_guest_last'),
        message: t('guide.try_message'),
      };
      const body = tryOrder(restaurant, line, way, methodOf(methods, way.pickup), guest);
      const headers = { 'Idempotency-Key': keys.current.keyFor(body) };
      const order = await ordersCreate(...here(), body, undefined, { headers });
      keys.current.done();
      setSent(order);
      onSaved();
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'ORDER_NOT_ACCEPTABLE')
        setRefusals(failure.problem.reasons as Refusal[]);
      else setError(failure);
    } finally {
      setSending(false);
    }
  };
  return (
    <Card title={t('guide.try_title')}>
      {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
      <p className="setting-lead">{t('guide.try_text')}</p>
      <div role="status">
        {problem && <p className="guide-problem">{problem}</p>}
        {refusals && <Refusals refusals={refusals} />}
        {sent && !refusals && (
          <p className="guide-sent">
            <CheckCircleFilled className="guide-done" aria-hidden />{' '}
            {t('guide.try_sent', { counter: sent.counter ?? '' })}{' '}
            <Link to={url('fresh_orders')}>{t('guide.try_look')}</Link>
          </p>
        )}
      </div>
      <Button icon={<SendOutlined />} loading={sending} onClick={() => void send()}>
        {t(sent || refusals ? 'guide.try_again' : 'guide.try_send')}
      </Button>
    </Card>
  );
}

/** Reasons whose detail is an instant. */
const WHEN = new Set(['temp_no_orders', 'closed']);

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { t } = useTranslation();
  const { dateTime, money } = useFormat();
  const words = ({ reason, detail }: Refusal) => {
    const shown = !detail
      ? undefined
      : WHEN.has(reason)
        ? dateTime(detail)
        : reason === 'minimum_not_reached'
          ? money(detail)
          : detail;
    return t(
      `guide.reason_${reason}${shown && (WHEN.has(reason) || reason === 'minimum_not_reached') ? '_detail' : ''}`,
      { detail: shown },
    );
  };
  return (
    <div className="guide-problem">
      <p>{t('guide.try_refused')}</p>
      <ul>
        {refusals.map((refusal, at) => (
          <li key={at}>{words(refusal)}</li>
        ))}
      </ul>
    </div>
  );
}
