import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ordersGet } from '../../generated/client/orders/orders';
import type { Order } from '../../generated/model';
import { here } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import { addressValues } from '../customers/shared/address';
import { again, type Missing } from '../order-taking/again';
import { cartReducer, EMPTY_CART } from '../order-taking/cart';
import type { Book } from '../order-taking/menu';
import { FRESH, type PhoneDraft } from './draft';
import type { Guest } from './useGuest';
import type { PhoneOrder } from './usePhoneOrder';

/** The name in the address: an order that is to be taken once more. */
const PARAM = 'copy';

/**
 * The guest and the lines of an order, as another one; time, payment, tip and coupon are new. Whose the number is by
 * now is looked up as for any other.
 */
export function draftOf(order: Order, book: Book): { draft: PhoneDraft; missing: readonly Missing[] } {
  const { wanted, missing } = again(order.items, book);
  const draft: PhoneDraft = {
    ...FRESH,
    phone: order.phone_1 ?? '',
    first_name: order.first_name ?? '',
    last_name: order.last_name ?? '',
    email: order.email ?? '',
    message: order.message ?? '',
    pickup: order.pickup,
    address: order.delivery_data ? addressValues(order.delivery_data) : FRESH.address,
    cart: cartReducer(EMPTY_CART, { type: 'add', wanted }),
  };
  return { draft, missing };
}

/** An order that the address names is copied into the draft, once the menu is there; asks before one is lost. */
export function useCopy(
  { form }: Pick<PhoneOrder, 'form'>,
  guest: Pick<Guest, 'look'>,
  book: Book | undefined,
) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [params, setParams] = useSearchParams();
  const from = params.get(PARAM);
  const [missing, setMissing] = useState<readonly Missing[]>();
  const handled = useRef<string>(undefined);
  const source = useQuery({
    queryKey: ['orders', 'copied', from],
    queryFn: ({ signal }) => ordersGet(...here(), from ?? '', { signal }),
    enabled: from !== null,
  });
  const { data, error } = source;

  useEffect(() => {
    if (from === null || handled.current === from || (!error && !(data && book))) return;
    handled.current = from;
    // A page that is loaded anew copies nothing over what was typed since.
    setParams((now) => without(now), { replace: true });
    if (error) return notify.problem(error);
    if (!data || !book) return;
    const copy = async (order: Order, menu: Book) => {
      const sure =
        !form.differs() ||
        (await notify.confirm({
          title: t('phone_orders.copy_question'),
          effect: t('phone_orders.restart_effect'),
          verb: t('phone_orders.copy'),
        }));
      if (!sure) return;
      const copied = draftOf(order, menu);
      form.set(copied.draft);
      setMissing(copied.missing);
      if (copied.draft.phone) guest.look(copied.draft.phone);
    };
    void copy(data, book);
  }, [from, data, error, book, form, guest, notify, setParams, t]);

  return { missing, forget: () => setMissing(undefined) };
}

function without(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(PARAM);
  return next;
}
