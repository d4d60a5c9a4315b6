import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { PaymentRefund, Restaurant } from '../../generated/model';
import { registerFeatures } from '../../lib/features';
import { RestaurantContext } from '../../lib/target';
import orderPage from '../order/feature';
import shared from '../../lib/texts/hu';
import orderTexts from '../order/hu';
import feature from './feature';
import hu from './hu';
import { OpenMoney } from './OpenMoney';

const calls = vi.hoisted(() => ({ asked: vi.fn(), waiting: vi.fn(), paying: vi.fn() }));
const live = vi.hoisted(() => ({ tell: (_event: object) => undefined as unknown }));
vi.mock('../order/payments/api', () => ({
  readAsked: calls.asked,
  readWaiting: calls.waiting,
  readPaying: calls.paying,
  useMethodNames: () => (key: string) => key,
}));
vi.mock('../../lib/hooks', async (original) => ({
  ...(await original<object>()),
  useStanding: () => true,
}));
vi.mock('../order/useLiveReload', () => ({
  useLiveReload: (reload: () => unknown, wanted: (event: object) => boolean) => {
    live.tell = (event) => wanted(event) && reload();
  },
}));

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
  });
});
const refund = (id: string, order_counter: string | null) =>
  ({ id, order_id: `o-${id}`, order_counter, payment_key: 'cash', amount: 1800 }) as PaymentRefund;
beforeEach(() => {
  calls.asked.mockReset().mockResolvedValue({ rows: [], total: 0 });
  calls.waiting.mockReset().mockResolvedValue({ rows: [], total: 0 });
  calls.paying.mockReset().mockResolvedValue(0);
});
afterEach(cleanup);

function show() {
  const router = createMemoryRouter(
    [
      {
        path: '/r/:restaurant/:slug',
        element: (
          <RestaurantContext.Provider value={{ id: 'r', timezone: 'UTC', currency: 'huf' } as Restaurant}>
            <OpenMoney />
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
}

it('takes no room while nothing is open, and is read again when money is told of', async () => {
  show();
  await waitFor(() => expect(calls.asked).toHaveBeenCalledOnce());
  expect(screen.queryByRole('region')).toBeNull();
  calls.asked.mockResolvedValue({ rows: [refund('a', 'B7'), refund('b', null)], total: 7 });
  await act(async () => live.tell({ change: 'prepared' }));
  expect(calls.asked, 'nothing of that').toHaveBeenCalledOnce();
  await act(async () => live.tell({ change: 'refunded' }));
  const strip = await screen.findByRole('region', { name: 'Vissza kell adni: 7' });
  const link = screen.getByRole('link', { name: /^B7 rendelés · 1.800.Ft · cash$/ });
  expect(link.getAttribute('href')).toBe('/r/r/rendeles/o-a');
  expect(strip.textContent).toContain('Szám nélkül');
  expect(strip.textContent).toContain('és még 5');
});
