import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import errors from '../../generated/errors.en.gen';
import type { Restaurant, StornoReportRow } from '../../generated/model';
import { registerFeatures } from '../../lib/features';
import { ApiError } from '../../lib/http';
import { RestaurantContext, setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import order from '../order/en';
import previousOrders from '../previous-orders/feature';
import StornoReport from '.';
import en from './en';
import feature from './feature';

const calls = vi.hoisted(() => ({ report: vi.fn(), save: vi.fn() }));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersStornoReport: calls.report,
}));
vi.mock('../../lib/download', async (original) => ({
  ...(await original<object>()),
  save: calls.save,
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  currency: 'huf',
  timezone: 'Europe/Budapest',
  order_reset_time: '02:00',
  primary_language: 'hu',
} as Restaurant;
const ROWS: StornoReportRow[] = [
  { by_id: 'bela', by: 'Béla', kind: 'refused', reason: 'closing', number: 2, total_price: 7000 },
  {
    by_id: 'anna',
    by: 'Anna',
    kind: 'storno',
    reason_id: 'x',
    reason_name: 'Rossz cím',
    reason_name_sec_lang: 'Wrong address',
    number: 1,
    total_price: 2000,
  },
  { by_id: 'anna', by: 'Anna', kind: 'partial_storno', number: 3, total_price: 1000.5 },
];

beforeAll(async () => {
  registerFeatures({
    './previous-orders/feature.ts': { default: previousOrders },
    './storno-report/feature.ts': { default: feature },
  });
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...errors, ...order, ...en } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  setTarget(RESTAURANT);
});
afterAll(() => {
  setTarget(undefined);
  registerFeatures({});
});
beforeEach(() => {
  // Still the business day before.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T00:30:00Z') });
  calls.save.mockReset();
  calls.report.mockReset().mockImplementation(async (_p, _r, range: object) => ({ ...range, rows: ROWS }));
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function open(search = '') {
  const router = createMemoryRouter([{ path: '/r/:restaurant/:slug/*', element: <StornoReport /> }], {
    initialEntries: [`/r/r/storno-report${search}`],
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RestaurantContext value={RESTAURANT}>
          <RouterProvider router={router} />
        </RestaurantContext>
      </App>
    </QueryClientProvider>,
  );
  return { search: () => router.state.location.search };
}
const press = async (name: string) =>
  act(async () => fireEvent.click(await screen.findByRole('button', { name })));
const asked = () => calls.report.mock.lastCall![2] as object;
const text = (node: Element) => (node.textContent ?? '').replace(/[\u00a0\u202f]/g, ' ');
const rows = () => screen.getAllByRole('row').slice(1).map(text).filter(Boolean);

it('shows the last 30 days by person, with sums by kind, and what lies behind a person', async () => {
  open();
  const sums = await screen.findByRole('region', { name: 'Totals' });
  expect(asked()).toEqual({ from: '2026-10-27', till: '2026-11-25' });
  expect(text(sums)).toBe(
    'Total10,000.5 Ft6 timesRefused7,000 Ft2 timesCancelled2,000 Ft1 timeItems taken back1,000.5 Ft3 timesChanged0 Ft0 times',
  );
  expect(rows()).toEqual([
    'Béla7,000 Ft2×–––7,000 Ft2× · 70%',
    'Anna–2,000 Ft1×1,000.5 Ft3×–3,000.5 Ft4× · 30%',
  ]);
  await press('Anna');
  expect(screen.getByRole('button', { name: 'Anna' }).getAttribute('aria-expanded')).toBe('true');
  expect(rows().slice(2)).toEqual([
    'Wrong address–2,000 Ft1×––2,000 Ft1×',
    'No reason given––1,000.5 Ft3×–1,000.5 Ft3×',
  ]);
});

it('keeps days and grouping in the address, and leads to the orders', async () => {
  const { search } = open();
  await press('Yesterday');
  expect(search()).toBe('?from=2026-11-24&till=2026-11-24');
  await waitFor(() => expect(asked()).toEqual({ from: '2026-11-24', till: '2026-11-24' }));
  await press('By reason');
  expect(search()).toBe('?from=2026-11-24&till=2026-11-24&by=reason');
  await waitFor(() => expect(rows()[0]).toMatch(/^Closing/));
  const only = screen.getByRole('link', { name: 'Cancelled orders of these days: Wrong address' });
  expect(only.getAttribute('href')).toBe('/r/r/previous-orders?from=2026-11-24&till=2026-11-24&storno=only');
  const partial = screen.getByRole('link', { name: 'Partial stornos of these days: No reason given' });
  expect(partial.getAttribute('href')).toMatch(/storno=partial$/);
  await press('Last 30 days');
  expect(search()).toBe('?by=reason');
});

it('does not ask for a range that would be refused, and says why', async () => {
  open('?from=2026-11-20&till=2026-11-19');
  await screen.findByText(en['storno_report.fault.turned']);
  expect(calls.report).not.toHaveBeenCalled();
  await press('Today');
  await screen.findByRole('region', { name: 'Totals' });
});

it('says that there was nothing, and that it could not be read', async () => {
  calls.report.mockResolvedValueOnce({ from: '', till: '', rows: [] });
  open();
  await screen.findByText(en['storno_report.empty_title']);
  expect((screen.getByRole('button', { name: /Download/ }) as HTMLButtonElement).disabled).toBe(true);
  calls.report.mockRejectedValueOnce(new ApiError({ status: 500, code: 'INTERNAL_ERROR', title: 'x' }));
  await press('Today');
  const alert = await screen.findByRole('alert');
  await act(async () =>
    fireEvent.click(within(alert).getByRole('button', { name: shared['action.retry']! })),
  );
  await screen.findByRole('region', { name: 'Totals' });
});

it('makes a file of the rows', async () => {
  open('?from=2026-11-01&till=2026-11-02');
  await screen.findByRole('region', { name: 'Totals' });
  await press('Download (CSV)');
  const [name, file] = calls.save.mock.lastCall as [string, Blob];
  expect(name).toBe('storno-report-2026-11-01-2026-11-02.csv');
  const lines = (await file.text()).replace('\ufeff', '').split('\r\n');
  expect(lines[0]).toBe('"Who";"What happened";"Reason";"How often";"Value (HUF)"');
  expect(lines.at(-1)).toBe('"Anna";"Items taken back";"No reason given";"3";"1000.5"');
});
