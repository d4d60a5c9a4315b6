import AppContext from 'antd/es/app/context';
import { type ContextType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { later } from '../lib/later';
import { whenIdle } from '../lib/reach';

const Shown = later(() => import('./Messages'), 'over');

/** What `App.useApp()` gives. */
export type Messages = ContextType<typeof AppContext>;
type Call = (...args: unknown[]) => unknown;

/**
 * antd's `<App>` whose code (notifications, messages, dialogs) comes when the page is idle, or with the first
 * call. Calls wait for it, in their order, and give a promise of what antd's give.
 */
export function LaterMessages({ children }: { children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenIdle(() => setWanted(true)), []);
  const [{ api, onReady }] = useState(() => waitingMessages(() => setWanted(true)));
  return (
    <AppContext value={api}>
      {children}
      {wanted && (
        <Suspense>
          <Shown onReady={onReady} />
        </Suspense>
      )}
    </AppContext>
  );
}

function waitingMessages(onCall: () => void): { api: Messages; onReady: (api: Messages) => void } {
  let onReady!: (api: Messages) => void;
  const ready = new Promise<Messages>((resolve) => {
    onReady = resolve;
  });
  const part = <Part extends keyof Messages>(name: Part): Messages[Part] =>
    new Proxy({} as Messages[Part], {
      get:
        (_, method) =>
        (...args: unknown[]) => {
          onCall();
          return ready.then((api) => (api[name] as unknown as Record<PropertyKey, Call>)[method]!(...args));
        },
    });
  return {
    api: { message: part('message'), notification: part('notification'), modal: part('modal') },
    onReady,
  };
}
