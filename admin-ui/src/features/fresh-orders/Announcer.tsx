import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useFormat } from '../../lib/format';
import type { OrderEvent } from '../../generated/model';
import { loadFeatureTexts } from '../../lib/i18n';
import { useLiveEvent } from '../../lib/live';
import { usePage, usePageUrl } from '../../lib/navigation';
import { session } from '../../lib/session';
import { useRestaurant } from '../../lib/target';
import { readOrder } from '../order/api';
import type { OrderRow } from '../order/model';
import { useOrderWords } from '../order/parts';
import { bell } from './alarm/bell';
import { useAlerts } from './alarm/useAlerts';
import { isCall } from './board';
import type { EarlyOrders } from './early';
import { useOrderSettings } from './settings';
import { orderName } from '../../lib/orderName';

/** How long a notification without sound is shown. s */
const NOTICE_S = 6;

/**
 * Announces new orders while another screen is open: popup, title, and the bell once. The shell mounts it. It
 * is silent on the screen of fresh orders, which announces them itself. A preorder is announced when it is
 * due.
 */
export default function OrderAnnouncer({ early }: { early: EarlyOrders }) {
  const { i18n } = useTranslation();
  const [ready, setReady] = useState(false);
  useEffect(
    () =>
      void Promise.all(['fresh-orders', 'order'].map((feature) => loadFeatureTexts(feature))).then(
        () => setReady(true),
        () => undefined,
      ),
    [i18n.language],
  );
  // After those below, each of which hears them.
  useEffect(() => {
    if (ready) early.end();
  }, [ready, early]);
  const { feature } = usePage();
  if (!ready) return null;
  const board = feature?.key === 'fresh_orders';
  return (
    <>
      {!board && <Announcer early={early} />}
      <Preorders board={board} early={early} />
    </>
  );
}

function useOrderEvents(early: EarlyOrders, hear: (event: OrderEvent) => void): void {
  useLiveEvent('TASK_ORDERS_RELOAD', hear);
  const latest = useRef(hear);
  useEffect(() => early.each(latest.current), [early]);
}

/** Whether an order is seen for the first time: after a reconnection the same event may come twice. */
function useFirstTime(): (id: string) => boolean {
  const announced = useRef(new Set<string>());
  return (id) => !announced.current.has(id) && Boolean(announced.current.add(id));
}

/** Whoever took an order on the phone has just been told its number. */
const isOwn = ({ platform, admin_id }: OrderRow) =>
  platform === 'phone' && session.latest()?.targets.some((one) => one.admin_id && one.admin_id === admin_id);

function useSummary(): (order: OrderRow) => string {
  const { money } = useFormat();
  const words = useOrderWords();
  return (order) => [words.name(order), words.who(order), money(order.total_price)].join(' · ');
}

function Announcer({ early }: { early: EarlyOrders }) {
  const { t } = useTranslation();
  const summary = useSummary();
  const navigate = useNavigate();
  const url = usePageUrl();
  const [settings] = useOrderSettings();
  const { id } = useRestaurant();
  const { announceAll, spoken } = useAlerts({
    popup: settings.popup,
    onOpen: () => void navigate(url('fresh_orders')),
  });
  const once = useFirstTime();
  useEffect(() => {
    if (settings.sound) bell.start();
  }, [settings.sound]);
  useOrderEvents(early, (event) => {
    if (!isCall(event) || !once(event.order_id)) return;
    if (settings.sound) ringOnce(id, settings.volume);
    const announce = (text: string) => announceAll([{ id: event.order_id, text }]);
    // Without its data the order is announced by its number alone.
    void readOrder(event.order_id).then(
      (order) => void (isOwn(order) || announce(summary(order))),
      () => announce(event.counter ? orderName(t, event.counter) : t('fresh.new_one')),
    );
  });
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {spoken}
    </div>
  );
}

/**
 * What the board does not show by itself: that a preorder came, and that one is due which was accepted
 * before.
 */
function Preorders({ board, early }: { board: boolean; early: EarlyOrders }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const summary = useSummary();
  const words = useOrderWords();
  const [settings] = useOrderSettings();
  const { id } = useRestaurant();
  const once = useFirstTime();
  useOrderEvents(early, ({ order_id, change, status, due }) => {
    const arrived = change === 'created' && due === false;
    const begin = board && change === 'due' && status === 'processed';
    if ((!arrived && !begin) || !once(`${order_id} ${change}`)) return;
    if (begin && settings.sound) ringOnce(id, settings.volume);
    void readOrder(order_id).then(
      (order) =>
        message.info({
          content: t(arrived ? 'fresh.preorder_came' : 'fresh.preorder_due', {
            order: summary(order),
            time: order.expected_at ? words.window(order.expected_at) : '',
          }),
          duration: NOTICE_S,
        }),
      () => undefined,
    );
  });
  return null;
}

/**
 * One tab of the browser: the one with the lock of the restaurant's bell, unless the screen of fresh orders
 * has it.
 */
function ringOnce(restaurant: string, volume: number): void {
  if (!navigator.locks) return bell.ring(volume);
  const RING_MS = 2500;
  void navigator.locks.request(`pult-bell-${restaurant}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    bell.ring(volume);
    await new Promise((done) => setTimeout(done, RING_MS));
  });
}
