import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { registerFeatures } from '../../lib/features';
import { RestaurantContext, setTarget } from '../../lib/target';
import orderPage from '../order/feature';
import shared from '../../lib/texts/hu';
import orderTexts from '../order/hu';
import { sampleOrder } from '../order/sample.test-data';
import feature from './feature';
import hu from './hu';
import { LaterOrders } from './LaterOrders';

const calls = vi.hoisted(() => ({ later: vi.fn() }));
const live = vi.hoisted(() => ({ tell: () => undefined as unknown }));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersLater: calls.later,
}));
vi.mock('../../lib/hooks', async (original) => ({ ...(await original<object>()), useStanding: () => true }));
vi.mock('../order/useLiveReload', () => ({
  useLiveReload: (reload: () => unknown) => {
    live.tell = reload;
  },
}));

const RESTAURANT = { id: 'r', partner_id: 'p', timezone: 'UTC', currency: 'huf' } as Restaurant;
beforeAll(async () => {
  registerFeatures({
    './order/feature.ts': { default: orderPage },
    './fresh-orders/feature.ts': { default: feature },
  });
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation: { ...shared, ...orderTexts, ...hu } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});
const later = (id: string, counter: string) =>
  sampleOrder({
    id,
    counter,
    is_preorder: true,
    expected_at: '2026-11-21T18:30:00Z',
    show_at: '2026-11-21T17:45:00Z',
  });
/** The answer to a call with `count`. */
const answers = (rows: object[], total: number) =>
  calls.later.mockImplementation((_partner, _restaurant, _query, options) => {
    options.onHeaders(new Headers({ 'X-Total-Count': String(total) }));
    return Promise.resolve(rows);
  });
beforeEach(() => {
  setTarget(RESTAURANT);
  calls.later.mockReset();
});
afterEach(() => {
  cleanup();
  setTarget(undefined);
});

it('are folded and counted with their wanted day and time, follow events, and more of them is a button', async () => {
  answers([], 0);
  const router = createMemoryRouter(
    [
      {
        path: '/r/:restaurant/:slug',
        element: (
          <RestaurantContext.Provider value={RESTAURANT}>
            <LaterOrders />
          </RestaurantContext.Provider>
        ),
      },
    ],
    { initialEntries: ['/r/r/x'] },
  );
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(calls.later).toHaveBeenCalledOnce());
  expect(screen.queryByRole('group')).toBeNull();
  answers([later('a', 'B1'), later('b', 'B2')], 3);
  await act(async () => void (await live.tell()));
  const list = await screen.findByRole<HTMLDetailsElement>('group');
  expect(list.open).toBe(false);
  expect(list.querySelector('summary')!.textContent).toBe('Későbbre 3');
  list.open = true;
  expect(screen.getByRole('link', { name: 'B1 rendelés' }).getAttribute('href')).toBe('/r/r/rendeles/a');
  expect(screen.getAllByText('2026/11/21 18:30')).toHaveLength(2);
  expect(screen.getAllByText('megjelenik: 2026/11/21 17:45')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Továbbiak betöltése' }));
  await waitFor(() => expect(calls.later.mock.lastCall![2]).toEqual({ view: 'row', limit: 80, count: true }));
});
