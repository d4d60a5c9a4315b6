import { act, renderHook } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/http';
import shared from '../../lib/texts/hu';
import hu from './hu';
import type { Order } from './model';
import { sampleOrder } from './sample.test-data';
import { useOrderActions } from './useOrderActions';

const calls = vi.hoisted(() => ({ accept: vi.fn(), archive: vi.fn(), takeBack: vi.fn() }));
const notify = vi.hoisted(() => ({
  info: vi.fn(),
  problem: vi.fn(),
  undo: vi.fn(),
  success: vi.fn(),
  confirm: vi.fn(),
}));
vi.mock('../../lib/ui/notify', () => ({ useNotify: () => notify }));
vi.mock('./api', () => ({
  acceptOrder: calls.accept,
  archiveOrder: calls.archive,
  takeBackOrder: calls.takeBack,
}));

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation: { ...shared, ...hu } } },
    keySeparator: false,
    nsSeparator: false,
  });
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'Date'] });
  calls.accept.mockReset();
  calls.archive.mockReset();
  notify.info.mockReset();
  notify.undo.mockReset();
  notify.problem.mockReset();
});
afterEach(() => vi.useRealTimers());

const a = sampleOrder({ id: 'a' });
const b = sampleOrder({ id: 'b' });
const accepted = (order: Order): Order => ({ ...order, status: 'processed', allowed: ['archive'] });
const problem = (status: number, code: string) => new ApiError({ status, code, title: code });

function setUp() {
  const reload = vi.fn();
  const done = vi.fn();
  const hook = renderHook(() => useOrderActions(reload, done));
  return { reload, done, actions: () => hook.result.current };
}

describe('accepting', () => {
  it('calls once however often one taps, and locks the order meanwhile', async () => {
    const { reload, done, actions } = setUp();
    let answer: (order: Order) => void = () => undefined;
    calls.accept.mockReturnValue(new Promise<Order>((resolve) => (answer = resolve)));
    let first: Promise<Order | undefined>;
    act(() => void (first = actions().accept(a, 20)));
    expect(actions().busy('a')).toBe(true);
    expect(actions().busy('b')).toBe(false);
    expect(await actions().accept(a, 20)).toBeUndefined();
    expect(calls.accept).toHaveBeenCalledExactlyOnceWith('a', 20);
    await act(async () => {
      answer(accepted(a));
      await first;
    });
    expect(done).toHaveBeenCalledWith(accepted(a));
    expect(reload).toHaveBeenCalledOnce();
    expect(actions().busy('a')).toBe(false);
  });

  it('takes no tap for the order that moved under the finger, until one has looked', async () => {
    const { actions } = setUp();
    calls.accept.mockImplementation(async (id: string) => accepted(id === 'a' ? a : b));
    await act(async () => void (await actions().accept(a)));
    vi.advanceTimersByTime(900);
    expect(await actions().accept(b)).toBeUndefined();
    expect(calls.accept).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    await act(async () => expect((await actions().accept(b))?.id).toBe('b'));
    expect(calls.accept).toHaveBeenCalledTimes(2);
  });

  it('can be taken back for some seconds, of the version that was accepted', async () => {
    const { done, actions, reload } = setUp();
    const once = { ...accepted(a), version: 7, allowed: ['prepare', 'take_back', 'archive'] };
    calls.accept.mockResolvedValue(once);
    calls.takeBack.mockResolvedValue(a);
    await act(async () => void (await actions().accept(a)));
    expect(notify.undo.mock.calls[0]![0]).toBe('Elfogadva: A-012 rendelés');
    await act(async () => notify.undo.mock.calls[0]![1]());
    expect(calls.takeBack).toHaveBeenCalledExactlyOnceWith(once);
    expect(done).toHaveBeenLastCalledWith(a);
    expect(reload).toHaveBeenCalledTimes(2);
    // A service of the release before cannot: nothing is promised.
    notify.undo.mockReset();
    vi.advanceTimersByTime(1000);
    calls.accept.mockResolvedValue(accepted(b));
    await act(async () => void (await actions().accept(b)));
    expect(notify.undo).not.toHaveBeenCalled();
  });

  it.each([
    ['reka@pult.example', hu['order.take_back_effect_mail'], hu['order.taken_back_mail']],
    [null, hu['order.take_back_effect'], undefined],
  ])(
    'is taken back later after a question, which says what the guest at %s hears',
    async (email, effect, note) => {
      const { actions } = setUp();
      const order = { ...accepted(a), email };
      calls.takeBack.mockReset().mockResolvedValue(a);
      notify.confirm.mockReset().mockResolvedValueOnce(false).mockResolvedValueOnce(true);
      await act(async () => actions().takeBack(order));
      expect(calls.takeBack).not.toHaveBeenCalled();
      await act(async () => actions().takeBack(order));
      expect(notify.confirm).toHaveBeenLastCalledWith(expect.objectContaining({ effect }));
      expect(calls.takeBack).toHaveBeenCalledExactlyOnceWith(order);
      expect(notify.success).toHaveBeenLastCalledWith('Újra elfogadásra vár: A-012 rendelés', note);
    },
  );

  it.each([
    problem(409, 'ORDER_STATE_CHANGED'),
    problem(404, 'ORDER_NOT_EXIST'),
    problem(0, 'NETWORK_ERROR'),
    problem(500, 'UNKNOWN_ERROR'),
  ])('reads again after $message', async (error) => {
    const { reload, done, actions } = setUp();
    calls.accept.mockRejectedValue(error);
    await act(async () => expect(await actions().accept(a)).toBeUndefined());
    expect(reload).toHaveBeenCalledOnce();
    expect(done).not.toHaveBeenCalled();
    expect(actions().busy('a')).toBe(false);
    expect(notify.info.mock.calls.length + notify.problem.mock.calls.length, 'and says so').toBe(1);
    if (error.status !== 500) expect(notify.info.mock.calls[0]![0]).toContain('A-012 rendelés');
  });
});

describe('archiving', () => {
  it.each<[unknown, boolean]>([
    [undefined, true],
    [problem(409, 'ORDER_STATE_CHANGED'), true],
    [problem(0, 'NETWORK_ERROR'), false],
    [problem(422, 'VALIDATION_FAILED'), false],
  ])('after %s the dialog closes: %s', async (error, closes) => {
    const { actions } = setUp();
    if (error) calls.archive.mockRejectedValue(error);
    else calls.archive.mockResolvedValue({ ...a, archived_at: '2026-11-20T11:00:00Z' });
    await act(async () => expect(await actions().archive(a, 'other', 'x')).toBe(closes));
    expect(calls.archive).toHaveBeenCalledExactlyOnceWith('a', 'other', 'x');
  });
});
