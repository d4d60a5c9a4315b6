import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type {
  Me,
  PaymentReconciliation,
  PaymentReconciliationLine,
  Restaurant,
} from '../../../generated/model';
import { ApiError } from '../../../lib/http';
import shared from '../../../lib/texts/en';
import { counted, press, showAt, signIn, stage, textOf } from '../../../lib/stage.test-data';
import order from '../../order/en';
import orderFeature from '../../order/feature';
import Payments from '..';
import en from '../en';
import feature from '../feature';
import source from '../work';
import { monthOf } from './days';

const calls = vi.hoisted(() => ({
  list: vi.fn(),
  get: vi.fn(),
  lines: vi.fn(),
  create: vi.fn(),
  explain: vi.fn(),
  file: vi.fn(),
  save: vi.fn(),
}));
vi.mock('../../../generated/client/payments/payments', async (original) => ({
  ...(await original<object>()),
  paymentReconciliationsList: calls.list,
  paymentReconciliationsGet: calls.get,
  paymentReconciliationsLines: calls.lines,
  paymentReconciliationsCreate: calls.create,
  paymentReconciliationLinesExplain: calls.explain,
}));
vi.mock('../../../lib/http', async (original) => ({
  ...(await original<object>()),
  requestFile: calls.file,
}));
vi.mock('../../../lib/download', async (original) => ({ ...(await original<object>()), save: calls.save }));
// Whether payments wait is a matter of its own.
vi.mock('../../payment-pause', () => ({ default: () => null }));
vi.mock('../../../lib/clock', async (original) => ({
  ...(await original<object>()),
  // Half past one in Budapest: still the business day before.
  serverNow: () => Date.parse('2026-11-21T00:30:00Z'),
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  currency: 'huf',
  timezone: 'Europe/Budapest',
  order_reset_time: '02:00',
} as Restaurant;
const ID = '00000000-0000-7000-8000-000000000001';
const PAYMENT = '00000000-0000-7000-8000-000000000002';

const comparison = (part: Partial<PaymentReconciliation> = {}): PaymentReconciliation => ({
  id: ID,
  day: '2026-11-19',
  state: 'ready',
  progress: 100,
  actor_name: null,
  mine: false,
  payments: 12,
  differences: 2,
  unexplained: 1,
  created_at: '2026-11-20T02:00:00Z',
  finished_at: '2026-11-20T02:01:00Z',
  ...part,
});
const line = (part: Partial<PaymentReconciliationLine> = {}): PaymentReconciliationLine => ({
  id: 'l1',
  attempt_id: PAYMENT,
  order_id: 'o1',
  order_counter: 'A-012',
  provider: 'simplepay',
  reference: '505203290',
  currency: 'huf',
  state: 'captured',
  captured: 5900,
  refunded: 0,
  seen_state: 'captured',
  seen_amount: 5400,
  seen_refunded: 0,
  fee: 70,
  difference: 'amount',
  ...part,
});

let rows: PaymentReconciliation[] = [];
let lines: PaymentReconciliationLine[] = [];
stage(RESTAURANT, { ...order, ...en }, { order: orderFeature, payments: feature });
beforeAll(() => signIn('Restaurant', 'all_order'));
beforeEach(() => {
  rows = [comparison()];
  lines = [line()];
  for (const call of Object.values(calls)) call.mockReset();
  calls.list.mockImplementation(async (_p, _r, _query, options) => counted(options, rows));
  calls.lines.mockImplementation(async (_p, _r, _id, _query, options) => counted(options, lines));
  calls.get.mockImplementation(async () => rows[0]);
  calls.create.mockImplementation(async () => (rows = [comparison({ state: 'running', progress: 30 })])[0]);
  calls.explain.mockImplementation(async (_p, _r, _id, { reason }) => {
    lines = [line({ explained: reason, explained_by: 'Anna' })];
  });
  calls.file.mockResolvedValue(new Blob());
});
const open = (path: string) => showAt(RESTAURANT, `payments${path}`, <Payments />);

it('lists what was compared, and compares the business day before this one', async () => {
  open('?tab=reconciling');
  const row = await screen.findByRole('row', { name: /2026\/11\/19/ });
  expect(textOf(row)).toBe('2026/11/19Done1221');
  await press('Compare now');
  expect(calls.create).toHaveBeenCalledWith('p', 'r', { day: '2026-11-19' });
  await screen.findByRole('progressbar', { name: 'Under way' });
  await press('Workbook of the month');
  expect(String(calls.file.mock.lastCall![0])).toContain('from=2026-11-01&till=2026-11-20');
  expect(calls.save.mock.lastCall![0]).toBe('online-payments-2026-11-01-2026-11-20.xlsx');
  await press('Workbook of the day');
  expect(String(calls.file.mock.lastCall![0])).toContain('from=2026-11-19&till=2026-11-19');
});

it('opens a comparison: both sides of a payment, and why a difference is no fault', async () => {
  const { address } = open('?tab=reconciling');
  await act(async () => fireEvent.click(await screen.findByRole('link', { name: '2026/11/19' })));
  expect(address()).toBe(`/r/r/payments?tab=reconciling&comparison=${ID}`);
  const list = await screen.findByRole('list', { name: 'Compared payments' });
  const item = within(list).getByRole('listitem');
  expect([...item.querySelectorAll('tr')].map(textOf)).toEqual([
    'HereProvider',
    'StatePaidPaid',
    'Came in5,900 Ft5,400 Ft',
    'Went back0 Ft0 Ft',
    'Fee of the provider–70 Ft',
  ]);
  within(item).getByText('Another amount came');
  within(item).getByRole('button', { name: 'Copy the provider’s id' });
  const payment = within(item).getByRole('link', { name: 'Open the payment' });
  expect(payment.getAttribute('href')).toBe(`/r/r/payments/${PAYMENT}?tab=reconciling&comparison=${ID}`);

  await act(async () => fireEvent.click(within(item).getByRole('button', { name: 'Explain' })));
  const title = await screen.findByText('Why is this difference no fault?');
  const dialog = within(title.closest<HTMLElement>('[role=dialog]')!);
  fireEvent.change(await dialog.findByLabelText(/^Why/), { target: { value: ' Paid again in cash ' } });
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Save' })));
  expect(calls.explain).toHaveBeenCalledWith('p', 'r', 'l1', { reason: 'Paid again in cash' });
  await screen.findByText('Explanation: Paid again in cash · Anna');
  expect(screen.queryByRole('button', { name: 'Explain' })).toBeNull();

  await act(async () => fireEvent.click(screen.getByRole('switch', { name: 'Only differences' })));
  expect(address()).toContain('differences=true');
  await waitFor(() => expect(calls.lines.mock.lastCall![3]).toMatchObject({ differences: true }));
});

it('tells apart what the comparison has booked, what is not known there, and what is not known here', async () => {
  lines = [
    line({ id: '1', difference: 'state', explained: 'booked' }),
    line({ id: '2', difference: 'missing_there', seen_state: null, seen_amount: null, fee: null }),
    line({ id: '3', difference: 'missing_here', attempt_id: null, order_id: null, state: null }),
    line({ id: '4', difference: null }),
    line({ id: '5', difference: null, state: 'failed', captured: 0, seen_state: 'failed' }),
  ];
  open(`?tab=reconciling&comparison=${ID}`);
  const list = await screen.findByRole('list', { name: 'Compared payments' });
  const [booked, there, here, same, refused] = within(list).getAllByRole('listitem');
  within(booked!).getByText(en['payments.explained_booked']!);
  expect(textOf(there!)).toContain('StatePaidNot known there');
  expect(textOf(here!)).toContain('Only the provider knows it');
  expect(within(here!).queryByRole('link')).toBeNull();
  within(same!).getByText('The same');
  // The provider names what was asked for.
  expect(textOf(refused!)).toContain('StateRefusedRefusedCame in0 Ft–');
  expect(within(list).getAllByRole('button', { name: 'Explain' })).toHaveLength(2);
});

it('says that nothing was compared, that it goes on, and that it could not be read', async () => {
  rows = [];
  open('?tab=reconciling');
  await screen.findByText(en['payments.empty_title.payment_reconciliations']!);
  cleanup();
  rows = [comparison({ state: 'running', progress: 40 })];
  open(`?tab=reconciling&comparison=${ID}`);
  await screen.findByText(en['payments.comparison_runs']!);
  expect(calls.lines).not.toHaveBeenCalled();
  cleanup();
  calls.list.mockRejectedValueOnce(new ApiError({ status: 500, code: 'INTERNAL_ERROR', title: 'x' }));
  open('?tab=reconciling');
  await press(shared['action.retry']!);
  await screen.findByRole('row', { name: /2026\/11\/19/ });
});

it('is a work of the tray: own ones, with the differences and the way to them', () => {
  const words = {
    t: (key: string, holes?: object) => [key, ...Object.values(holes ?? {})].join(' '),
    format: { day: String, number: String },
    url: (key: string, _sub: string, query: object) => `/${key}?${Object.values(query).join()}`,
  } as never;
  expect(source.own(comparison(), {} as Me)).toBe(false);
  const done = source.toWork(comparison({ mine: true }), words);
  expect(done.result).toEqual({
    text: 'work_reconciling.differences 2 1',
    to: { url: `/payments?reconciling,${ID}`, text: 'work_reconciling.open' },
  });
  expect(source.toWork(comparison({ state: 'failed' }), words).retry).toBeDefined();
});

it('ends a month with its last day, or with today', () => {
  expect(monthOf('2026-02-10', '2026-11-20')).toEqual({ from: '2026-02-01', till: '2026-02-28' });
  expect(monthOf('2026-11-10', '2026-11-20')).toEqual({ from: '2026-11-01', till: '2026-11-20' });
});
