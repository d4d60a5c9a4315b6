import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams, useSearchParams } from 'react-router';
import type { Language } from '../lib/format';
import { useMenu } from '../lib/menu';
import { pageUrl } from '../lib/navigation';
import { isAllowed } from '../lib/access';
import { nextStep } from '../features/getting-started/api';
import { gettingStartedGet } from '../generated/client/restaurants/restaurants';
import { type Choice, loadRestaurants } from '../lib/restaurants';
import type { Me } from '../generated/model';
import { useMe } from '../lib/me';
import { supportOf } from '../lib/support/api';
import { reloadIfAnswered } from '../lib/reach';
import { lastTarget } from '../lib/target';
import { Button } from '../lib/ui/Button';
import { ErrorState, Loading, NoPermission } from '../lib/ui/states';
import { NoRestaurant } from './NotFound';
import { signOut } from './signOut';

/**
 * Where the guide of a restaurant goes on; nothing where nothing is missing, somebody has put the list away, or
 * the person may not set it up.
 */
async function guideOf(me: Me, { partner_id, id }: Choice, language: Language): Promise<string | undefined> {
  if (!isAllowed(me, { partner_id, id }, ['restaurant_general'])) return undefined;
  try {
    const state = await gettingStartedGet(partner_id, id);
    return state.complete || state.dismissed
      ? undefined
      : pageUrl(id, 'getting_started', language, nextStep(state));
  } catch {
    // The page of the restaurant shows the error.
    return undefined;
  }
}

/**
 * `/` leads to the restaurant used last, else to the first; `?guide=` with the company of an invitation just
 * accepted, into the guide of its restaurant. A super admin starts in the console, except during a support access.
 */
export function Home() {
  const { t, i18n } = useTranslation();
  const me = useMe();
  // The page that says a restaurant is gone sends here to look at the lists again.
  const [params] = useSearchParams();
  const known = params.has('list') ? undefined : (lastTarget.read() ?? me.last_target);
  const [to, setTo] = useState<string | null>();
  const console = me.super_admin && !(known && supportOf(me, known.partner_id));
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    // The last one may be gone, or another person's: the lists decide. A super admin has thousands: there the
    // restaurant's own page says when it is gone.
    if (console) return;
    if (me.super_admin && known) return setTo(`/r/${known.restaurant_id}`);
    const invitedTo = params.get('guide');
    const first = async () => {
      const rows = await loadRestaurants();
      const invited = rows.find((r) => r.partner_id === invitedTo);
      const row = invited ?? rows.find((r) => r.id === known?.restaurant_id) ?? rows[0];
      if (!row) return null;
      const guide = invited && (await guideOf(me, invited, i18n.language as Language));
      return guide ?? `/r/${row.id}`;
    };
    first().then(setTo, setError);
    // once
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  if (console) return <Navigate to="/platform" replace />;
  if (error)
    return (
      <main className="bare">
        <ErrorState
          error={error}
          onRetry={() => void reloadIfAnswered()}
          more={<Button onClick={() => void signOut()}>{t('session.sign_out')}</Button>}
        />
      </main>
    );
  if (to === null) return <NoRestaurant />;
  if (!to)
    return (
      <main className="bare">
        <Loading />
      </main>
    );
  return <Navigate to={to} replace />;
}

/**
 * `/r/{restaurant}`: fresh orders, or the first screen of the menu that the person may open by a right of their
 * own. Screens that are open to everybody come last: nobody's work begins there.
 */
export function FirstPage() {
  const { restaurant = '' } = useParams();
  const { i18n } = useTranslation();
  const open = useMenu().filter((f) => f.scope !== 'platform');
  const first =
    open.find((f) => f.key === 'fresh_orders') ?? open.find((f) => f.permission.length > 0) ?? open[0];
  return first ? (
    <Navigate to={pageUrl(restaurant, first.key, i18n.language as Language)} replace />
  ) : (
    <NoPermission />
  );
}

/**
 * `/platform`: the first screen of the platform that the person may open; nobody else has anything to do
 * there.
 */
export function FirstPlatformPage() {
  const { i18n } = useTranslation();
  const first = useMenu().find((f) => f.scope === 'platform');
  return <Navigate to={first ? pageUrl('', first.key, i18n.language as Language) : '/'} replace />;
}
