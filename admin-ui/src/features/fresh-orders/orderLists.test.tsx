import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { useRef } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OrdersFreshParams, Restaurant } from '../../generated/model';
import { setTarget } from '../../lib/target';
import { sampleOrder } from '../order/sample.test-data';
import { put } from './board';
import hu from './hu';
import { OrderLists } from './OrderLists';
import { useFreshOrders } from './useFreshOrders';

const calls = vi.hoisted(() => ({ fresh: vi.fn() }));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersFresh: calls.fresh,
}));
vi.mock('../order/useLiveReload', () => ({ useLiveReload: () => undefined }));
vi.mock('../../lib/live', () => ({ useLiveEvent: () => undefined }));

vi.setConfig({ testTimeout: 30_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', timezone: 'UTC', currency: 'huf' } as Restaurant;
type Status = 'succeeded' | 'processed';
const order = (status: Status, at: number) =>
  sampleOrder({
    id: `${status} ${at}`,
    status,
    ...(status === 'processed' && { accepted_at: '2026-11-20T11:00:00Z' }),
  });
/** So many there are of each list. */
const there = { succeeded: 0, processed: 0 };

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation: hu } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});
beforeEach(() => {
  setTarget(RESTAURANT);
  calls.fresh.mockImplementation((_partner, _restaurant, query: OrdersFreshParams, options) => {
    const { page = 0, limit = 40 } = query;
    const status = query.status as Status;
    const total = there[status];
    options.onHeaders(new Headers({ 'X-Total-Count': String(total) }));
    const number = Math.max(0, Math.min(limit, total - page * limit));
    return Promise.resolve(Array.from({ length: number }, (_, at) => order(status, page * limit + at)));
  });
});
afterEach(() => {
  cleanup();
  setTarget(undefined);
});

function Board() {
  const orders = useFreshOrders({ holding: false, onArrivals: () => undefined });
  return (
    <OrderLists
      orders={orders}
      boardRef={useRef(null)}
      onKeyDown={() => undefined}
      card={(one) => <span key={one.id}>{one.id}</span>}
      volume={0}
      onClearFilter={undefined}
    />
  );
}

/** Looking for many by their roles takes long. */
const cards = (list: string) => document.querySelectorAll(`[aria-labelledby=fresh-${list}] li`).length;

describe('the two lists', () => {
  it('have pages of their own, so accepted orders are in sight however many wait', async () => {
    Object.assign(there, { succeeded: 95, processed: 3 });
    render(
      <QueryClientProvider client={new QueryClient()}>
        <Board />
      </QueryClientProvider>,
    );
    expect(await screen.findByRole('heading', { name: 'Elfogadva 3' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Elfogadásra vár 40+' })).toBeTruthy();
    expect(screen.getByText('40 látszik, összesen 95')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Továbbiak betöltése: Elfogadva' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Továbbiak betöltése: Elfogadásra vár' }));
    await waitFor(() => expect(cards('unaccepted')).toBe(80), { timeout: 10_000 });
    expect(cards('accepted')).toBe(3);
    const pages = calls.fresh.mock.calls.slice(-3).map((call) => [call[2].status, call[2].page]);
    expect(pages.toSorted()).toEqual([
      ['processed', 0],
      ['succeeded', 0],
      ['succeeded', 1],
    ]);
  });

  it('keep their sizes right when a call answers before they are read again', () => {
    const reading = {
      orders: [order('succeeded', 0), order('succeeded', 1)],
      totals: { succeeded: 5, processed: 0 },
      at: 0,
    };
    const accepted = { ...order('succeeded', 0), status: 'processed' as const };
    expect(put(reading, accepted).totals).toEqual({ succeeded: 4, processed: 1 });
    const refused = { ...order('succeeded', 0), archived_at: '2026-11-20T11:00:00Z' };
    expect(put(reading, refused).totals).toEqual({ succeeded: 4, processed: 0 });
  });
});
