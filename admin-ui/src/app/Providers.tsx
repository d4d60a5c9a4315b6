import { Refine } from '@refinedev/core';
import routerProvider from '@refinedev/react-router';
import { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { i18nProvider } from '../lib/i18n';
import { accessControlProvider } from '../lib/providers/access';
import { authProvider } from '../lib/providers/auth';
import { retryOnce } from '../lib/http';
import { dataProvider } from '../lib/providers/data';
import { liveProvider } from '../lib/providers/live';

/** Refine with a cache of its own: each restaurant, and the platform, has one. */
export function Providers({ children }: { children: ReactNode }) {
  const client = useMemo(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: 10_000, retry: retryOnce, refetchOnWindowFocus: true } },
      }),
    [],
  );
  return (
    <Refine
      dataProvider={dataProvider}
      authProvider={authProvider}
      accessControlProvider={accessControlProvider}
      liveProvider={liveProvider}
      i18nProvider={i18nProvider}
      routerProvider={routerProvider}
      options={{
        disableTelemetry: true,
        liveMode: 'auto',
        warnWhenUnsavedChanges: false,
        reactQuery: { clientConfig: client },
      }}
    >
      {children}
    </Refine>
  );
}
