import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerOrder, ShadowCustomerByPhone } from '../../generated/model';
import { ordersGet } from '../../generated/client/orders/orders';
import type { Draft } from '../../lib/form/useDraft';
import { here } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { again, type Missing } from '../order-taking/again';
import { type CartAction, cartReducer, EMPTY_CART, type Line } from '../order-taking/cart';
import type { Book, Entry } from '../order-taking/menu';
import { asksFirst, firstChoice } from '../order-taking/options';
import type { ChosenOptions } from '../order-taking/OptionsDialog';
import { addressAgain, type PhoneDraft } from './draft';

/** The dialog that is open: for something new, or for a line. */
export interface Open {
  entry: Entry;
  initial: ChosenOptions;
  line?: Line;
}

/** The cart within the draft, and the dialog of options. */
export function useCart(
  form: Draft<PhoneDraft>,
  book: Book,
  customer: ShadowCustomerByPhone | null | undefined,
) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [open, setOpen] = useState<Open>();
  const [added, setAdded] = useState<Pick<ChosenOptions, 'quantity'> & { name: string }>();
  const { cart } = form.draft;
  const filled = cart.lines.length > 0;
  // What is not in the cart any more is not said to be, not even in the next order.
  useEffect(() => {
    if (!filled) setAdded(undefined);
  }, [filled]);
  const change = (action: CartAction) => form.set({ cart: cartReducer(form.read().cart, action) });

  const put = (entry: Entry, said: ChosenOptions) => {
    change({ type: 'add', wanted: [{ subproduct_id: entry.id, name: entry.name, ...said }] });
    setAdded({ quantity: said.quantity, name: entry.name });
  };
  const last = cart.lines.find(({ key }) => key === cart.last);
  return {
    open,
    /** What was added last, in words. */
    spoken: added && filled ? t('taking.added', added) : '',
    last: last && {
      name: book.byId.get(last.subproduct_id)?.name ?? last.name,
      set: (quantity: number) => change({ type: 'quantity', key: last.key, quantity }),
    },
    close: () => setOpen(undefined),
    /** The options are asked for first where somebody must choose, or wants to. */
    add: (entry: Entry, quantity: number, ask: boolean) => {
      const said = { quantity, options: firstChoice(entry.groups), message: '' };
      if (ask || asksFirst(entry.groups)) setOpen({ entry, initial: said });
      else put(entry, said);
    },
    edit: (line: Line) => {
      const entry = book.byId.get(line.subproduct_id);
      if (entry) setOpen({ entry, initial: line, line });
    },
    said: (said: ChosenOptions) => {
      if (!open) return;
      if (open.line) change({ type: 'change', key: open.line.key, change: said });
      else put(open.entry, said);
      setOpen(undefined);
    },
    /** Nothing of what was ordered for the guest before. */
    empty: () => form.set({ cart: EMPTY_CART, gift_choices: [], coupon_code: '', cart_of_other: false }),
    keep: () => form.set({ cart_of_other: false }),
    quantity: (key: number, quantity: number) => change({ type: 'quantity', key, quantity }),
    remove: (line: Line) => {
      const at = cart.lines.findIndex(({ key }) => key === line.key);
      change({ type: 'remove', key: line.key });
      notify.undo(t('taking.removed', { name: line.name }), async () =>
        change({ type: 'restore', line, at }),
      );
    },
    /** An earlier order; what customers' orders tell has no options, so it is read whole. */
    again: async (order: CustomerOrder): Promise<readonly Missing[] | undefined> => {
      try {
        const { items, pickup, delivery_data } = await ordersGet(...here(), order.id);
        const { wanted, missing } = again(items, book);
        change({ type: 'add', wanted });
        if (!pickup && delivery_data) form.set(addressAgain(form.read(), delivery_data, customer));
        return missing;
      } catch (failure) {
        notify.problem(failure);
        return undefined;
      }
    },
  };
}

export type CartWork = ReturnType<typeof useCart>;
