import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/http';
import { useNotify } from '../../lib/ui/notify';
import { acceptOrder, archiveOrder, prepareOrder, takeBackOrder } from './api';
import { type ArchiveReason, canTakeBack, type Order } from './model';
import { useOrderWords } from './parts';

/**
 * After an order went away, the next card lies under the finger: the rest of a double tap must not accept it.
 */
const SETTLE_MS = 1000;

export interface OrderActions {
  /** Whether a call for this order runs; its buttons are locked meanwhile. */
  busy: (id: string) => boolean;
  /**
   * The accepted order; undefined when it did not work (the user has been told) or was a second tap. There is
   * a way back for some seconds, in which the guest is told nothing.
   */
  accept: (order: Order, minutes?: number) => Promise<Order | undefined>;
  /**
   * Waits to be accepted again, once that is confirmed; a guest who knows a time is told that it is being set
   * anew.
   */
  takeBack: (order: Order) => Promise<void>;
  /** Calls an accepted order ready, with a way back for some seconds; `false` takes an earlier call back. */
  prepare: (order: Order, prepared?: boolean) => Promise<void>;
  /** Refuses or cancels. False when the dialog must stay open. */
  archive: (order: Order, reason: ArchiveReason, text?: string) => Promise<boolean>;
}

/**
 * Accepting and archiving, never optimistic. Two windows may do it at once: the slower one is told what
 * happened and reads again. An unanswered call may have been done: reading again shows it, and doing it twice
 * is refused.
 */
export function useOrderActions(
  reload: () => unknown,
  onDone: (order: Order) => void = () => undefined,
): OrderActions {
  const { t } = useTranslation();
  const notify = useNotify();
  const words = useOrderWords();
  const running = useRef(new Set<string>());
  const quietUntil = useRef(0);
  const undoing = useRef(new Map<string, () => void>());
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef({ reload, onDone, words });
  latest.current = { reload, onDone, words };

  const run = useCallback(
    async (order: Order, call: () => Promise<Order>): Promise<{ order?: Order; gone: boolean }> => {
      running.current.add(order.id);
      // What can be undone is the last thing that was done.
      undoing.current.get(order.id)?.();
      undoing.current.delete(order.id);
      setBusyIds(new Set(running.current));
      try {
        const answer = await call();
        quietUntil.current = performance.now() + SETTLE_MS;
        latest.current.onDone(answer);
        return { order: answer, gone: true };
      } catch (error) {
        const name = latest.current.words.name(order);
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
    },
    [notify, t],
  );

  return useMemo(
    () => ({
      busy: (id) => busyIds.has(id),
      accept: async (order, minutes) => {
        if (running.current.has(order.id) || performance.now() < quietUntil.current) return undefined;
        const done = (await run(order, () => acceptOrder(order.id, minutes))).order;
        if (done && canTakeBack(done)) {
          undoing.current.set(
            order.id,
            notify.undo(t('order.accepted_done', { name: latest.current.words.name(order) }), async () => {
              latest.current.onDone(await takeBackOrder(done));
              void latest.current.reload();
            }),
          );
        }
        return done;
      },
      takeBack: async (order) => {
        const name = latest.current.words.name(order);
        // Whether the guest has been told, only the service knows; without an address there is nobody to
        // tell.
        const mailed = Boolean(order.email);
        if (
          !(await notify.confirm({
            title: t('order.take_back_question', { name }),
            effect: t(mailed ? 'order.take_back_effect_mail' : 'order.take_back_effect'),
            verb: t('order.take_back'),
            danger: false,
          }))
        )
          return;
        if (running.current.has(order.id)) return;
        const done = (await run(order, () => takeBackOrder(order))).order;
        if (done)
          notify.success(t('order.taken_back', { name }), mailed ? t('order.taken_back_mail') : undefined);
      },
      prepare: async (order, prepared = true) => {
        if (running.current.has(order.id)) return;
        const done = (await run(order, () => prepareOrder(order.id, prepared))).order;
        if (done && prepared) {
          undoing.current.set(
            order.id,
            notify.undo(t('order.prepared_done', { name: latest.current.words.name(order) }), async () => {
              latest.current.onDone(await prepareOrder(order.id, false));
              void latest.current.reload();
            }),
          );
        }
      },
      archive: async (order, reason, text) =>
        running.current.has(order.id)
          ? false
          : (await run(order, () => archiveOrder(order.id, reason, text))).gone,
    }),
    [busyIds, run, notify, t],
  );
}
