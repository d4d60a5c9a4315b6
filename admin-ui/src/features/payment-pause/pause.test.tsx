import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { BookedSince, OnlinePaymentPause, Restaurant } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { showAt, signIn, stage, textOf } from '../../lib/stage.test-data';
import Pause from '.';
import en from './en';

const calls = vi.hoisted(() => ({ get: vi.fn(), end: vi.fn(), booked: vi.fn() }));
vi.mock('../../generated/client/payments/payments', async (original) => ({
  ...(await original<object>()),
  paymentPauseGet: calls.get,
  paymentPauseEnd: calls.end,
  paymentPauseBooked: calls.booked,
}));

const RESTAURANT = { id: 'r', partner_id: 'p', currency: 'huf', timezone: 'Europe/Budapest' } as Restaurant;
const PAUSE: OnlinePaymentPause = {
  paused: true,
  kind: 'restored',
  since: '2026-11-20T09:00:00Z',
  may_end: true,
};
const BOOKED: BookedSince[] = [
  {
    provider: 'barion',
    can_tell: true,
    payments: [
      { reference: 'b1', state: 'captured', amount: 5900, refunded: 900, currency: 'huf', known: false },
      { reference: 'b2', state: 'failed', amount: 100, refunded: 0, currency: 'huf', known: true },
    ],
  },
  { provider: 'simplepay', can_tell: false, payments: [] },
];
stage(RESTAURANT, en);
let pause: OnlinePaymentPause;
beforeEach(() => {
  pause = PAUSE;
  calls.get.mockReset().mockImplementation(async () => pause);
  calls.booked.mockReset().mockImplementation(async () => BOOKED);
  calls.end.mockReset().mockImplementation(async () => {
    pause = { paused: false, may_end: false };
  });
});
const open = () => showAt(RESTAURANT, 'payments', <Pause />);

it('says why payments wait and what was booked since, and lets them go on', async () => {
  signIn('Partner', 'payment_method', 'all_order');
  open();
  await screen.findByText(/brought back to how they were at 2026\/11\/20 10:00/);
  const list = await screen.findByRole('list', { name: 'Barion has booked since then' });
  expect(within(list).getAllByRole('listitem').map(textOf)).toEqual([
    'b15,900 Ftpaidwent back: 900 FtNot known here',
    'b2100 FtrefusedKnown here',
  ]);
  screen.getByText(en['payment_pause.cannot_tell']);
  fireEvent.click(screen.getByRole('button', { name: 'Let payments go on' }));
  const question = within(await screen.findByRole('dialog'));
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Let payments go on' })));
  expect(calls.end).toHaveBeenCalledExactlyOnceWith('p');
  await waitFor(() => expect(screen.queryByText(en['payment_pause.title'])).toBeNull());
});

it('offers no button to those who may not end it', async () => {
  signIn('Partner', 'payment_method');
  pause = { ...PAUSE, kind: 'cloned', may_end: false };
  open();
  await screen.findByText(/is a copy of another one/);
  expect(screen.queryByRole('button')).toBeNull();
  expect(calls.booked).not.toHaveBeenCalled();
});

it('tells users of one restaurant what the providers tell, without asking for more', async () => {
  signIn('Restaurant', 'payment_method', 'all_order');
  open();
  await screen.findByText(/brought back to an earlier moment, or it is a copy/);
  expect(calls.get).not.toHaveBeenCalled();
  expect(screen.queryByRole('button', { name: 'Let payments go on' })).toBeNull();
  cleanup();
  // The service may know better than the session.
  signIn('Partner', 'payment_method', 'all_order');
  calls.get.mockRejectedValue(new ApiError({ status: 403, code: 'USER_PERMISSION_REQUIRED', title: 'x' }));
  open();
  await screen.findByText(/brought back to an earlier moment, or it is a copy/);
});

it('says that it could not be read what was booked', async () => {
  signIn('Partner', 'payment_method', 'all_order');
  calls.booked.mockRejectedValue(new ApiError({ status: 500, code: 'UNKNOWN_ERROR', title: 'x' }));
  open();
  await screen.findByText(en['payment_pause.failed']);
});

it('says nothing while nothing waits', async () => {
  signIn('Restaurant', 'all_order');
  calls.booked.mockResolvedValue([]);
  const { container } = open();
  await waitFor(() => expect(calls.booked).toHaveBeenCalled());
  expect(textOf(container)).toBe('');
});
