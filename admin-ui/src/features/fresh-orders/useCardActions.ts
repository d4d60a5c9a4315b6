import { useCallback, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '../../lib/access';
import { usePageUrl } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { useDefaultMinutes } from '../order/AcceptButtons';
import {
  canAccept,
  canArchive,
  canChange,
  canPrepare,
  canTakeBack,
  isUnaccepted,
  type OrderRow,
} from '../order/model';
import type { OrderActions } from '../order/useOrderActions';
import { useStornoRight } from '../order/useStornoRight';

interface Options {
  unaccepted: OrderRow[];
  actions: OrderActions;
  /** Gives the focus to this card once the lists have changed. */
  focusNext: (id: string) => void;
}

/** What may be done with each card, and the handlers that do it; they stay the same functions. */
export function useCardActions({ unaccepted, actions, focusNext }: Options) {
  const restaurant = useRestaurant();
  const can = useCan();
  const navigate = useNavigate();
  const url = usePageUrl();
  const defaultMinutes = useDefaultMinutes();
  const storno = useStornoRight();

  const rights = (order: OrderRow) => {
    const mayAccept = can('order_accept') && canAccept(order);
    return {
      mayAccept,
      mayPrepare: can('order_accept') && canPrepare(order),
      mayTakeBack: can('order_accept') && canTakeBack(order),
      mayArchive: storno.may && canArchive(order),
      mayChange: canChange(order),
      opensByAccepting: Boolean(restaurant.order_accept_on_open) && mayAccept && isUnaccepted(order),
    };
  };

  const accept = async (order: OrderRow, minutes: number | undefined) => {
    const at = unaccepted.findIndex((other) => other.id === order.id);
    const hadFocus = document.activeElement?.closest<HTMLElement>('[data-order]')?.dataset.order === order.id;
    const done = await actions.accept(order, minutes);
    if (done && hadFocus) focusNext((unaccepted[at + 1] ?? unaccepted[at - 1] ?? order).id);
  };
  const open = async (order: OrderRow) => {
    if (rights(order).opensByAccepting && !(await actions.accept(order, defaultMinutes(order)))) return;
    void navigate(url('order_page', order.id));
  };

  // Handlers of the memoised cards stay the same functions and see what is current.
  const current = { accept, open, prepare: actions.prepare, takeBack: actions.takeBack };
  const latest = useRef(current);
  latest.current = current;
  const onOpen = useCallback((order: OrderRow) => void latest.current.open(order), []);
  const onPrepare = useCallback((order: OrderRow) => void latest.current.prepare(order), []);
  const onTakeBack = useCallback((order: OrderRow) => void latest.current.takeBack(order), []);
  const onAccept = useCallback(
    (order: OrderRow, minutes: number | undefined) => void latest.current.accept(order, minutes),
    [],
  );
  return { rights, defaultMinutes, handlers: { onOpen, onAccept, onPrepare, onTakeBack } };
}
