import { LoadingOutlined } from '@ant-design/icons';
import { App, ConfigProvider } from 'antd';
import { Suspense, useMemo, useSyncExternalStore } from 'react';
import { Outlet } from 'react-router';
import { RecordHistory } from '../features/audit/history';
import { RecordHistoryContext } from '../lib/crud/History';
import { antdLocale, loadFeatureTexts } from '../lib/i18n';
import { useNarrow } from '../lib/hooks';
import { useMe } from '../lib/me';
import { look } from '../lib/theme/prefs';
import { antdTheme } from '../lib/theme/theme';
import { UnsavedProvider } from '../lib/form/unsaved';
import { signInRequest } from './signInAgain';
import { later } from '../lib/later';

const SignInDialog = later(() => import('./SignInDialog'), 'over');
const Gate = later(
  async () => (await Promise.all([import('../features/account/Gate'), loadFeatureTexts('account')]))[0],
  'page',
);

/**
 * A button that waits. antd's own icon grows and shrinks, says "loading" in every language, and stays when
 * its way back is never told to have ended (an answer before it has begun to grow): the button would keep
 * that name.
 */
export const waiting = { loadingIcon: <LoadingOutlined aria-hidden aria-label={undefined} /> };

/** Theme, language of the component library, dialogs that any page may need. */
export function Root() {
  const { theme, density } = useSyncExternalStore(look.subscribe, look.get);
  const locale = useSyncExternalStore(antdLocale.subscribe, antdLocale.get);
  const ask = useSyncExternalStore(signInRequest.subscribe, signInRequest.get);
  const me = useMe();
  const narrow = useNarrow();
  const tokens = useMemo(() => antdTheme(theme, density), [theme, density]);
  return (
    <ConfigProvider theme={tokens} button={waiting} {...(locale ? { locale } : {})}>
      <App
        notification={{ placement: narrow ? 'top' : 'bottomLeft', top: 68, maxCount: 4 }}
        message={{ maxCount: 2 }}
      >
        <RecordHistoryContext value={RecordHistory}>
          <UnsavedProvider>
            {me.second_factor_required ? (
              <Suspense>
                <Gate />
              </Suspense>
            ) : (
              <Outlet />
            )}
            {ask && <SignInDialog done={ask.done} />}
          </UnsavedProvider>
        </RecordHistoryContext>
      </App>
    </ConfigProvider>
  );
}
