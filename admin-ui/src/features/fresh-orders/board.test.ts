import { describe, expect, it, vi } from 'vitest';
import type { OrderStatus } from '../../generated/model';
import { coalesced } from '../../lib/coalesced';
import type { Order, OrderRow } from '../order/model';
import { sampleOrder } from '../order/sample.test-data';
import { type Board, called, EMPTY, isCall, receive, release, replace, split } from './board';
import { nextCard } from './keyboard';

const START = Date.parse('2026-11-20T11:00:00Z');
const at = (second: number) => START + second * 1000;
const order = (id: string, second: number, part: Partial<Order> = {}): Order => {
  const instant = new Date(at(second)).toISOString();
  return sampleOrder({ id, show_at: instant, created_at: instant, ...part });
};
const accepted = (id: string, second: number, acceptedAt = second) =>
  order(id, second, { status: 'processed', accepted_at: new Date(at(acceptedAt)).toISOString() });
const read = (board: Board, second: number, orders: Order[], holding = false) =>
  receive(board, { orders, at: at(second) }, holding);
const ids = (orders: readonly OrderRow[]) => orders.map((o) => o.id);

describe('the board', () => {
  it('announces nothing that was there when it was opened', () => {
    expect(read(EMPTY, 0, [order('a', -300)]).arrivals).toEqual([]);
  });

  it('announces new orders once, oldest first', () => {
    let { board } = read(EMPTY, 0, [order('a', -300)]);
    const next = read(board, 10, [order('c', 9), order('b', 8), order('a', -300)]);
    expect(ids(next.arrivals)).toEqual(['b', 'c']);
    board = next.board;
    expect(read(board, 20, [order('c', 9), order('b', 8), order('a', -300)]).arrivals).toEqual([]);
  });

  it('announces a preorder when its time has come', () => {
    const { board } = read(EMPTY, 0, []);
    expect(
      ids(read(board, 60, [order('p', 55, { created_at: new Date(at(-90_000)).toISOString() })]).arrivals),
    ).toEqual(['p']);
  });

  it('announces orders that arrived during a cut of any length', () => {
    const { board } = read(EMPTY, 0, []);
    expect(ids(read(board, 3600, [order('x', 120)]).arrivals)).toEqual(['x']);
  });

  it('does not announce old ones that a loaded page or a vacated place brings', () => {
    const { board } = read(EMPTY, 0, [order('a', -10)]);
    expect(read(board, 5, [order('a', -10), order('old', -4000)]).arrivals).toEqual([]);
  });

  it('does not announce an order whose items were changed while it waits', () => {
    const { board } = read(EMPTY, 0, [order('a', -10)]);
    const next = read(board, 5, [order('b', 4, { replaces_id: 'a' })]);
    expect(next.arrivals).toEqual([]);
    const event = { order_id: 'b', status: 'succeeded', change: 'replaced', replaces_id: 'a' } as const;
    expect(isCall(event)).toBe(false);
    expect([...called(new Set(['a']), event)]).toEqual(['b']);
    expect([...called(new Set(['a']), { ...event, status: 'processed' })]).toEqual([]);
  });

  it('does not announce accepted orders', () => {
    const { board } = read(EMPTY, 0, []);
    expect(read(board, 5, [accepted('a', 3)]).arrivals).toEqual([]);
  });

  it('holds new orders while the user is busy, and shows them afterwards', () => {
    let { board } = read(EMPTY, 0, [order('a', -10)]);
    const busy = read(board, 5, [order('b', 4), order('a', -10)], true);
    board = busy.board;
    expect(ids(busy.arrivals), 'announced all the same').toEqual(['b']);
    expect(ids(split([order('b', 4), order('a', -10)], board.held).unaccepted)).toEqual(['a']);
    board = read(board, 8, [order('c', 7), order('b', 4), order('a', -10)], true).board;
    expect([...board.held]).toEqual(['b', 'c']);
    expect(release(board).held.size).toBe(0);
    expect(read(board, 9, [order('c', 7), order('b', 4)], false).board.held.size).toBe(0);
  });

  it('does not hold orders that were accepted or cancelled elsewhere', () => {
    let { board } = read(EMPTY, 0, []);
    board = read(board, 5, [order('b', 4), order('c', 4)], true).board;
    board = read(board, 8, [accepted('b', 4, 6)], true).board;
    expect(board.held.size).toBe(0);
  });

  it('lists longest waiting and latest accepted orders first', () => {
    const lists = split(
      [accepted('d', -50, -5), order('b', -10), accepted('c', -60, -30), order('a', -20)],
      new Set(),
    );
    expect(ids(lists.unaccepted)).toEqual(['a', 'b']);
    expect(ids(lists.accepted)).toEqual(['d', 'c']);
  });

  it('shows a call’s answer in the place of the old row, and drops an archived one', () => {
    const list = [order('a', 0), order('b', 1)];
    expect(replace(list, accepted('a', 0)).map((o) => o.status)).toEqual(['processed', 'succeeded']);
    expect(ids(replace(list, order('a', 0, { archived_at: '2026-11-20T11:00:05Z' })))).toEqual(['b']);
  });
});

describe('a call', () => {
  const event = (
    change: 'created' | 'due' | 'accepted' | 'taken_back' | 'archived',
    part: { due?: boolean; status?: OrderStatus } = {},
  ) => ({ order_id: 'a', counter: 'B1', status: 'succeeded' as OrderStatus, change, ...part });

  it.each([
    ['an order that came', event('created'), true],
    ['one that came, of a service that says so', event('created', { due: true }), true],
    ['one that was accepted as it was taken', event('created', { due: true, status: 'processed' }), false],
    ['a preorder that came', event('created', { due: false }), false],
    ['a preorder that is due', event('due'), true],
    ['one that was accepted before and is due', event('due', { status: 'processed' }), true],
    ['an acceptance', event('accepted', { status: 'processed' }), false],
    ['an acceptance that was taken back', event('taken_back'), false],
  ])('%s', (_, one, calls) => expect(isCall(one)).toBe(calls));

  it('rings for an order beyond the read pages until it is handled', () => {
    const one = called(new Set(), event('created'));
    expect([...one]).toEqual(['a']);
    expect(called(one, event('created'))).toBe(one);
    expect([...called(one, event('accepted', { status: 'processed' }))]).toEqual([]);
    expect([...called(one, event('archived'))]).toEqual([]);
    expect([...called(new Set(), event('due', { status: 'processed' }))]).toEqual([]);
    expect([...called(new Set(), event('created', { due: false }))]).toEqual([]);
  });
});

describe('reading after a burst of events', () => {
  it('runs once at a time and once more for all that came meanwhile', async () => {
    const ends: (() => void)[] = [];
    const task = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
    const run = coalesced(task);
    const all = [run(), run(), run()];
    expect(task).toHaveBeenCalledTimes(1);
    ends[0]!();
    await vi.waitFor(() => expect(task).toHaveBeenCalledTimes(2));
    ends[1]!();
    await Promise.all(all);
    expect(task).toHaveBeenCalledTimes(2);
    void run();
    expect(task).toHaveBeenCalledTimes(3);
  });

  it('goes on after a failure', async () => {
    const task = vi.fn().mockRejectedValueOnce(new Error('x')).mockResolvedValue(undefined);
    const run = coalesced(task);
    await expect(run()).rejects.toThrow('x');
    await run();
    expect(task).toHaveBeenCalledTimes(2);
  });
});

describe('arrows between cards', () => {
  // Two columns: 0 and 2 below each other, 1 and 3 likewise, of different heights.
  const boxes = [
    { left: 0, right: 100, top: 0, bottom: 200 },
    { left: 110, right: 210, top: 0, bottom: 100 },
    { left: 0, right: 100, top: 210, bottom: 300 },
    { left: 110, right: 210, top: 110, bottom: 300 },
  ];
  it.each([
    [0, 'ArrowRight', 1],
    [3, 'ArrowRight', undefined],
    [0, 'ArrowLeft', undefined],
    [2, 'ArrowLeft', 1],
    [0, 'ArrowDown', 2],
    [1, 'ArrowDown', 3],
    [2, 'ArrowUp', 0],
    [3, 'ArrowUp', 1],
    [3, 'ArrowDown', undefined],
  ] as const)('from %d by %s to %s', (from, arrow, to) => expect(nextCard(boxes, from, arrow)).toBe(to));
});
