import { CheckCircleFilled, SendOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { menuGet, ordersCreate, publicPaymentMethodsList } from '../../generated/client/public/public';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { usePageUrl } from '../../lib/navigation';
import { orderName } from '../../lib/orderName';
import { here, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useGettingStarted } from './api';
import type { StepProps } from './stepProps';
import { firstLine, methodOf, type Refusal, tryOrder, wayOf } from './tryOrder';
import { Ways } from './Ways';

/**
 * An order that goes a guest's whole way and counts nowhere; where a guest would have been refused, it says
 * with what words.
 */
export function TryStep({ onSaved }: StepProps) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const restaurant = useRestaurant();
  const can = useCan();
  const { data: state } = useGettingStarted();
  const { busy, error, dismiss, work } = useInlineWork();
  const [noMenu, setNoMenu] = useState(false);
  const [sent, setSent] = useState<{ counter?: string | null }>();
  const refusals = refusalsOf(error);
  const send = () =>
    work(async (keyFor) => {
      setNoMenu(false);
      const way = wayOf(restaurant, Date.now());
      const [menu, methods] = await Promise.all([
        menuGet(...here(), { channel: 'online', pickup: way.pickup }),
        publicPaymentMethodsList(...here()),
      ]);
      const line = firstLine(menu, way.pickup ? 0 : Number(restaurant.min_order_price ?? 0));
      if (!line) return setNoMenu(true);
      const guest = {
        first_name: t('guide.try_guest'),
        last_name: t('guide.try_guest_last'),
        message: t('guide.try_message'),
      };
      const body = tryOrder(restaurant, line, way, methodOf(methods, way.pickup), guest);
      const headers = { 'Idempotency-Key': keyFor(body) };
      setSent(await ordersCreate(...here(), body, undefined, headers));
      onSaved();
    });
  return (
    <>
      <Card title={t('guide.try_title')}>
        {error !== undefined && !refusals && <ProblemAlert error={error} onClose={dismiss} />}
        <p className="setting-lead">{t('guide.try_text')}</p>
        <div role="status">
          {noMenu && <p className="guide-problem">{t('guide.try_no_menu')}</p>}
          {refusals && <Refusals refusals={refusals} />}
          {sent && !refusals && (
            <p className="guide-sent">
              <CheckCircleFilled className="guide-done" aria-hidden />{' '}
              {t('guide.try_sent', { order: orderName(t, sent.counter) })}{' '}
              <Link to={url('fresh_orders')}>{t('guide.try_look')}</Link>
            </p>
          )}
        </div>
        {can('fresh_order', 'order_accept', 'pos') ? (
          <Button icon={<SendOutlined />} loading={busy} onClick={() => void send()}>
            {t(sent || refusals ? 'guide.try_again' : 'guide.try_send')}
          </Button>
        ) : (
          <p className="setting-lead">{t('guide.try_no_right')}</p>
        )}
      </Card>
      {state && <Ways state={state} />}
    </>
  );
}

/** Why a guest would have been refused; undefined where the call failed in another way. */
const refusalsOf = (error: unknown): Refusal[] | undefined =>
  error instanceof ApiError && error.code === 'ORDER_NOT_ACCEPTABLE'
    ? (error.problem.reasons as Refusal[])
    : undefined;

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { t } = useTranslation();
  const { dateTime, money } = useFormat();
  // Opening hours are no reason: they do not hold for a test order.
  const detailOf: Partial<Record<string, (detail: string) => string>> = {
    temp_no_orders: dateTime,
    minimum_not_reached: money,
  };
  const words = ({ reason, detail }: Refusal) => {
    const shown = detail ? detailOf[reason]?.(detail) : undefined;
    return t(`guide.reason_${reason}${shown ? '_detail' : ''}`, { detail: shown });
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
