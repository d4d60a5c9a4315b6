import { App, ConfigProvider } from 'antd';
import { lazy, Suspense, useMemo, useSyncExternalStore } from 'react';
import { Outlet } from 'react-router';
import { antdLocale } from '../lib/i18n';
import { look } from '../lib/theme/prefs';
import { antdTheme } from '../lib/theme/theme';
import { UnsavedProvider } from '../lib/unsaved';
import { signInRequest } from './signInAgain';
import './shell.css';

const SignInDialog = lazy(() => import('./SignInDialog'));

/** Theme, language of the component library, dialogs that any page may need. */
export function Root() {
  const { theme, density } = useSyncExternalStore(look.subscribe, look.get);
  const locale = useSyncExternalStore(antdLocale.subscribe, antdLocale.get);
  const ask = useSyncExternalStore(signInRequest.subscribe, signInRequest.get);
  const tokens = useMemo(() => antdTheme(theme, density), [theme, density]);
  return (
    <ConfigProvider theme={tokens} {...(locale ? { locale } : {})}>
      <App notification={{ placement: 'bottomLeft', maxCount: 4 }} message={{ maxCount: 2 }}>
        <UnsavedProvider>
          <Outlet />
          {ask && <Suspense><SignInDialog done={ask.done} /></Suspense>}
        </UnsavedProvider>
      </App>
    </ConfigProvider>
  );
}
