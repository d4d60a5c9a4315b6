import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useRestaurant } from '../../lib/target';
import type { Order } from './model';
import { useOrderWords, WhoAndWhere } from './parts';
import { duration } from './times';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Guest, address, times. */
export function Facts({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { dateTime, money } = useFormat();
  const words = useOrderWords();
  const { primary_language } = useRestaurant();
  return (
    <>
      <WhoAndWhere order={order} />
      <dl className="order-facts">
        {order.expected_at && (
          <Fact label={order.is_preorder ? t('order.wanted_for') : t('order.promised_for')}>
            <b className="num">{words.window(order.expected_at)}</b>
          </Fact>
        )}
        <Fact label={t('order.created_at')}>
          <span className="num">{dateTime(order.created_at)}</span>
        </Fact>
        {order.accepted_at && (
          <Fact label={t('order.accepted_at')}>
            <span className="num">{dateTime(order.accepted_at)}</span>
            {order.delivery_time_minute
              ? ` (${t('order.minutes', { minutes: order.delivery_time_minute })})`
              : ''}
          </Fact>
        )}
        {order.accept_seconds != null && (
          <Fact label={t(order.accept_seconds < 3600 ? 'order.accept_time' : 'order.accept_time_hours')}>
            <span className="num">{duration(order.accept_seconds)}</span>
          </Fact>
        )}
        {order.escalated_at && (
          <Fact label={t('order.escalation_level')}>
            {t('order.escalation_at', {
              level: t(`order.escalation_${order.escalation_level}`),
              at: dateTime(order.escalated_at),
            })}
          </Fact>
        )}
        {order.closed_at && (
          <Fact label={t('order.closed_at')}>
            <span className="num">{dateTime(order.closed_at)}</span>
          </Fact>
        )}
        {order.courier_name && (
          <Fact label={t('order.courier')}>
            {order.courier_name}
            {order.courier_price != null &&
              ` (${t('order.courier_price', { amount: money(order.courier_price) })})`}
          </Fact>
        )}
        {order.delivery_chosen_by_name && (
          <Fact label={t('order.region_chosen_by')}>
            {[order.delivery_chosen_by_name, order.delivery_override_reason].filter(Boolean).join(': ')}
          </Fact>
        )}
        {order.email && (
          <Fact label={t('order.email')}>
            <a className="fact-link" href={`mailto:${order.email}`}>
              {order.email}
            </a>
          </Fact>
        )}
        {(order.locale === 'hu' || order.locale === 'en') && order.locale !== primary_language && (
          <Fact label={t('order.language')}>{t(`language.${order.locale}`)}</Fact>
        )}
        {order.external_id && (
          <Fact label={t('order.external_id')}>
            <code>{order.external_id}</code>
          </Fact>
        )}
      </dl>
    </>
  );
}
