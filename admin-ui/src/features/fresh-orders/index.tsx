import {
  ArrowUpOutlined,
  BellOutlined,
  CheckCircleOutlined,
  ControlOutlined,
  MutedOutlined,
  SoundOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { Tooltip } from 'antd';
import { type ReactElement, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { loadFeatureTexts } from '../../lib/i18n';
import { useNow } from '../../lib/hooks';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card as Box, PageHeader } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading } from '../../lib/ui/states';
import { useDefaultMinutes } from '../order/AcceptButtons';
import { serverNow } from '../order/api';
import { ArchiveDialog } from '../order/ArchiveDialog';
import {
  ACCEPT_MINUTES,
  canAccept,
  canArchive,
  canPrepare,
  canTakeBack,
  isUnaccepted,
  type Order,
} from '../order/model';
import { useOrderWords } from '../order/parts';
import { dueTone, waitingTone } from '../order/times';
import { usePrint } from '../order/usePrint';
import { useOrderActions } from '../order/useOrderActions';
import { bell } from './alarm/bell';
import { useAlerts } from './alarm/useAlerts';
import { useBell, useBellState } from './alarm/useBell';
import { useWakeLock } from './alarm/useWakeLock';
import { Card } from './Card';
import { useCardKeys } from './keyboard';
import { SettingsDrawer } from './SettingsDrawer';
import { SosBanner, SosButton } from './SosClose';
import { useSettling } from './settle';
import { useOrderSettings } from './settings';
import { useMasonry } from './useMasonry';
import { useFreshOrders } from './useFreshOrders';
import { later } from '../../lib/later';
import './fresh.css';

// Only who sets the restaurant up loads it, and nobody once all is there.
const GettingStarted = later(
  async () =>
    (await Promise.all([import('../getting-started/Reminder'), loadFeatureTexts('getting-started')]))[0],
  'quiet',
);

/** Scrolled further than this, new orders wait behind a bar. px */
const SCROLLED = 160;
/** A card that just came is marked this long. ms */
const FRESH_MS = 6000;
const TICK_MS = 5000;

/** Fresh orders: who waits, who is accepted, live. */
export default function FreshOrders() {
  const { t } = useTranslation();
  const { money } = useFormat();
  const restaurant = useRestaurant();
  const can = useCan();
  const navigate = useNavigate();
  const url = usePageUrl();
  const words = useOrderWords();
  const print = usePrint();
  const defaultMinutes = useDefaultMinutes();
  const [settings, change] = useOrderSettings();
  const [showSettings, setShowSettings] = useState(false);
  const [archiving, setArchiving] = useState<Order>();
  const [menuOpen, setMenuOpen] = useState(false);
  const [justCame, setJustCame] = useState<ReadonlySet<string>>(new Set());
  const scrolled = useScrolled(SCROLLED);
  const boardRef = useRef<HTMLDivElement>(null);
  useNow(TICK_MS);
  const now = serverNow();
  useWakeLock();

  const toCard = useRef<string>(undefined);
  const show = useRef<(id: string) => void>(() => undefined);
  // The cards themselves speak here: nothing covers what one is about to tap.
  const { tell, spoken } = useAlerts({ popup: false, onOpen: (id) => show.current(id) });
  const orders = useFreshOrders({
    holding: scrolled || menuOpen || archiving !== undefined,
    onArrivals: (arrivals) => {
      setJustCame(new Set(arrivals.map((order) => order.id)));
      tell(
        arrivals.map((order) => ({
          id: order.id,
          text: [words.name(order), words.who(order), money(order.total_price)].join(' · '),
        })),
      );
    },
  });
  const { unaccepted, accepted, waiting, heldCount, put, reload, loadNew } = orders;
  const actions = useOrderActions(reload, put);
  useBell({ waiting, on: settings.sound, volume: settings.volume, restaurant: restaurant.id });

  useEffect(() => {
    if (justCame.size === 0) return;
    const timer = setTimeout(() => setJustCame(new Set()), FRESH_MS);
    return () => clearTimeout(timer);
  }, [justCame]);

  const all = useMemo(() => [...unaccepted, ...accepted], [unaccepted, accepted]);
  const find = useCallback((id: string) => all.find((order) => order.id === id), [all]);

  useSettling(boardRef, all);
  // The focus follows the work: after a card went away, the next one has it.
  useEffect(() => {
    const id = toCard.current;
    const card = id && boardRef.current?.querySelector<HTMLElement>(`[data-order="${CSS.escape(id)}"]`);
    if (!card) return;
    toCard.current = undefined;
    card.focus({ preventScroll: false });
  }, [all]);

  show.current = (id) => {
    loadNew();
    scrollTo({ top: 0 });
    toCard.current = id;
    boardRef.current?.querySelector<HTMLElement>(`[data-order="${CSS.escape(id)}"]`)?.focus();
  };

  const mayAccept = can('order_accept');
  const mayArchive = can('order_storno');
  const opensByAccepting = (order: Order) =>
    Boolean(restaurant.order_accept_on_open) && mayAccept && isUnaccepted(order) && canAccept(order);

  const accept = async (order: Order, minutes: number | undefined) => {
    const at = unaccepted.findIndex((other) => other.id === order.id);
    const hadFocus = document.activeElement?.closest<HTMLElement>('[data-order]')?.dataset.order === order.id;
    const done = await actions.accept(order, minutes);
    if (done && hadFocus) toCard.current = (unaccepted[at + 1] ?? unaccepted[at - 1] ?? order).id;
    return done;
  };
  const open = async (order: Order) => {
    if (opensByAccepting(order) && !(await actions.accept(order, defaultMinutes(order)))) return;
    void navigate(url('order_page', order.id));
  };
  // Handlers of the memoised cards stay the same functions and see what is current.
  const latest = useRef({ accept, open, prepare: actions.prepare, takeBack: actions.takeBack });
  latest.current = { accept, open, prepare: actions.prepare, takeBack: actions.takeBack };
  const onOpen = useCallback((order: Order) => void latest.current.open(order), []);
  const onPrepare = useCallback((order: Order) => void latest.current.prepare(order), []);
  const onTakeBack = useCallback((order: Order) => void latest.current.takeBack(order), []);
  const onAccept = useCallback(
    (order: Order, minutes: number | undefined) => void latest.current.accept(order, minutes),
    [],
  );

  const onKeyDown = useCardKeys(
    boardRef,
    find,
    {
      open: onOpen,
      accept: (order, choice) => {
        if (mayAccept && canAccept(order))
          onAccept(
            order,
            order.is_preorder || choice === undefined ? defaultMinutes(order) : ACCEPT_MINUTES[choice],
          );
      },
      archive: (order) => mayArchive && canArchive(order) && setArchiving(order),
      print: (order) => print('kitchen', order),
    },
    settings.keys,
  );

  const card = (order: Order) => (
    <Card
      key={order.id}
      order={order}
      tone={isUnaccepted(order) ? waitingTone(order.show_at, now) : dueTone(order.expected_at, now)}
      busy={actions.busy(order.id)}
      fresh={justCame.has(order.id)}
      counterFirst={settings.counter}
      mayAccept={mayAccept && canAccept(order)}
      mayPrepare={mayAccept && canPrepare(order)}
      mayTakeBack={mayAccept && canTakeBack(order)}
      mayArchive={mayArchive && canArchive(order)}
      opensByAccepting={opensByAccepting(order)}
      onOpen={onOpen}
      onAccept={onAccept}
      onPrepare={onPrepare}
      onTakeBack={onTakeBack}
      onArchive={setArchiving}
      onMenu={setMenuOpen}
    />
  );
  const more = orders.total > orders.loaded;

  return (
    <div className="fresh">
      <PageHeader
        actions={
          <>
            <SoundSwitch on={settings.sound} onChange={(sound) => change({ sound })} />
            <Tooltip title={t('fresh.settings')}>
              <Button
                icon={<ControlOutlined />}
                aria-label={t('fresh.settings')}
                onClick={() => setShowSettings(true)}
              />
            </Tooltip>
            <SosButton />
          </>
        }
      />
      {can('restaurant_general') && (
        <Suspense>
          <GettingStarted />
        </Suspense>
      )}
      <SosBanner />
      <SoundStrip wanted={settings.sound} onOff={() => change({ sound: false })} volume={settings.volume} />
      {orders.failed && !orders.loading && orders.loaded > 0 && (
        <div className="fresh-strip fresh-strip-warning" role="status">
          <WarningOutlined aria-hidden />
          <div>{t('fresh.stale')}</div>
          <Button onClick={() => void reload()}>{t('action.retry')}</Button>
        </div>
      )}
      {heldCount > 0 && (
        <div className="fresh-new">
          <Button
            type="primary"
            shape="round"
            icon={<ArrowUpOutlined />}
            onClick={() => {
              loadNew();
              scrollTo({ top: 0 });
            }}
          >
            {heldCount === 1 ? t('fresh.load_one') : t('fresh.load_many', { number: heldCount })}
          </Button>
        </div>
      )}
      <div className="sr-only" role="status" aria-live="polite">
        {spoken}
      </div>

      {orders.loading ? (
        <Box>
          <Loading rows={8} />
        </Box>
      ) : orders.failed && orders.loaded === 0 ? (
        <Box>
          <ErrorState error={orders.error} onRetry={() => void reload()} />
        </Box>
      ) : orders.empty ? (
        <Box>
          <EmptyState
            icon={<BellOutlined />}
            title={t('fresh.empty')}
            text={t('fresh.empty_text')}
            actions={
              <Button
                icon={<SoundOutlined />}
                onClick={() => void bell.unlock().then((ready) => ready && bell.ring(settings.volume))}
              >
                {t('fresh.test_sound')}
              </Button>
            }
          />
        </Box>
      ) : (
        <div ref={boardRef} onKeyDown={onKeyDown}>
          <section className="fresh-list" aria-labelledby="fresh-unaccepted">
            <h2 id="fresh-unaccepted">
              {t('fresh.unaccepted')}{' '}
              <span className="fresh-count" data-attention={unaccepted.length > 0}>
                {unaccepted.length}
              </span>
            </h2>
            {unaccepted.length > 0 ? (
              <Cards>{unaccepted.map(card)}</Cards>
            ) : (
              <p className="fresh-done">
                <CheckCircleOutlined aria-hidden /> {t('fresh.all_accepted')}
              </p>
            )}
          </section>
          {accepted.length > 0 && (
            <section className="fresh-list" aria-labelledby="fresh-accepted">
              <h2 id="fresh-accepted">
                {t('fresh.accepted')}{' '}
                <span className="fresh-count">
                  {accepted.length}
                  {more && '+'}
                </span>
              </h2>
              <Cards>{accepted.map(card)}</Cards>
            </section>
          )}
          {more && (
            <div className="fresh-more">
              <Button size="large" loading={orders.fetching} onClick={orders.loadMore}>
                {t('fresh.load_more')}
              </Button>
              <span>{t('fresh.loaded', { loaded: orders.loaded, total: orders.total })}</span>
            </div>
          )}
        </div>
      )}
      {showSettings && (
        <SettingsDrawer settings={settings} change={change} onClose={() => setShowSettings(false)} />
      )}
      {archiving && (
        <ArchiveDialog
          order={find(archiving.id) ?? archiving}
          actions={actions}
          onClose={() => setArchiving(undefined)}
        />
      )}
    </div>
  );
}

function Cards({ children }: { children: ReactElement[] }) {
  const list = useRef<HTMLUListElement>(null);
  useMasonry(list, children.map((child) => child.key).join());
  return (
    <ul className="fresh-cards" ref={list}>
      {children.map((child) => (
        <li key={child.key}>{child}</li>
      ))}
    </ul>
  );
}

/** The quick switch beside the settings. Its text is the state, so it is not pressed besides. */
function SoundSwitch({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Button
      className="fresh-sound"
      icon={on ? <SoundOutlined /> : <MutedOutlined />}
      onClick={() => onChange(!on)}
    >
      {on ? t('fresh.sound_on') : t('fresh.sound_off')}
    </Button>
  );
}

/** Until somebody has touched the page, most browsers keep it silent. */
function SoundStrip({ wanted, onOff, volume }: { wanted: boolean; onOff: () => void; volume: number }) {
  const { t } = useTranslation();
  const state = useBellState();
  if (!wanted || state !== 'blocked') return null;
  return (
    <div className="fresh-strip fresh-strip-warning" role="status">
      <MutedOutlined aria-hidden />
      <div>{t('fresh.blocked')}</div>
      <Button
        type="primary"
        icon={<SoundOutlined />}
        onClick={() => void bell.unlock().then((ready) => ready && bell.ring(volume))}
      >
        {t('fresh.turn_on')}
      </Button>
      <Button type="text" onClick={onOff}>
        {t('fresh.stay_silent')}
      </Button>
    </div>
  );
}

function useScrolled(px: number): boolean {
  const [scrolled, setScrolled] = useState(() => scrollY > px);
  useEffect(() => {
    const look = () => setScrolled(scrollY > px);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [px]);
  return scrolled;
}
