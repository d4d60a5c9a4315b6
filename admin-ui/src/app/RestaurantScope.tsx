import { useForget } from '../lib/query';
import { Button } from '../lib/ui/Button';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { restaurantsGet } from '../generated/client/restaurants/restaurants';
import { meChooseTarget, meGet } from '../generated/client/session/session';
import type { Restaurant } from '../generated/model';
import { ApiError } from '../lib/http';
import { LiveSocket, liveSocket, useLiveEvent } from '../lib/live';
import { findRestaurant, loadRestaurants } from '../lib/restaurants';
import { useMe } from '../lib/me';
import { whenIdle } from '../lib/reach';
import { loginAddress } from '../features/public/pages';
import { session } from '../lib/session';
import { supportOf } from '../lib/support/api';
import { lastTarget, RestaurantContext, RestaurantUpdate, setTarget } from '../lib/target';
import { suspendGuards } from '../lib/form/unsaved';
import { ErrorState, Loading } from '../lib/ui/states';
import { useWaitingReload } from '../lib/waitingOrders';
import { socketUrl } from './config';
import { NoRestaurant } from './NotFound';
import { Providers } from './Providers';
import { Shell } from './Shell';
import { readAccount, signedOutBy } from './shutOut';
import { signOut } from './signOut';
import { later } from '../lib/later';

const SupportRequired = later(() => import('./SupportRequired'), 'page');

/** The partner of a restaurant id: the last choice, the only partner, or a look into the lists. */
async function partnerOf(restaurant: string): Promise<string | undefined> {
  const me = session.get();
  const last = [lastTarget.read(), me?.last_target].find((target) => target?.restaurant_id === restaurant);
  if (last) return last.partner_id;
  const partners = new Set(me?.targets.map((t) => t.partner_id));
  if (!me?.super_admin && partners.size === 1) return [...partners][0];
  return (
    me?.super_admin
      ? await findRestaurant(restaurant)
      : (await loadRestaurants()).find((r) => r.id === restaurant)
  )?.partner_id;
}

const read = (partner: string, restaurant: string): Promise<Restaurant> =>
  // A 401 here ends the session instead of asking again.
  restaurantsGet(partner, restaurant, { quiet401: true });

type State = { restaurant?: Restaurant; error?: unknown; missing?: boolean; support?: string };

/**
 * Everything below `/r/{restaurant}`: finds and loads the restaurant, opens its socket, and gives Refine a
 * cache of its own, so that nothing of one restaurant can appear in another.
 */
export function RestaurantScope() {
  const { restaurant: id = '' } = useParams();
  return <Scope key={id} id={id} />;
}

/**
 * So often a restaurant that was open and cannot be entered is asked for again: nobody tells when it can be,
 * because its socket is closed.
 */
const RETRY_MS = 30_000;

/** Finds and loads the restaurant; again where that failed, or when it changed elsewhere. */
function useLoadedRestaurant(id: string) {
  const [state, setState] = useState<State>({});
  const partner = useRef<string>(undefined);
  const open = useRef(false);

  const update = useCallback((restaurant: Restaurant) => {
    setTarget(restaurant);
    setState({ restaurant });
    open.current = true;
  }, []);
  const fail = useCallback(async (error: unknown) => {
    const problem = error instanceof ApiError ? error : undefined;
    if (problem?.status === 401) {
      // Signing out is for opening a restaurant. One that is read again in the background must not take
      // away the form somebody is filling in: the next call of theirs asks to sign in and goes on.
      if (open.current) return;
      suspendGuards();
      await session.signOut();
      return location.assign(loginAddress(location.pathname + location.search));
    }
    if (problem?.status === 404) return setState({ missing: true });
    // An access that ends while somebody works leaves the page as it is: the strip above it offers to open
    // it again.
    if (problem?.code === 'SUPPORT_ACCESS_REQUIRED' && !open.current)
      return setState({ support: partner.current! });
    setState((old) => (old.restaurant || old.missing ? old : { error }));
  }, []);
  /** @returns whether it can be entered now. */
  const load = useCallback(async (): Promise<boolean> => {
    try {
      partner.current ??= await partnerOf(id);
      if (!partner.current) setState({ missing: true });
      else update(await read(partner.current, id));
      return partner.current !== undefined;
    } catch (error) {
      await fail(error);
      return false;
    }
  }, [id, fail, update]);

  useEffect(() => {
    void load();
    return () => setTarget(undefined);
  }, [load]);

  // Archived, or out of somebody's reach: it may come back.
  const { missing } = state;
  useEffect(() => {
    if (!missing || !open.current) return;
    const timer = setInterval(() => void load(), RETRY_MS);
    return () => clearInterval(timer);
  }, [missing, load]);

  const startAgain = () => {
    setState({});
    void load();
  };
  return { ...state, load, update, startAgain };
}

interface SocketOptions {
  id: string;
  /** Undefined while it is not known: no socket. */
  partner: string | undefined;
  /** End of the support access under which it is open: another access has a socket of its own. */
  support: string | undefined;
  /** Reads the restaurant; whether it can be entered. */
  load: () => Promise<boolean>;
}

/** Remembers the restaurant as the last one chosen, and opens its socket once its partner is known. */
function useRestaurantSocket({ id, partner, support, load }: SocketOptions): void {
  useEffect(() => {
    if (!partner) return;
    const chosen = { partner_id: partner, restaurant_id: id };
    // A new device takes what the service knows: it need not be told that again.
    const last = lastTarget.read() ?? session.get()?.last_target;
    lastTarget.write(chosen);
    let over = false;
    if (last?.restaurant_id !== id)
      whenIdle(() => over || void meChooseTarget(chosen).catch(() => undefined));
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tried = Number.NEGATIVE_INFINITY;
    // What the account may do has changed, or the restaurant was archived: at once, then every now and then.
    const comeBack = async () => {
      tried = performance.now();
      if (!(await readAccount()) || over) return;
      const open = await load();
      if (over || socket.status.get().state === 'live') return;
      if (open) socket.start();
      else wait();
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void comeBack(), Math.max(0, tried + RETRY_MS - performance.now()));
    };
    const socket = new LiveSocket({
      url: socketUrl(id),
      // 4401: the next call finds out and opens the sign-in dialog.
      onRefused: (code) =>
        code === 4401
          ? void meGet().then(
              () => socket.start(),
              (error: unknown) => void signedOutBy(error),
            )
          : wait(),
    });
    liveSocket.set(socket);
    socket.start();
    return () => {
      over = true;
      clearTimeout(timer);
      socket.stop();
      liveSocket.set(undefined);
    };
  }, [partner, id, support, load]);
}

function Scope({ id }: { id: string }) {
  const { restaurant, error, missing, support, load, update, startAgain } = useLoadedRestaurant(id);
  const partner = restaurant?.partner_id;
  useRestaurantSocket({ id, partner, support: supportOf(useMe(), partner)?.expires_at, load });
  if (missing) return <NoRestaurant />;
  if (support) {
    return (
      <Suspense
        fallback={
          <main className="bare">
            <Loading />
          </main>
        }
      >
        <SupportRequired partnerId={support} restaurantId={id} onDone={startAgain} />
      </Suspense>
    );
  }
  if (error) return <LoadFailure error={error} onRetry={() => void load()} />;
  if (!restaurant)
    return (
      <main className="bare">
        <Loading />
      </main>
    );
  return (
    <RestaurantContext.Provider value={restaurant}>
      <RestaurantUpdate.Provider value={update}>
        <Providers>
          <LiveEffects reload={load} />
          <Shell
            onSignOut={() => {
              suspendGuards();
              void signOut();
            }}
          />
        </Providers>
      </RestaurantUpdate.Provider>
    </RestaurantContext.Provider>
  );
}

function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const more = (
    <>
      {/* Another company of the account's may be open. */}
      {(session.get()?.targets.length ?? 0) > 1 && (
        <Button onClick={() => location.assign('/?list')}>{t('not_found.home')}</Button>
      )}
      <Button onClick={() => void signOut()}>{t('session.sign_out')}</Button>
    </>
  );
  return (
    <main className="bare">
      <ErrorState error={error} onRetry={onRetry} more={more} />
    </main>
  );
}

/** Beside the restaurant's own row: what screens read of its settings. */
const SETTINGS = [
  'opening_hours',
  'restaurant_holidays',
  'public_opening_hours',
  'payment_methods',
  'settings_history',
  'getting_started',
  // What lies below the connection to the card-terminal company is refused once that has ended.
  'teyaGet',
  'terminals',
  'sign_in_provider',
  'sign_in_rules',
] as const;

/**
 * What the socket changes for every page: the restaurant itself, the own grants, the count of orders that
 * wait.
 */
function LiveEffects({ reload }: { reload: () => Promise<unknown> }) {
  const forget = useForget();
  const reread = () => {
    void reload();
    // Forms take a newer row only while nothing in them is changed.
    void forget(SETTINGS);
  };
  useLiveEvent('TASK_RESTAURANT_RELOAD', reread);
  useLiveEvent('TASK_RELOAD', reread);
  useLiveEvent('TASK_ADMIN_RELOAD', () => void readAccount());
  useWaitingReload();
  return null;
}
