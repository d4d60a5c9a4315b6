import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Restaurant, StornoReportRow } from '../../generated/model';
import { ApiError } from '../../lib/http';
import shared from '../../lib/texts/en';
import { press, showAt, stage, textOf } from '../../lib/stage.test-data';
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

stage(RESTAURANT, { ...order, ...en }, { 'previous-orders': previousOrders, 'storno-report': feature });
beforeEach(() => {
  // Still the business day before.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T00:30:00Z') });
  calls.save.mockReset();
  calls.report.mockReset().mockImplementation(async (_p, _r, range: object) => ({ ...range, rows: ROWS }));
});
function open(search = '') {
  const { location } = showAt(RESTAURANT, `storno-report${search}`, <StornoReport />);
  return { search: () => location().search };
}
const asked = () => calls.report.mock.lastCall![2] as object;
const rows = () => screen.getAllByRole('row').slice(1).map(textOf).filter(Boolean);

it('shows the last 30 days by person, with sums by kind, and what lies behind a person', async () => {
  open();
  const sums = await screen.findByRole('region', { name: 'Totals' });
  expect(asked()).toEqual({ from: '2026-10-27', till: '2026-11-25' });
  expect(textOf(sums)).toBe(
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
