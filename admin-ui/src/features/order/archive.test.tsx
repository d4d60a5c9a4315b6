import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Me, PayableTransaction, Restaurant, StornoReason } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { RestaurantContext, setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import { ArchiveDialog } from './ArchiveDialog';
import en from './en';
import { History } from './History';
import type { Order } from './model';
import { sampleOrder } from './sample.test-data';
import { useOrderActions } from './useOrderActions';

const calls = vi.hoisted(() => ({ archive: vi.fn(), get: vi.fn(), reasons: vi.fn() }));
vi.mock('../../generated/client/orders/orders', async (original) => ({
  ...(await original<object>()),
  ordersArchive: calls.archive,
  ordersGet: calls.get,
  stornoReasonsList: calls.reasons,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  paymentMethodsList: async () => [],
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  currency: 'huf',
  timezone: 'UTC',
  primary_language: 'hu',
} as Restaurant;
const own = (id: string, name: string, part: Partial<StornoReason> = {}): StornoReason => ({
  id,
  name,
  used_for: 'both',
  text_required: false,
  active: true,
  ranking: 0,
  version: 1,
  ...part,
});
const OWN = [
  own('oven', 'Elromlott a kemence', { name_sec_lang: 'The oven is broken', used_for: 'refusal' }),
  own('door', 'Nem nyitott ajtót', { used_for: 'storno', text_required: true }),
  own('both', 'Rossz cím'),
  own('off', 'Régi ok', { active: false }),
];
const refusal = (key: string, fault: string) =>
  new ApiError({
    status: 422,
    code: 'VALIDATION_FAILED',
    title: 'x',
    keys: [key],
    faults: [{ key, fault }],
  } as ConstructorParameters<typeof ApiError>[0]);

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...en } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  setTarget(RESTAURANT);
  session.set({
    super_admin: false,
    targets: [{ partner_id: 'p', target_type: 'Partner', permissions: ['order_storno'] }],
  } as unknown as Me);
});
afterAll(() => {
  session.set(null);
  setTarget(undefined);
});
const closed = vi.fn();
beforeEach(() => {
  for (const mock of [...Object.values(calls), closed]) mock.mockReset();
  calls.reasons.mockResolvedValue(OWN);
  calls.archive.mockResolvedValue(sampleOrder());
});
afterEach(cleanup);

const around = (part: React.ReactNode) =>
  render(
    // A button that waited is itself again at once.
    <ConfigProvider theme={{ token: { motion: false } }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <RestaurantContext value={RESTAURANT}>{part}</RestaurantContext>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  );
function Opened({ order }: { order: Order }) {
  const actions = useOrderActions(() => undefined);
  return <ArchiveDialog order={order} actions={actions} onClose={closed} />;
}
const open = (part: Partial<Order> = {}) => around(<Opened order={sampleOrder(part)} />);
const names = () => screen.getAllByRole('radio').map((radio) => radio.closest('label')!.textContent);
const choose = async (name: string) =>
  act(async () => fireEvent.click(await screen.findByRole('radio', { name })));
const press = async (name: string) =>
  act(async () => fireEvent.click(await screen.findByRole('button', { name })));
const bodies = () => calls.archive.mock.calls.map((call) => call[3] as object);

it('offers the reasons for refusing, in the language of the interface, once they are read', async () => {
  let answer: (rows: StornoReason[]) => void = () => undefined;
  calls.reasons.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  open();
  expect(names()).toContain('Out of stock');
  await act(async () => answer(OWN));
  await waitFor(() => expect(names()).toEqual(['The oven is broken', 'Rossz cím']));
  expect(calls.reasons).toHaveBeenCalledExactlyOnceWith('p', 'r', { active: true }, expect.anything());
  await press('Refuse');
  await screen.findByText(en['order.reason_missing']!);
  await choose('The oven is broken');
  await press('Refuse');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(bodies()).toEqual([{ reason_id: 'oven' }]);
});

it('offers those for accepted orders, and asks for words where one does', async () => {
  open({ status: 'processed' });
  await waitFor(() => expect(names()).toEqual(['Nem nyitott ajtót', 'Rossz cím']));
  await choose('Nem nyitott ajtót');
  await press('Cancel order');
  await screen.findByText(en['order.reason_text_missing']!);
  expect(calls.archive).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText(en['order.reason_text']!), { target: { value: ' senki ' } });
  await press('Cancel order');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(bodies()).toEqual([{ reason_id: 'door', reason_text: 'senki' }]);
});

it.each([
  ['none fits', () => calls.reasons.mockResolvedValue([OWN[1]!, OWN[3]!])],
  ['they cannot be read', () => calls.reasons.mockRejectedValue(refusal('x', 'type'))],
])('offers the standard ones when %s', async (_, given) => {
  given();
  open();
  await waitFor(() => expect(calls.reasons).toHaveBeenCalled());
  await choose('Too busy');
  expect(names()).toHaveLength(8);
  await press('Refuse');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(bodies()).toEqual([{ reason: 'too_busy' }]);
});

it('keeps the standard ones for who has chosen one before the others came', async () => {
  let answer: (rows: StornoReason[]) => void = () => undefined;
  calls.reasons.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  open();
  await choose('Closing');
  await act(async () => answer(OWN));
  expect(names()).toContain('Out of stock');
  await press('Refuse');
  await waitFor(() => expect(bodies()).toEqual([{ reason: 'closing' }]));
});

it('says that a reason is gone, and reads the list again', async () => {
  calls.archive.mockRejectedValueOnce(refusal('reason_id', 'not_exist'));
  open();
  await choose('The oven is broken');
  calls.reasons.mockResolvedValue([OWN[2]!]);
  await press('Refuse');
  await screen.findByText(en['order.reason_gone']!);
  await waitFor(() => expect(names()).toEqual(['Rossz cím']));
  expect(closed).not.toHaveBeenCalled();
  await choose('Rossz cím');
  expect(screen.queryByText(en['order.reason_gone']!)).toBeNull();
  await press('Refuse');
  await waitFor(() => expect(closed).toHaveBeenCalled());
});

it('asks for words where a reason does so by now', async () => {
  calls.archive.mockRejectedValueOnce(refusal('reason_text', 'required'));
  open();
  await choose('Rossz cím');
  await press('Refuse');
  await screen.findByText(en['order.reason_text_missing']!);
  expect(closed).not.toHaveBeenCalled();
});

it('the history says the own reason of a partial storno', () => {
  const entry = (details: object) => ({
    status: 'partially_stornoed',
    at: '2026-11-20T11:00:00Z',
    by: 'Réka',
    surface: 'admin',
    details,
  });
  around(
    <History
      order={sampleOrder()}
      entries={[
        entry({ reason: null, reason_name: 'Rossz cím', total_price: -1800 }),
        entry({ reason: 'duplicate', reason_name: null }),
      ]}
    />,
  );
  expect(screen.getByText(/1,800\sFt · Rossz cím/)).toBeTruthy();
  expect(screen.getByText('Came twice')).toBeTruthy();
});

it('the history says that a payment was begun at a provider, and who answered', () => {
  const entry = (status: string, by: string, surface: string, details: object) => ({
    status,
    at: '2026-11-20T11:00:00Z',
    by,
    surface,
    details: { amount: 900, ...details },
  });
  around(
    <History
      order={sampleOrder()}
      entries={[
        entry('payment_begun', '', 'guest', { provider: 'barion' }),
        entry('paid', 'simplepay', 'provider', {}),
        entry('payment_begun', 'Réka', 'pos', {}),
      ]}
    />,
  );
  const events = screen.getAllByRole('listitem').map((item) => item.querySelector('b')?.textContent);
  expect(events).toEqual(['Online payment begun', 'Paid', 'Sent to the terminal']);
  expect(screen.getByText(/· SimplePay$/)).toBeTruthy();
});

it('takes the PIN of somebody who may, says when it is nobody’s or of one who may not, and sends it again', async () => {
  session.set({
    super_admin: false,
    targets: [{ partner_id: 'p', target_type: 'Partner', permissions: ['order_accept'] }],
  } as unknown as Me);
  calls.archive.mockRejectedValueOnce(new ApiError({ status: 403, code: 'PIN_INVALID' }));
  open();
  await choose('The oven is broken');
  await press('Refuse');
  expect(calls.archive).not.toHaveBeenCalled();
  await screen.findByText(en['order.pin_missing']!);
  const pin = screen.getByLabelText<HTMLInputElement>(en['order.pin']!);
  fireEvent.change(pin, { target: { value: '1111' } });
  await press('Refuse');
  await screen.findByText(en['fault.pin_of_other']!);
  await waitFor(() => expect(pin.value).toBe(''));
  expect(closed).not.toHaveBeenCalled();
  fireEvent.change(pin, { target: { value: '2580' } });
  await press('Refuse');
  await waitFor(() => expect(closed).toHaveBeenCalled());
  expect(calls.archive.mock.calls.map((call) => call[5] as object)).toEqual([
    { 'X-Pin': '1111' },
    { 'X-Pin': '2580' },
  ]);
});

const paid = (payment_key: string, value: number, part: Partial<PayableTransaction> = {}) =>
  ({ id: payment_key, payment_key, value, status: 'succeeded', ...part }) as PayableTransaction;
const BY_PROVIDER = /^Paid online: 5,000\sFt\./;
const BY_HAND = /^Already paid: 1,000\sFt\. It has to be given back/;
const MIX = [paid('card_online', 5000, { provider_ref: 'x' }), paid('cash', 1000)];

it('says what goes back by itself, and what somebody hands back', () => {
  open({ paid: 6000, payable_transactions: MIX });
  expect(screen.getByText(BY_PROVIDER)).toBeTruthy();
  expect(screen.getByText(BY_HAND)).toBeTruthy();
  cleanup();
  const held = paid('card_online', 5000, { provider_ref: 'x', status: 'authorised' });
  open({ payable_transactions: [held, paid('cash', 900, { status: 'pending' })] });
  expect(screen.getByText(/^Held by the bank: 5,000\sFt\./)).toBeTruthy();
  expect(screen.queryByText(/paid/)).toBeNull();
});

it('reads the payments of a row of a list', async () => {
  calls.get.mockResolvedValue(sampleOrder({ paid: 6000, payable_transactions: MIX }));
  const { refunds: _, payable_transactions: __, ...summary } = sampleOrder({ paid: 6000 });
  around(<Opened order={summary as Order} />);
  expect(screen.getByText(/^Already paid: 6,000\sFt\.$/)).toBeTruthy();
  await screen.findByText(BY_PROVIDER);
  expect(screen.getByText(BY_HAND)).toBeTruthy();
});
