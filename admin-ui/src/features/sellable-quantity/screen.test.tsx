import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Me, Restaurant, SellableQuantity } from '../../generated/model';
import { registerFeatures } from '../../lib/features';
import { ApiError, type RequestOptions } from '../../lib/http';
import { LiveSocket, liveSocket } from '../../lib/live';
import { session } from '../../lib/session';
import { RestaurantContext, setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import SellableQuantities, { byCategory } from '.';
import { nextChange } from './api';
import en from './en';
import feature from './feature';

const calls = vi.hoisted(() => ({ list: vi.fn(), update: vi.fn(), step: vi.fn() }));
vi.mock('../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  sellableQuantitiesList: calls.list,
  sellableQuantitiesUpdate: calls.update,
  sellableQuantitiesStep: calls.step,
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  name: 'Bisztró',
  currency: 'huf',
  timezone: 'Europe/Budapest',
} as Restaurant;
const socket = new LiveSocket({ url: '', onRefused: () => undefined });

const sample = (change: Partial<SellableQuantity> = {}): SellableQuantity =>
  ({
    id: 's1',
    name: 'Cup',
    product_id: 'p1',
    product_name: 'Goulash',
    alone: false,
    product_category_id: 'c1',
    category_name: 'Soups',
    parent_category_name: null,
    ean_code: null,
    product_active: true,
    state: 'on',
    off_until: null,
    sellable_quantity: 5,
    daily_quantity: null,
    refill_at: null,
    version: 3,
    ...change,
  }) as SellableQuantity;

/** What the service has. */
let rows: SellableQuantity[] = [];
const change = (id: string, with_: Partial<SellableQuantity>): SellableQuantity => {
  rows = rows.map((row) => (row.id === id ? { ...row, ...with_, version: row.version + 1 } : row));
  return rows.find((row) => row.id === id)!;
};
const grant = (...permissions: string[]) =>
  session.set({
    id: 'me',
    super_admin: false,
    targets: [{ partner_id: 'p', target_type: 'Partner', permissions }],
  } as unknown as Me);

beforeAll(async () => {
  registerFeatures({ './sellable-quantity/feature.ts': { default: feature } });
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...en } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  setTarget(RESTAURANT);
  liveSocket.set(socket);
});
afterAll(() => {
  session.set(null);
  setTarget(undefined);
  liveSocket.set(undefined);
  registerFeatures({});
});
beforeEach(() => {
  rows = [sample()];
  grant('order', 'catalog_edit', 'catalog_activate');
  calls.list.mockReset().mockImplementation(async (_p, _r, query, options?: RequestOptions) => {
    const found = rows.filter((row) => !query.ean_code || row.ean_code === query.ean_code);
    options?.onHeaders?.(new Headers({ 'X-Total-Count': String(found.length) }));
    return found;
  });
  calls.update.mockReset().mockImplementation(async (_p, _r, id, { version, ...body }) => {
    expect(version).toBeGreaterThan(0);
    return change(id, body);
  });
  calls.step
    .mockReset()
    .mockImplementation(async (_p, _r, id, { by, ...body }) =>
      change(id, { ...body, sellable_quantity: rows.find((row) => row.id === id)!.sellable_quantity! + by }),
    );
});

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter([{ path: '*', element: <SellableQuantities /> }], {
    initialEntries: ['/r/r/sellable-quantity'],
  });
  render(
    <QueryClientProvider client={client}>
      <RestaurantContext value={RESTAURANT}>
        <App>
          <RouterProvider router={router} />
        </App>
      </RestaurantContext>
    </QueryClientProvider>,
  );
  await screen.findByText('Goulash');
}

const pieces = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Pieces: Goulash, Cup' });
const button = (name: string) => screen.getByRole('button', { name });
const sent = (call: typeof calls.step) => call.mock.calls.map((args) => args[3]);

it('sends steps that are pressed while one is under way as one, and shows them at once', async () => {
  await open();
  let answer: (value: unknown) => void = () => undefined;
  calls.step.mockImplementationOnce(
    (_p, _r, id, { by }) =>
      new Promise((resolve) => {
        answer = () => resolve(change(id, { sellable_quantity: 5 + by }));
      }),
  );
  for (let n = 0; n < 4; n++) fireEvent.click(button('One more: Goulash, Cup'));
  fireEvent.click(button('One less: Goulash, Cup'));
  expect(pieces().value).toBe('8');
  await waitFor(() => expect(sent(calls.step)).toEqual([{ by: 1 }]));
  await act(async () => answer(undefined));
  await waitFor(() => expect(sent(calls.step)).toEqual([{ by: 1 }, { by: 2 }]));
  await waitFor(() => expect(pieces().value).toBe('8'));
  expect(rows[0]!.sellable_quantity).toBe(8);
});

it('sends a step that nobody answered again with the same key', async () => {
  await open();
  calls.step.mockRejectedValueOnce(new ApiError({ status: 0, code: 'NETWORK_ERROR' }));
  fireEvent.click(button('One more: Goulash, Cup'));
  await waitFor(() => expect(calls.step).toHaveBeenCalledTimes(2), { timeout: 5000 });
  const keys = calls.step.mock.calls.map((args) => args[4]['Idempotency-Key']);
  expect(keys[0]).toBe(keys[1]);
  await waitFor(() => expect(pieces().value).toBe('6'));
});

it('keeps what is typed while others change it, and asks when both have', async () => {
  await open();
  fireEvent.focus(pieces());
  fireEvent.change(pieces(), { target: { value: '12' } });
  change('s1', { sellable_quantity: 4 });
  await act(async () => socket.events.emit('TASK_QUANTITIES_RELOAD', {}));
  await waitFor(() => expect(calls.list.mock.calls.length).toBeGreaterThan(1));
  expect(pieces().value).toBe('12');
  calls.update.mockRejectedValueOnce(
    new ApiError({
      status: 409,
      code: 'CONFLICT',
      current: rows[0] as unknown as Record<string, unknown>,
      changed_by: 'Anna',
      changed_at: '2026-05-05T10:00:00Z',
    }),
  );
  fireEvent.keyDown(pieces(), { key: 'Enter', code: 'Enter', keyCode: 13 });
  const dialog = await screen.findByRole('dialog');
  // With the version that was shown when the typing began.
  expect(sent(calls.update)).toEqual([{ sellable_quantity: 12, version: 3 }]);
  expect(within(dialog).getByText(/Anna/)).toBeTruthy();
  fireEvent.click(within(dialog).getByRole('button', { name: en_mine() }));
  await waitFor(() => expect(sent(calls.update)[1]).toEqual({ sellable_quantity: 12, version: 4 }));
  await waitFor(() => expect(pieces().value).toBe('12'));
});
it('a number that is typed while an own step is under way is no conflict with that step', async () => {
  await open();
  let answer: () => void = () => undefined;
  calls.step.mockImplementationOnce(
    (_p, _r, id) =>
      new Promise((resolve) => {
        answer = () => resolve(change(id, { sellable_quantity: 6 }));
      }),
  );
  fireEvent.click(button('One more: Goulash, Cup'));
  const daily = screen.getByRole('spinbutton', { name: 'Daily quantity: Goulash, Cup' });
  fireEvent.change(daily, { target: { value: '30' } });
  fireEvent.keyDown(daily, { key: 'Enter', code: 'Enter', keyCode: 13 });
  await waitFor(() => expect(sent(calls.step)).toEqual([{ by: 1 }]));
  await act(async () => answer());
  await waitFor(() => expect(sent(calls.update)).toEqual([{ daily_quantity: 30, version: 4 }]));
});

const en_mine = () => (shared as Record<string, string>)['conflict.mine']!;

it('begins to count with 20 and sells what is counted; the way back restores all of it', async () => {
  rows = [sample({ sellable_quantity: null, state: 'off' })];
  await open();
  fireEvent.click(screen.getByRole('switch', { name: 'Counted: Goulash, Cup' }));
  await waitFor(() =>
    expect(sent(calls.update)).toEqual([{ sellable_quantity: 20, state: 'on', version: 3 }]),
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(sent(calls.update)[1]).toEqual({ sellable_quantity: null, state: 'off', version: 4 }),
  );
});

it('switches off for today, and reads again when the business day begins', async () => {
  await open();
  const soon = new Date(Date.now() + 1500).toISOString();
  calls.update.mockImplementationOnce(async () => change('s1', { state: 'off_today', off_until: soon }));
  fireEvent.click(screen.getByRole('radio', { name: 'Not today' }));
  await screen.findByText(/back:/);
  expect(sent(calls.update)).toEqual([{ state: 'off_today', version: 3 }]);
  change('s1', { state: 'on', off_until: null });
  await waitFor(() => expect(screen.queryByText(/back:/)).toBeNull(), { timeout: 5000 });
});

it('shows no more than one may do', async () => {
  grant('order');
  await open();
  expect(screen.getByText('5 left')).toBeTruthy();
  for (const role of ['switch', 'spinbutton', 'radio'] as const)
    expect(screen.queryAllByRole(role)).toEqual([]);
  expect(screen.getByText('Sold')).toBeTruthy();
});

it('shows the size of a code that is scanned, and says when nothing has it', async () => {
  rows = [sample({ ean_code: '5991234567890' }), sample({ id: 's2', product_name: 'Tea', alone: true })];
  await open();
  const scan = async (code: string) => {
    for (const key of [...code, 'Enter']) fireEvent.keyDown(document.body, { key });
    await act(async () => undefined);
  };
  await scan('1111111111111');
  expect(await screen.findByText('No product has this barcode: 1111111111111')).toBeTruthy();
  expect(screen.getByText('Tea')).toBeTruthy();
  await scan('5991234567890');
  await waitFor(() => expect(screen.queryByText('Tea')).toBeNull());
  fireEvent.click(button('Clear the barcode: 5991234567890'));
  await screen.findByText('Tea');
});

it('groups by category and knows when something changes by itself', () => {
  const groups = byCategory([
    sample(),
    sample({ id: 's2' }),
    sample({ id: 's3', product_category_id: 'c2', category_name: 'Beers', parent_category_name: 'Drinks' }),
  ]);
  expect(groups.map(({ title, rows: of }) => [title, of.length])).toEqual([
    ['Soups', 2],
    ['Drinks › Beers', 1],
  ]);
  const at = (instant: string) => Date.parse(instant);
  const [early, late] = ['2026-05-05T23:00:00Z', '2026-05-06T23:00:00Z'];
  const changing = [sample({ refill_at: late }), sample({ off_until: early }), sample()];
  expect(nextChange(changing, at('2026-05-05T12:00:00Z'))).toBe(at(early));
  expect(nextChange(changing, at(early))).toBe(at(late));
  expect(nextChange(changing, at(late))).toBeUndefined();
});
