import { CloudSyncOutlined } from '@ant-design/icons';
import { type MouseEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation } from 'react-router';
import { EarlyOrders } from '../features/fresh-orders/early';
import { useCan } from '../lib/access';
import { useFormat } from '../lib/format';
import { useHotkey, useMedia, useNarrow, useStanding } from '../lib/hooks';
import { liveSocket, useLiveEvent, useLiveStatus } from '../lib/live';
import { usePageUrl } from '../lib/navigation';
import { useOwn } from '../lib/pin/own';
import { useRestaurantIfAny } from '../lib/target';
import { useWaitingOrders } from '../lib/waitingOrders';
import { Button } from '../lib/ui/Button';
import { fetchAhead } from './ahead';
import { clientConfig } from './config';
import { AccountAlarm } from './AccountAlarm';
import { SideMenu } from './SideMenu';
import { SupportStrip } from './SupportStrip';
import { TopBar } from './TopBar';
import { later } from '../lib/later';
import { collectTyped } from '../lib/typeAhead';

const GoTo = later(() => import('./GoTo'), 'over');
const Shortcuts = later(() => import('./Shortcuts'), 'over');
const Notices = later(() => import('./Notices'), 'quiet');
const Escalations = later(() => import('../features/fresh-orders/Escalations'), 'quiet');
const OrderAnnouncer = later(() => import('../features/fresh-orders/Announcer'), 'quiet');
const KEY = 'pult.menu';

/**
 * Skips the menu and moves to the page. The address does not change, because the router would not know the
 * entry in the history.
 */
const skip = (event: MouseEvent) => {
  event.preventDefault();
  document.getElementById('main')?.focus();
};

/** Side menu, top bar, page. */
export function Shell({ onSignOut }: { onSignOut: () => void }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const can = useCan();
  const inside = useRestaurantIfAny() !== undefined;
  // Between 768 and 992 px the menu begins as a rail of icons; above, it is as it was left.
  const roomy = useMedia('(min-width: 992px)');
  const [chosen, setChosen] = useState(() => localStorage.getItem(KEY) !== 'rail');
  const [widened, setWidened] = useState(false);
  const wide = roomy ? chosen : widened;
  const [overlay, setOverlay] = useState(false);
  const [goTo, setGoTo] = useState(false);
  const [shortcuts, setShortcuts] = useState(false);
  const { pathname } = useLocation();
  const standing = useStanding();

  const toggle = () => {
    if (narrow) return setOverlay((open) => !open);
    if (!roomy) return setWidened(!widened);
    localStorage.setItem(KEY, chosen ? 'rail' : 'wide');
    setChosen(!chosen);
  };
  useHotkey('ctrl+b', toggle);
  const openGoTo = () => {
    if (!goTo) collectTyped();
    setGoTo(true);
  };
  useHotkey('ctrl+k', openGoTo);
  useHotkey('?', () => setShortcuts(true));
  useHotkey('escape', () => setOverlay(false), overlay);
  useEffect(() => setOverlay(false), [pathname, narrow]);

  return (
    <div className="shell" data-menu={narrow ? (overlay ? 'overlay' : 'none') : wide ? 'wide' : 'rail'}>
      <a className="skip-link" href="#main" onClick={skip}>
        {t('shell.skip')}
      </a>
      <Strips />
      <SideMenu rail={!narrow && !wide} hidden={narrow && !overlay} onClose={() => setOverlay(false)} />
      {narrow && overlay && (
        <button
          type="button"
          className="shell-shade"
          aria-label={t('shell.close_menu')}
          onClick={() => setOverlay(false)}
        />
      )}
      <div className="shell-body" inert={narrow && overlay}>
        <TopBar
          standing={standing}
          onMenu={toggle}
          onGoTo={openGoTo}
          onShortcuts={() => setShortcuts(true)}
          onSignOut={onSignOut}
        />
        {inside && <OfflineBanner />}
        {inside && standing && <Alerts />}
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {goTo && <GoTo onClose={() => setGoTo(false)} />}
      {inside && can('fresh_order') && <Orders standing={standing} />}
      {standing && <Notices />}
      {inside && <AccountAlarm />}
      {shortcuts && <Shortcuts onClose={() => setShortcuts(false)} />}
    </div>
  );
}

/**
 * Loads the code of the board ahead; again after a lost connection, for what was missing. New orders are
 * announced once the page stands, also those that came before.
 */
function Orders({ standing }: { standing: boolean }) {
  useEffect(fetchAhead, []);
  useLiveEvent('live', fetchAhead);
  const [early] = useState(() => new EarlyOrders());
  useLiveEvent('TASK_ORDERS_RELOAD', (event) => early.note(event));
  return standing && <OrderAnnouncer early={early} />;
}

/** Strips that must be visible everywhere: a development installation, and a support access. */
function Strips() {
  const { t } = useTranslation();
  const config = useSyncExternalStore(clientConfig.subscribe, clientConfig.get);
  return (
    <aside className="shell-strips" aria-label={t('shell.strips')}>
      {config?.development && <div className="strip strip-dev">{t('shell.development')}</div>}
      <SupportStrip />
      <GivenPin />
    </aside>
  );
}

/** Asks whoever got the PIN of this partner from somebody else to change it. */
function GivenPin() {
  const { t } = useTranslation();
  const url = usePageUrl();
  if (!useOwn()?.pin_given) return null;
  return (
    <div className="strip strip-pin">
      {t('pin.given')} <Link to={`${url('my_account')}#pin`}>{t('pin.change_here')}</Link>
    </div>
  );
}

/** Orders that nobody accepts; who may not read orders hears of none. */
function Alerts() {
  const waiting = useWaitingOrders();
  return waiting && waiting.escalated.length > 0 ? <Escalations /> : null;
}

/** Over 10 s without the socket: what still works. */
function OfflineBanner() {
  const { t } = useTranslation();
  const { time } = useFormat();
  const status = useLiveStatus();
  if (status.state !== 'offline') return null;
  const since = time(new Date(status.since));
  return (
    <div className="offline" role="status">
      <CloudSyncOutlined aria-hidden />
      <span>{t('shell.offline', { since })}</span>
      <Button size="small" onClick={() => liveSocket.get()?.retry()}>
        {t('action.retry')}
      </Button>
    </div>
  );
}
