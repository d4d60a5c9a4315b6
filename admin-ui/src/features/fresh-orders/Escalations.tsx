import { AlertOutlined } from '@ant-design/icons';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { EscalatedOrder } from '../../generated/model';
import { useNow } from '../../lib/hooks';
import { useFormat } from '../../lib/format';
import { loadFeatureTexts } from '../../lib/i18n';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { useWaitingOrders } from '../../lib/waitingOrders';
import { Button } from '../../lib/ui/Button';
import { serverNow } from '../../lib/clock';
import { useOrderWords } from '../order/parts';
import { useBell } from './alarm/useBell';
import { useOrderSettings } from './settings';
import './escalations.css';

/** Ages are looked at so often. ms */
const TICK_MS = 10_000;
/** So many orders are named; the rest are counted. */
const NAMED = 5;

/**
 * On every screen but the board: orders that nobody accepts, with the bell, until somebody does. The shell shows
 * it above the page.
 */
export default function Escalations() {
  const { i18n } = useTranslation();
  const { feature } = usePage();
  const waiting = useWaitingOrders();
  const [ready, setReady] = useState(false);
  useEffect(
    () =>
      void Promise.all(['fresh-orders', 'order'].map((name) => loadFeatureTexts(name))).then(
        () => setReady(true),
        () => undefined,
      ),
    [i18n.language],
  );
  const shown = ready && feature?.key !== 'fresh_orders' && waiting && waiting.escalated.length > 0;
  return shown ? <EscalationStrip orders={waiting.escalated} total={waiting.escalated_total} /> : null;
}

interface StripProps {
  /** Those that wait longest. */
  orders: readonly EscalatedOrder[];
  /** How many there are in all. */
  total: number;
}

export function EscalationStrip({ orders, total }: StripProps) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const { number } = useFormat();
  const url = usePageUrl();
  const [settings] = useOrderSettings();
  const restaurant = useRestaurant().id;
  useNow(TICK_MS);
  const ids = orders.map((order) => `${order.order_id} ${order.escalation_level}`).join(',');
  // What reaches the next level rings at once again.
  const waiting = useMemo(() => new Set(ids.split(',')), [ids]);
  useBell({ waiting, on: settings.sound, volume: settings.volume, restaurant });
  const { name } = words;
  const named = orders.slice(0, NAMED);
  const more = total > named.length ? t('fresh.and_more', { number: number(total - named.length) }) : '';
  return (
    <section className="escalations" aria-label={t('fresh.escalated')}>
      <AlertOutlined aria-hidden />
      {/* Without the minutes, so that it is said again only when the orders are others. */}
      <div className="sr-only" role="alert">
        {t('fresh.escalated')}: {[...named.map(name), ...(more ? [more] : [])].join(', ')}
      </div>
      <div className="escalations-text">
        <b>{t('fresh.escalated')}</b>
        <ul>
          {named.map((order) => (
            <li key={order.order_id}>
              <Link className="num" to={url('order_page', order.order_id)}>
                {name(order)} · {words.age(order.waiting_since, serverNow())}
              </Link>
            </li>
          ))}
          {more && <li>{more}</li>}
        </ul>
      </div>
      <Link to={url('fresh_orders')}>
        <Button danger tabIndex={-1}>
          {t('fresh.escalated_open')}
        </Button>
      </Link>
    </section>
  );
}
