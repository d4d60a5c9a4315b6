import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { loadFeatureTexts } from '../../lib/i18n';
import { useLiveEvent } from '../../lib/live';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { bell } from './alarm/bell';
import { useAlerts } from './alarm/useAlerts';
import { useOrderSettings } from './settings';

/**
 * Tells of new orders while another screen is open: popup, title, and the bell once. Mounted by the shell; on the
 * fresh orders it is silent, they speak for themselves.
 */
export default function OrderAnnouncer() {
  const { i18n } = useTranslation();
  const [ready, setReady] = useState(false);
  useEffect(() => void loadFeatureTexts('fresh-orders').then(() => setReady(true)), [i18n.language]);
  const { feature } = usePage();
  return ready && feature?.key !== 'fresh_orders' ? <Announcer /> : null;
}

function Announcer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const url = usePageUrl();
  const [settings] = useOrderSettings();
  const { id } = useRestaurant();
  const { tell, spoken } = useAlerts({ popup: settings.popup, onOpen: () => void navigate(url('fresh_orders')) });
  const heard = useRef(new Set<string>());
  useEffect(() => {
    if (settings.sound) bell.start();
  }, [settings.sound]);
  useLiveEvent('TASK_ORDERS_RELOAD', ({ order_id, counter, change }) => {
    // After a cut the same event may come twice.
    if (change !== 'created' || heard.current.has(order_id)) return;
    heard.current.add(order_id);
    tell([{ id: order_id, text: counter ?? t('fresh.new_one') }]);
    if (settings.sound) ringOnce(id, settings.volume);
  });
  return <div className="sr-only" role="status" aria-live="polite">{spoken}</div>;
}

/** One tab of the browser: whoever gets the lock of the restaurant's bell, unless the fresh orders have it. */
function ringOnce(restaurant: string, volume: number): void {
  if (!navigator.locks) return bell.ring(volume);
  const RING_MS = 2500;
  void navigator.locks.request(`pult-bell-${restaurant}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    bell.ring(volume);
    await new Promise((done) => setTimeout(done, RING_MS));
  });
}
