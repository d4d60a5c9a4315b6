import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Me } from '../generated/model';
import { ApiError } from '../lib/http';
import { liveSocket } from '../lib/live';
import { readKey } from '../lib/query';
import { session } from '../lib/session';
import { useRestaurant } from '../lib/target';
import { RestaurantScope } from './RestaurantScope';

const calls = vi.hoisted(() => ({ me: vi.fn(), restaurant: vi.fn(), signOut: vi.fn(), reads: vi.fn() }));
vi.mock('../generated/client/session/session', () => ({
  meGet: calls.me,
  meChooseTarget: async () => undefined,
  sessionsSignOut: calls.signOut,
}));
vi.mock('../generated/client/restaurants/restaurants', () => ({ restaurantsGet: calls.restaurant }));
vi.mock('../lib/waitingOrders', () => ({ useWaitingReload: () => undefined }));
vi.mock('./Shell', () => ({
  Shell: () => {
    useQuery({ queryKey: readKey('gettingStartedGet'), queryFn: async () => calls.reads() ?? null });
    return <p>at {useRestaurant().name}</p>;
  },
}));
vi.mock('./Providers', () => ({
  Providers: ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  ),
}));

let client: QueryClient;
/** Those that were opened, oldest first. */
let sockets: FakeSocket[];
class FakeSocket {
  onmessage?: (message: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  constructor() {
    sockets.push(this);
  }
  say(event: string) {
    this.onmessage?.({ data: JSON.stringify({ event, id: 1 }) });
  }
  close() {}
  send() {}
}

const ME = { id: 'm', targets: [{ partner_id: 'p' }], support: [] } as unknown as Me;
const refused = (status: number, code: string) => new ApiError({ status, code });
const ARCHIVED = refused(404, 'RESTAURANT_NOT_EXIST');
const HALF_A_MINUTE = 30_000;

const replace = vi.fn();
beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
});
beforeEach(() => {
  sockets = [];
  client = new QueryClient();
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.spyOn(location, 'replace').mockImplementation(replace);
  replace.mockReset();
  for (const call of Object.values(calls)) call.mockReset();
  calls.me.mockResolvedValue(ME);
  calls.signOut.mockResolvedValue(undefined);
  calls.restaurant.mockResolvedValue({ id: 'r', partner_id: 'p', name: 'Kéknyelű' });
  session.set(ME);
});
afterEach(() => {
  vi.restoreAllMocks();
  session.set(undefined);
  localStorage.clear();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** A window that is live. */
async function open() {
  const router = createMemoryRouter([{ path: '/r/:restaurant', element: <RestaurantScope /> }], {
    initialEntries: ['/r/r'],
  });
  render(<RouterProvider router={router} />);
  await pass(0);
  act(() => sockets[0]!.say('TASK_HELLO'));
  expect(screen.getByText('at Kéknyelű')).toBeTruthy();
}
/** The service closes the socket. */
async function refuse() {
  sockets.at(-1)!.onclose!({ code: 4403 });
  await pass(1);
}

describe('a window whose socket is refused', () => {
  it('of an archived restaurant says that it is not there, and comes back with it', async () => {
    await open();
    calls.restaurant.mockRejectedValue(ARCHIVED);
    await refuse();
    expect(screen.getByRole('heading', { level: 1, name: 'no_restaurant.title' })).toBeTruthy();
    await pass(HALF_A_MINUTE);
    expect(sockets).toHaveLength(1);

    calls.restaurant.mockResolvedValue({ id: 'r', partner_id: 'p', name: 'Kéknyelű' });
    await pass(HALF_A_MINUTE);
    expect(screen.getByText('at Kéknyelű')).toBeTruthy();
    expect(sockets).toHaveLength(2);
    act(() => sockets[1]!.say('TASK_HELLO'));
    expect(liveSocket.get()!.status.get().state).toBe('live');
  });

  it.each(['RESTAURANT_ARCHIVED', 'NO_ADMIN_ACCESS'])(
    'signs out whom nothing is left, with the reason: %s',
    async (code) => {
      await open();
      calls.me.mockRejectedValue(refused(403, code));
      await refuse();
      expect(calls.signOut).toHaveBeenCalledOnce();
      expect(replace).toHaveBeenCalledWith(expect.stringContaining(`?reason=${code}`));
    },
  );

  it('whose restaurant can be entered shows the account as it is now, and is live again', async () => {
    await open();
    const changed = { ...ME, name: 'Kata' };
    calls.me.mockResolvedValue(changed);
    await refuse();
    expect(session.get()).toEqual(changed);
    expect(sockets).toHaveLength(2);
    // Refused again at once, it does not try without a pause.
    await refuse();
    expect(sockets).toHaveLength(2);
    await pass(HALF_A_MINUTE);
    expect(sockets).toHaveLength(3);
  });

  it('keeps the page while a support access is over, and is live with the next one', async () => {
    await open();
    calls.restaurant.mockRejectedValue(refused(403, 'SUPPORT_ACCESS_REQUIRED'));
    await refuse();
    await pass(HALF_A_MINUTE);
    expect(screen.getByText('at Kéknyelű')).toBeTruthy();
    expect(sockets).toHaveLength(1);
    const support = [{ partner_id: 'p', expires_at: '2031-01-01T10:00:00Z' }] as Me['support'];
    act(() => session.set({ ...ME, support }));
    expect(sockets).toHaveLength(2);
  });

  it('tries when somebody asks it to', async () => {
    await open();
    calls.restaurant.mockRejectedValue(refused(403, 'SUPPORT_ACCESS_REQUIRED'));
    await refuse();
    act(() => liveSocket.get()!.retry());
    expect(sockets).toHaveLength(2);
  });
});

it.each(['TASK_RESTAURANT_RELOAD', 'TASK_RELOAD'])(
  '%s reads the restaurant and its settings',
  async (event) => {
    await open();
    expect([calls.restaurant.mock.calls.length, calls.reads.mock.calls.length]).toEqual([1, 1]);
    act(() => sockets[0]!.say(event));
    await pass(1);
    expect([calls.restaurant.mock.calls.length, calls.reads.mock.calls.length]).toEqual([2, 2]);
  },
);
