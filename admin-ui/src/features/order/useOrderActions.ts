import { useTranslation } from 'react-i18next';
import { useNotify } from '../../lib/ui/notify';
import { acceptOrder, archiveOrder, prepareOrder, takeBackOrder } from './api';
import { canTakeBack, type Order, type OrderRow } from './model';
import { useOrderWords } from './parts';
import { type Refused, useOrderCalls } from './useOrderCalls';

export interface OrderActions {
  /** Whether a call for this order runs; its buttons are locked meanwhile. */
  busy: (id: string) => boolean;
  /**
   * The accepted order; undefined when it did not work (the user has been told) or was a second tap. There is
   * a way back for some seconds, in which the guest is told nothing.
   */
  accept: (order: OrderRow, minutes?: number) => Promise<Order | undefined>;
  /**
   * Takes the acceptance back after a confirmation. A guest who was told a time gets a mail that it will be
   * set again.
   */
  takeBack: (order: OrderRow) => Promise<void>;
  /**
   * Calls an accepted order ready, with a way back for some seconds; `false` takes an earlier call back. The
   * changed order; undefined as in `accept`.
   */
  prepare: (order: OrderRow, prepared?: boolean) => Promise<Order | undefined>;
  /**
   * Refuses or cancels, for a standard reason or the id of one of the restaurant's own. False when the dialog must
   * stay open; what was refused where it says so itself.
   */
  archive: (order: OrderRow, reason: string, text?: string, pin?: string) => Promise<boolean | Refused>;
}

/**
 * Accepting and archiving, never optimistic. An unanswered call may have been done: reading again shows it, and
 * doing it twice is refused.
 */
export function useOrderActions(
  reload: () => unknown,
  onDone: (order: Order) => void = () => undefined,
): OrderActions {
  const { t } = useTranslation();
  const notify = useNotify();
  const words = useOrderWords();
  const { busyIds, run, isRunning, isQuiet, offerUndo } = useOrderCalls(reload, onDone);
  return {
    busy: (id) => busyIds.has(id),
    accept: async (order, minutes) => {
      if (isRunning(order) || isQuiet()) return undefined;
      const done = (await run(order, () => acceptOrder(order.id, minutes))).order;
      if (done && canTakeBack(done)) offerUndo(order, 'order.accepted_done', () => takeBackOrder(done));
      return done;
    },
    takeBack: async (order) => {
      const name = words.name(order);
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
      if (isRunning(order)) return;
      const done = (await run(order, () => takeBackOrder(order))).order;
      if (done)
        notify.success(t('order.taken_back', { name }), mailed ? t('order.taken_back_mail') : undefined);
    },
    prepare: async (order, prepared = true) => {
      if (isRunning(order)) return undefined;
      const done = (await run(order, () => prepareOrder(order.id, prepared))).order;
      if (done && prepared) offerUndo(order, 'order.prepared_done', () => prepareOrder(order.id, false));
      return done;
    },
    archive: async (order, reason, text, pin) => {
      if (isRunning(order)) return false;
      const done = await run(order, () => archiveOrder(order.id, reason, text, ...(pin ? [pin] : [])));
      return done.refused ?? done.gone;
    },
  };
}
