import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SellableQuantity } from '../../generated/model';
import { useCan } from '../../lib/access';
import { ApiError } from '../../lib/http';
import { useNotify } from '../../lib/ui/notify';
import { type Change, setQuantity, stepQuantity, useRefreshQuantities, useTakeQuantity } from './api';

/** Pieces of a size when counting is switched on. */
export const FIRST = 20;
/** The most pieces. */
export const MOST = 100_000;

export type Sent = Omit<NonNullable<Change>, 'version'>;

/** Somebody else has set it meanwhile: what was sent, and what holds. */
export interface Clash {
  sent: Sent;
  current: SellableQuantity;
  by: string | undefined;
  at: string | undefined;
}

/** What a size is called on this screen. */
export const nameOf = (row: Pick<SellableQuantity, 'product_name' | 'name' | 'alone'>): string =>
  row.alone || row.name === row.product_name ? row.product_name : `${row.product_name}, ${row.name}`;

export interface QuantityWork {
  /** As it is shown: with the steps that are not answered yet. */
  row: SellableQuantity;
  busy: boolean;
  mayEdit: boolean;
  mayActivate: boolean;
  clash: Clash | undefined;
  settle: (choice: 'mine' | 'theirs' | 'later') => void;
  /** Whether it was done. */
  put: (change: Sent, version?: number) => Promise<boolean>;
  step: (by: number) => void;
}

/** The row as it was answered last; a list that was asked for before must not hide that. */
function useNewest(read: SellableQuantity) {
  const takeIntoLists = useTakeQuantity();
  const [own, setOwn] = useState<SellableQuantity>();
  const known = own && own.version > read.version ? own : read;
  const latest = useRef(known);
  latest.current = known;
  const take = (answer: SellableQuantity) => {
    setOwn(answer);
    latest.current = answer;
    takeIntoLists(answer);
  };
  return { known, latest, take };
}

/** Runs one after the other. */
function useQueue() {
  const [running, setRunning] = useState(0);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const enqueue = <T>(run: () => Promise<T>): Promise<T> => {
    const done = queue.current.then(run, run);
    queue.current = done;
    setRunning((n) => n + 1);
    const over = () => setRunning((n) => n - 1);
    done.then(over, over);
    return done;
  };
  return { busy: running > 0, enqueue };
}

/**
 * Sends changes one after the other. A version that only the own changes have replaced counts as the one that holds:
 * what was typed while a step was under way is no conflict with that step.
 */
function useCalls() {
  const { busy, enqueue } = useQueue();
  const replaced = useRef(new Map<number, number>());
  const current = (version: number): number => {
    const next = replaced.current.get(version);
    return next === undefined ? version : current(next);
  };
  const call = (before: () => number, run: (version: number) => Promise<SellableQuantity>) =>
    enqueue(async () => {
      const version = current(before());
      const answer = await run(version);
      if (answer.version === version + 1) replaced.current.set(version, answer.version);
      return answer;
    });
  return { busy, call };
}

/**
 * The changes of one row, one after the other. Steps are shown at once; those that are pressed while one is under way
 * are sent as one.
 */
export function useQuantityWork(read: SellableQuantity): QuantityWork {
  const can = useCan();
  const notify = useNotify();
  const refresh = useRefreshQuantities();
  const [mayEdit, mayActivate] = [can('catalog_edit'), can('catalog_activate')];
  const { known, latest, take } = useNewest(read);
  const { busy, call } = useCalls();
  const [ahead, setAhead] = useState(0);
  const [clash, setClash] = useState<Clash>();
  const steps = useRef({ waiting: 0, running: false });

  const quantity = known.sellable_quantity;
  const row =
    quantity == null || ahead === 0 ? known : { ...known, sellable_quantity: Math.max(0, quantity + ahead) };

  const failed = async (error: unknown, sent?: Sent) => {
    const { code, problem } = error instanceof ApiError ? error : { code: '', problem: undefined };
    if (code === 'CONFLICT' && sent && problem?.current)
      setClash({
        sent,
        current: problem.current as unknown as SellableQuantity,
        by: problem.changed_by,
        at: problem.changed_at,
      });
    else notify.problem(error);
    await refresh();
  };
  const put = async (change: Sent, typedAt?: number): Promise<boolean> => {
    try {
      const before = () => typedAt ?? latest.current.version;
      take(await call(before, (version) => setQuantity(read.id, { ...change, version })));
      return true;
    } catch (error) {
      await failed(error, change);
      return false;
    }
  };
  const run = async () => {
    const before = () => latest.current.version;
    const work = steps.current;
    work.running = true;
    try {
      while (work.waiting !== 0) {
        const by = work.waiting;
        work.waiting = 0;
        const on = by > 0 && mayActivate && latest.current.state !== 'on';
        const answer = await call(before, () => stepQuantity(read.id, by, on));
        take(answer);
        setAhead((now) => now - by);
      }
    } catch (error) {
      work.waiting = 0;
      setAhead(0);
      await failed(error);
    } finally {
      work.running = false;
    }
  };
  return {
    row,
    busy,
    mayEdit,
    mayActivate,
    clash,
    settle: (choice) => {
      setClash(undefined);
      if (!clash || choice === 'later') return;
      take(clash.current);
      if (choice === 'mine') void put(clash.sent, clash.current.version);
    },
    put,
    step: (by) => {
      steps.current.waiting += by;
      setAhead((now) => now + by);
      if (!steps.current.running) void run();
    },
  };
}

/** Changes that take effect at once, each with the way back. */
export function useSwitches({ row, mayActivate, put }: QuantityWork) {
  const { t } = useTranslation();
  const notify = useNotify();
  const name = nameOf(row);
  const undoable = async (change: Sent, back: Sent, text: string) => {
    if (await put(change)) notify.undo(t(text, { name }), () => put(back));
  };
  const on = mayActivate && row.state !== 'on' ? { state: 'on' as const } : {};
  return {
    count: (counted: boolean) =>
      counted
        ? undoable(
            { sellable_quantity: FIRST, ...on },
            { sellable_quantity: null, ...('state' in on ? { state: row.state } : {}) },
            'sellable_quantities.counted_now',
          )
        : undoable(
            { sellable_quantity: null },
            {
              sellable_quantity: row.sellable_quantity ?? null,
              ...(row.daily_quantity == null ? {} : { daily_quantity: row.daily_quantity }),
            },
            'sellable_quantities.counted_no_more',
          ),
    state: (state: SellableQuantity['state']) =>
      undoable({ state }, { state: row.state }, `sellable_quantities.now_${state}`),
    /** What is sent with a number that was typed: pieces above 0 are meant to be sold. */
    onWith: (pieces: number): Sent => (pieces > 0 ? on : {}),
  };
}
