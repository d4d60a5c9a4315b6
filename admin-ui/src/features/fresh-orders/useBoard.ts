import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNotify } from '../../lib/ui/notify';
import { wholeOrder } from '../order/api';
import { ACCEPT_MINUTES, type Order, type OrderRow } from '../order/model';
import { useOrderActions } from '../order/useOrderActions';
import { usePrint } from '../order/usePrint';
import { useCardFocus, useCardKeys } from './keyboard';
import { useSettling } from './settle';
import { useArrivals } from './useArrivals';
import { useCardActions } from './useCardActions';
import { useFreshOrders } from './useFreshOrders';
import { useReadyOrders } from './useReadyOrders';

/** Scrolled further than this, new orders wait behind a bar. px */
const SCROLLED = 160;

/**
 * The lists of the board, and what its cards do. New orders are held back while somebody scrolls, or has a
 * menu or a dialog open. `letters` allows shortcuts of one letter; `matches` says
 * which orders are shown, of those that are not held back.
 */
export function useBoard(letters: boolean, matches: (order: OrderRow) => boolean) {
  const print = usePrint();
  const [archiving, setArchiving] = useState<OrderRow>();
  const [changing, setChanging] = useState<Order>();
  const notify = useNotify();
  const change = useCallback(
    (order: OrderRow) => void wholeOrder(order).then(setChanging, notify.problem),
    [notify],
  );
  const [menuOpen, setMenuOpen] = useState(false);
  const scrolled = useScrolled(SCROLLED);
  const boardRef = useRef<HTMLDivElement>(null);
  const { announce, justCame, spoken } = useArrivals();
  const orders = useFreshOrders({
    holding: scrolled || menuOpen || archiving !== undefined || changing !== undefined,
    onArrivals: announce,
  });
  const { loadNew } = orders;
  const shown = useMemo(
    () => ({ unaccepted: orders.unaccepted.filter(matches), accepted: orders.accepted.filter(matches) }),
    [orders.unaccepted, orders.accepted, matches],
  );
  const { unaccepted, accepted } = shown;
  const ready = useReadyOrders();
  const reload = () => Promise.all([orders.reload(), ready.reload()]);
  const actions = useOrderActions(reload, orders.put);

  const all = useMemo(() => [...unaccepted, ...accepted], [unaccepted, accepted]);
  const find = useCallback((id: string) => all.find((order) => order.id === id), [all]);
  useSettling(boardRef, all);
  const focusNext = useCardFocus(boardRef, all);
  const { rights, defaultMinutes, handlers } = useCardActions({ unaccepted, actions, focusNext });

  const onKeyDown = useCardKeys(
    boardRef,
    find,
    {
      open: handlers.onOpen,
      accept: (order, choice) => {
        if (rights(order).mayAccept)
          handlers.onAccept(
            order,
            order.is_preorder || choice === undefined ? defaultMinutes(order) : ACCEPT_MINUTES[choice],
          );
      },
      archive: (order) => rights(order).mayArchive && setArchiving(order),
      change: (order) => rights(order).mayChange && change(order),
      print: (order) => print('kitchen', order),
    },
    letters,
  );

  const recall = async (order: OrderRow) => {
    // Its card is on the board again.
    if (await actions.prepare(order, false)) focusNext(order.id);
  };

  return {
    orders,
    /** The two lists as far as the filter lets them pass. */
    shown,
    ready: ready.orders,
    recall: (order: OrderRow) => void recall(order),
    actions,
    boardRef,
    onKeyDown,
    justCame,
    spoken,
    rights,
    handlers: { ...handlers, onArchive: setArchiving, onChange: change, onMenu: setMenuOpen },
    /** The order whose dialog of refusing is open, as it is now. */
    archiving: archiving && (orders.find(archiving.id) ?? archiving),
    closeArchiving: () => setArchiving(undefined),
    /** The order whose form of changing is open, as it was opened. */
    changing,
    closeChanging: () => setChanging(undefined),
    reload: () => void reload(),
    /** Shows the orders that wait behind the bar. */
    showNew: () => {
      loadNew();
      scrollTo({ top: 0 });
    },
  };
}

function useScrolled(px: number): boolean {
  const [scrolled, setScrolled] = useState(() => scrollY > px);
  useEffect(() => {
    const look = () => setScrolled(scrollY > px);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [px]);
  return scrolled;
}
