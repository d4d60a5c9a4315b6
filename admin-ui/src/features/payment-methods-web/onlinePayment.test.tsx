import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { PaymentMethodsChange, PaymentSettings, Restaurant } from '../../generated/model';
import { ApiError } from '../../lib/http';
import shared from '../../lib/texts/en';
import { showAt, stage } from '../../lib/stage.test-data';
import en from './en';
import { OnlinePayment } from './OnlinePayment';

vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  providerAccountsList: async () => [{ id: 'a1', provider: 'simplepay' }],
}));
vi.setConfig({ testTimeout: 60_000 });

// Its account is gone, its text stays.
const OF_BARION = { provider: 'barion', outcome: 'paid', hu: 'Megvan', en: null } as const;
const OWN = { provider: 'simplepay', outcome: 'refused', hu: 'Nem ment', en: 'It failed' } as const;
const START = {
  version: 4,
  charge_when_accepted: false,
  ask_before_refunds: true,
  page_texts: [OF_BARION, OWN],
} as unknown as PaymentSettings;
const save = vi.fn<(body: PaymentMethodsChange) => Promise<void>>();

/** The screen shows what the service answers. */
function Screen() {
  const [data, setData] = useState(START);
  const put = async (body: PaymentMethodsChange) => {
    await save(body);
    const after = { ...data, ...body, version: data.version + 1 } as PaymentSettings;
    setData(after);
    return after;
  };
  return <OnlinePayment data={data} save={put} />;
}

const RESTAURANT = { id: 'r', partner_id: 'p' } as Restaurant;
stage(RESTAURANT, { ...en, 'errors.CONFLICT': 'Changed meanwhile.' });
beforeEach(() => {
  save.mockReset().mockResolvedValue();
  showAt(RESTAURANT, 'x', <Screen />);
});

const field = async (outcome: string, language: string) =>
  within(
    await screen.findByRole('group', { name: outcome, hidden: true }),
  ).getByLabelText<HTMLTextAreaElement>(language);
const type = async (outcome: string, language: string, value: string) =>
  fireEvent.change(await field(outcome, language), { target: { value } });
const press = () =>
  act(async () =>
    fireEvent.click(screen.getByRole('button', { name: shared['action.save']!, hidden: true })),
  );

it('sends the switch alone, and takes it back', async () => {
  const flag = await screen.findByRole('switch', { name: en['payment_methods.charge_when_accepted'] });
  expect(flag.getAttribute('aria-checked')).toBe('false');
  await act(async () => fireEvent.click(flag));
  expect(save.mock.calls).toEqual([[{ charge_when_accepted: true }]]);
  await act(async () => fireEvent.click(await screen.findByRole('button', { name: /undo/i })));
  expect(save.mock.lastCall).toEqual([{ charge_when_accepted: false }]);
});

it('keeps the focus on the switch while it saves, and sends one thing at a time', async () => {
  let saved = () => undefined as void;
  save.mockReturnValue(new Promise((resolve) => (saved = resolve)));
  const flag = await screen.findByRole('switch', { name: en['payment_methods.charge_when_accepted'] });
  flag.focus();
  await act(async () => fireEvent.click(flag));
  await act(async () => fireEvent.click(flag));
  expect(flag.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(flag);
  await act(async () => saved());
  expect(document.activeElement).toBe(flag);
  expect(flag.getAttribute('aria-disabled')).toBeNull();
  expect(save).toHaveBeenCalledOnce();
});

it('sends all texts with the changed one, and the emptied one no more', async () => {
  await screen.findByText('Own texts: 1');
  expect(screen.queryByText('Barion')).toBeNull();
  expect((await field('Refused by the bank', 'In English')).value).toBe('It failed');
  await type('Paid', 'In Hungarian', ' Köszönjük! ');
  await press();
  const paid = { provider: 'simplepay', outcome: 'paid', hu: 'Köszönjük!', en: null };
  await waitFor(() =>
    expect(save.mock.lastCall).toEqual([{ page_texts: [OF_BARION, paid, OWN], version: 4 }]),
  );
  await screen.findByText('Own texts: 2');
  await type('Refused by the bank', 'In Hungarian', '');
  await type('Refused by the bank', 'In English', '');
  await press();
  await waitFor(() => expect(save.mock.lastCall).toEqual([{ page_texts: [OF_BARION, paid], version: 5 }]));
});

it('says at the field that an English text alone cannot be sent', async () => {
  await type('Out of time', 'In English', 'Too late');
  await press();
  await screen.findByText(en['payment_methods.hu_missing']);
  expect(save).not.toHaveBeenCalled();
  await type('Out of time', 'In Hungarian', 'Lejárt');
  save.mockRejectedValueOnce(new ApiError({ status: 409, code: 'CONFLICT', title: 'x' }));
  await press();
  await screen.findByText('Changed meanwhile.');
  // What was typed is still there.
  expect((await field('Out of time', 'In Hungarian')).value).toBe('Lejárt');
});
