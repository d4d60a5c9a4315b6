import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/http';
import { useNotify } from '../../lib/ui/notify';
import type { Order, OrderRow } from './model';
import { useOrderWords } from './parts';

/**
 * After an order went away, the next card lies under the finger: the rest of a double tap must not accept it.
 */
const SETTLE_MS = 1000;

interface Outcome {
  order?: Order;
  /** It is done with here, also when somebody else was faster. */
  gone: boolean;
  /** What the dialog says at its field. */
  refused?: Refused;
}

/** The PIN that was to allow it; a reason that is not offered any more, or asks for words by now. */
export type Refused = 'pin' | 'reason' | 'text';

function refusedAt(error: unknown): Refused | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'PIN_INVALID') return 'pin';
  if (error.keys.includes('reason_id')) return 'reason';
  return error.keys.includes('reason_text') ? 'text' : undefined;
}

/**
 * Calls that change an order, one at a time per order. When two windows act at once, the slower one shows
 * what happened and reads again.
 */
export function useOrderCalls(reload: () => unknown, onDone: (order: Order) => void) {
  const { t } = useTranslation();
  const notify = useNotify();
  const words = useOrderWords();
  const running = useRef(new Set<string>());
  const quietUntil = useRef(0);
  const undoing = useRef(new Map<string, () => void>());
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef({ reload, onDone });
  // An undo comes later, perhaps after another render.
  latest.current = { reload, onDone };

  const run = async (order: OrderRow, call: () => Promise<Order>): Promise<Outcome> => {
    running.current.add(order.id);
    // Only the last action can be undone.
    undoing.current.get(order.id)?.();
    undoing.current.delete(order.id);
    setBusyIds(new Set(running.current));
    try {
      const answer = await call();
      quietUntil.current = performance.now() + SETTLE_MS;
      latest.current.onDone(answer);
      return { order: answer, gone: true };
    } catch (error) {
      const refused = refusedAt(error);
      if (refused) return { gone: false, refused };
      const name = words.name(order);
      const changed =
        error instanceof ApiError && (error.code === 'ORDER_STATE_CHANGED' || error.status === 404);
      if (changed) notify.info(t('order.changed', { name }), t('order.changed_text'));
      else if (error instanceof ApiError && error.unanswered)
        notify.info(t('order.unknown', { name }), t('order.unknown_text'));
      else notify.problem(error);
      return { gone: changed };
    } finally {
      running.current.delete(order.id);
      setBusyIds(new Set(running.current));
      void latest.current.reload();
    }
  };
  const offerUndo = (order: OrderRow, message: string, undo: () => Promise<Order>) => {
    const close = notify.undo(t(message, { name: words.name(order) }), async () => {
      latest.current.onDone(await undo());
      void latest.current.reload();
    });
    undoing.current.set(order.id, close);
  };
  return {
    /** The orders for which a call runs, for what is shown. */
    busyIds,
    /** Runs a call and says what became of it. */
    run,
    /** Whether a call for this order runs, known at once. */
    isRunning: (order: OrderRow) => running.current.has(order.id),
    /** Whether an answer came so recently that a tap may be the rest of a double one. */
    isQuiet: () => performance.now() < quietUntil.current,
    /** Offers undo for some seconds, until the next call for this order. */
    offerUndo,
  };
}
