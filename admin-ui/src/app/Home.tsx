import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams, useSearchParams } from 'react-router';
import type { Language } from '../lib/format';
import { useMenu } from '../lib/menu';
import { pageUrl } from '../lib/navigation';
import { loadRestaurants } from '../lib/restaurants';
import { useMe } from '../lib/me';
import { supportOf } from '../lib/support/api';
import { reloadIfAnswered } from '../lib/reach';
import { lastTarget } from '../lib/target';
import { Button } from '../lib/ui/Button';
import { ErrorState, Loading, NoPermission } from '../lib/ui/states';
import { NoRestaurant } from './NotFound';
import { signOut } from './signOut';

/**
 * `/` leads to the restaurant used last, else to the first. A super admin starts in the console, except
 * during a support access.
 */
export function Home() {
  const { t } = useTranslation();
  const me = useMe();
  // The page that says a restaurant is gone sends here to look at the lists again.
  const [params] = useSearchParams();
  const known = params.has('list') ? undefined : (lastTarget.read() ?? me.last_target);
  const [first, setFirst] = useState<string | null>();
  const console = me.super_admin && !(known && supportOf(me, known.partner_id));
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    // The last one may be gone, or another person's: the lists decide. A super admin has thousands: there the
    // restaurant's own page says when it is gone.
    if (console) return;
    if (me.super_admin && known) return setFirst(known.restaurant_id);
    loadRestaurants().then(
      (rows) => setFirst((rows.find((r) => r.id === known?.restaurant_id) ?? rows[0])?.id ?? null),
      setError,
    );
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
  if (first === null) return <NoRestaurant />;
  if (!first)
    return (
      <main className="bare">
        <Loading />
      </main>
    );
  return <Navigate to={`/r/${first}`} replace />;
}

/** `/r/{restaurant}`: fresh orders, or the first screen of the menu that the person may open. */
export function FirstPage() {
  const { restaurant = '' } = useParams();
  const { i18n } = useTranslation();
  const open = useMenu().filter((f) => f.scope !== 'platform');
  const first = open.find((f) => f.key === 'fresh_orders') ?? open[0];
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
