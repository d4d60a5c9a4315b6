import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Drawer, DrawerClose, DrawerLine, Me, Restaurant } from '../../generated/model';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { RestaurantContext, setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import orderTexts from '../order/en';
import { ClosePage } from './ClosePage';
import { CloseSlip } from './CloseSlip';
import en from './en';
import MoveDialog from './MoveDialog';

const calls = vi.hoisted(() => ({ get: vi.fn(), close: vi.fn(), move: vi.fn(), methods: vi.fn() }));
vi.mock('../../generated/client/payments/payments', async (original) => ({
  ...(await original<object>()),
  drawerGet: calls.get,
  drawerClosesCreate: calls.close,
  drawerMovementsCreate: calls.move,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  paymentMethodsList: calls.methods,
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  name: 'Kispiac',
  currency: 'huf',
  timezone: 'UTC',
} as Restaurant;
const line = (payment_key: string, expected: number): DrawerLine => ({
  payment_key,
  currency: 'huf',
  left_before: 0,
  taken: expected,
  given_back: 0,
  change_given: 0,
  moved: 0,
  expected,
});
const DRAWER: Drawer = {
  currency: 'huf',
  courier_id: null,
  since: null,
  lines: [line('cash', 14_400), line('card', 1100)],
  persons: [],
  movements: [],
  unpaid: [
    { order_id: 'o', counter: 'A1', due: 600, payment_key: 'cash', promised_at: '2026-11-20T11:30:00Z' },
  ],
  assumed: [],
  couriers: [{ courier_id: 'bela', name: 'Béla', currency: 'huf', holds: 2000 }],
  waiting_payments: { count: 0, total: 0 },
  asked_refunds: { count: 0, total: 0 },
};

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: {
      en: { translation: { ...shared, ...orderTexts, ...en, 'errors.CONFLICT': 'Changed.' } },
    },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  setTarget(RESTAURANT);
  session.set({
    super_admin: false,
    targets: [{ partner_id: 'p', target_type: 'Partner', permissions: ['order_accept'] }],
  } as unknown as Me);
});
afterAll(() => {
  session.set(null);
  setTarget(undefined);
});
beforeEach(() => {
  for (const call of Object.values(calls)) call.mockReset();
  calls.methods.mockResolvedValue([
    { id: '1', payment_key: 'cash', name_en: 'Cash' },
    { id: '2', payment_key: 'card', name_en: 'Card' },
  ]);
  calls.get.mockResolvedValue(DRAWER);
});
afterEach(cleanup);

function show(part: React.ReactNode) {
  const router = createMemoryRouter([
    {
      path: '*',
      element: (
        <UnsavedProvider>
          <RestaurantContext.Provider value={RESTAURANT}>{part}</RestaurantContext.Provider>
        </UnsavedProvider>
      ),
    },
  ]);
  render(
    // What closes is gone at once.
    <ConfigProvider theme={{ token: { motion: false } }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  );
}
const type = (label: RegExp, value: string) => {
  const input = screen.getByLabelText<HTMLInputElement>(label);
  fireEvent.change(input, { target: { value } });
  fireEvent.blur(input);
  return input;
};
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const question = () => screen.findByRole('dialog', { name: 'Close the drawer?' });
const answer = async (verb: string) =>
  fireEvent.click(within(await question()).getByRole('button', { name: verb }));
/** The last one that was sent. */
const sent = () => calls.close.mock.lastCall as [string, string, object, { 'Idempotency-Key': string }];

describe('closing a drawer', () => {
  const open = async () => {
    show(<ClosePage courier={undefined} />);
    await screen.findByLabelText(/^Counted – Cash/);
  };

  it('asks for cash, says the difference, asks before it sends, and sends once what was seen', async () => {
    await open();
    press('Close drawer');
    expect(await screen.findByText('Enter how much is in it.')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    // With what closing assumes: 14,400 and 600.
    type(/^Counted – Cash/, '14995');
    expect(await screen.findByText('5 Ft missing')).toBeTruthy();
    type(/^Stays in the drawer/, '15000');
    press('Close drawer');
    expect(await screen.findByText('No more can stay than there is.')).toBeTruthy();
    type(/^Stays in the drawer/, '5000');
    calls.close.mockReturnValue(new Promise(() => undefined));
    press('Close drawer');
    const asked = await question();
    for (const text of ['14,995 Ft, 5 Ft missing, 5,000 Ft stays', 'paid: 1, 600 Ft in all'])
      expect(asked.textContent!.replaceAll('\u00a0', ' ')).toContain(text);
    await answer('Cancel');
    expect(calls.close).not.toHaveBeenCalled();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('Close drawer');
    await answer('Close drawer');
    await waitFor(() => expect(calls.close).toHaveBeenCalledTimes(1));
    expect(sent()[2]).toEqual({
      lines: [
        { payment_key: 'cash', currency: 'huf', counted: '14995', left_over: '5000', expected: '15000' },
      ],
    });
  });

  it('keeps what was typed when the figures have changed, shows the new ones, and sends another key', async () => {
    await open();
    type(/^Counted – Cash/, '15000');
    type(/^Counted – Card/, '1100');
    fireEvent.change(screen.getByLabelText('Note'), { target: { value: 'ok' } });
    calls.close.mockRejectedValueOnce(
      new ApiError({
        status: 409,
        code: 'CONFLICT',
        current: [line('cash', 15_500), line('card', 1100)] as unknown as Record<string, unknown>,
      }),
    );
    calls.get.mockResolvedValue({ ...DRAWER, lines: [line('cash', 14_900), line('card', 1100)] });
    press('Close drawer');
    await answer('Close drawer');
    expect(await screen.findByText(/The figures were different meanwhile/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(/^Counted – Cash/).value).toBe('15,000');
    expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('ok');
    expect(await screen.findByText('500 Ft missing')).toBeTruthy();
    const first = sent()[3]['Idempotency-Key'];
    calls.close.mockReturnValue(new Promise(() => undefined));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    press('Close drawer');
    await answer('Close drawer');
    await waitFor(() => expect(calls.close).toHaveBeenCalledTimes(2));
    expect(sent()[2]).toMatchObject({ lines: [{ expected: '15500' }, { expected: '1100' }], note: 'ok' });
    expect(sent()[3]['Idempotency-Key']).not.toBe(first);
  });

  it('repeats the same key when nobody answered', async () => {
    await open();
    type(/^Counted – Cash/, '15000');
    calls.close.mockRejectedValue(new ApiError({ status: 0, code: 'NETWORK_ERROR' }));
    for (const times of [1, 2]) {
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      press('Close drawer');
      await answer('Close drawer');
      await waitFor(() => expect(calls.close).toHaveBeenCalledTimes(times));
      await screen.findByText(shared['form.unknown']!);
    }
    const [one, two] = calls.close.mock.calls.map((call) => call[3]['Idempotency-Key']);
    expect(two).toBe(one);
  });

  it('adds notes and coins up, which a typed sum empties', async () => {
    await open();
    type(/^10,000 Ft/, '1');
    type(/^1,000 Ft/, '5');
    expect(await screen.findByText('Exact')).toBeTruthy();
    type(/^Counted – Cash/, '15500');
    expect(await screen.findByText('500 Ft too much')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(/^10,000 Ft/).value).toBe('');
  });
});

describe('cash beside orders', () => {
  it('is handed in by a courier: offered is what he holds, sent is an amount with its reason', async () => {
    const closed = vi.fn();
    show(
      <MoveDialog
        kind="hand_in"
        drawer={DRAWER}
        couriers={[{ id: 'bela', name: 'Béla' }]}
        holders={DRAWER.couriers}
        from="bela"
        onClose={closed}
      />,
    );
    const value = await screen.findByLabelText<HTMLInputElement>(/^Amount/);
    expect(value.value).toBe('2,000');
    type(/^Amount/, '0');
    press('Take over');
    expect(await screen.findByText('Enter an amount above zero.')).toBeTruthy();
    type(/^Amount/, '1500');
    calls.move.mockResolvedValue({ value: 1500, currency: 'huf' });
    press('Take over');
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect(calls.move.mock.lastCall![2]).toEqual({
      kind: 'hand_in',
      value: '1500',
      reason: 'Handed in by the courier',
      courier_id: 'bela',
    });
  });

  it('is more than he holds only when somebody says so, for the amount that was refused', async () => {
    const closed = vi.fn();
    show(
      <MoveDialog
        kind="hand_in"
        drawer={DRAWER}
        couriers={[{ id: 'bela', name: 'Béla' }]}
        holders={DRAWER.couriers}
        from="bela"
        onClose={closed}
      />,
    );
    await screen.findByLabelText(/^Amount/);
    type(/^Amount/, '2500');
    calls.move.mockRejectedValue(
      new ApiError({ status: 422, code: 'COURIER_HOLDS_LESS', keys: ['value'], holds: 2000 }),
    );
    press('Take over');
    const asked = /^He holds 2,000/;
    await screen.findByText(asked);
    expect(calls.move.mock.lastCall![2]).not.toHaveProperty('confirmed');
    fireEvent.click(screen.getByRole('checkbox'));
    // Another amount is another question.
    type(/^Amount/, '2600');
    await waitFor(() => expect(screen.queryByText(asked)).toBeNull());
    press('Take over');
    await screen.findByText(asked);
    expect(calls.move.mock.lastCall![2]).not.toHaveProperty('confirmed');
    fireEvent.click(screen.getByRole('checkbox'));
    calls.move.mockResolvedValue({ value: 2600, currency: 'huf' });
    press('Take over');
    await waitFor(() => expect(closed).toHaveBeenCalled());
    expect(calls.move.mock.lastCall![2]).toMatchObject({ value: '2600', confirmed: true });
  });
});

describe('a close on paper', () => {
  it('says what was there, what was counted, what is missing, and what nobody confirmed', () => {
    const close: DrawerClose = {
      id: 'c',
      business_day: '2026-11-20',
      created_at: '2026-11-20T22:05:00Z',
      actor_name: 'Anna',
      note: 'holnap',
      lines: [
        {
          ...line('cash', 15_000),
          taken: 18_835,
          given_back: -500,
          change_given: -3335,
          counted: 14_995,
          difference: -5,
          left_over: 5000,
        },
        { ...line('card', 1100), counted: null, difference: null, left_over: 0 },
      ],
      persons: [{ actor_name: 'Anna', payment_key: 'cash', currency: 'huf', total: 15_000 }],
      assumed: [
        {
          payment_id: 'x',
          order_id: 'o',
          counter: 'A1',
          payment_key: 'cash',
          value: 600,
          paid_at: '2026-11-20T11:30:00Z',
        },
      ],
    };
    const { container } = render(
      <CloseSlip
        close={close}
        restaurant={RESTAURANT}
        language="en"
        method={(key) => key}
        now={new Date('2026-11-20T22:06:00Z')}
      />,
    );
    const text = container.textContent!.replaceAll('\u00a0', ' ');
    for (const part of [
      'Kispiac',
      '2026/11/20 22:05',
      'Refunds-500 Ft',
      'Change given for euros-3,335 Ft',
      'Should be there15,000 Ft',
      'Counted14,995 Ft',
      '5 Ft missing',
      'Left in it5,000 Ft',
      'Not counted',
      'Order A1, cash600 Ft',
      'holnap',
    ])
      expect(text).toContain(part);
  });
});
