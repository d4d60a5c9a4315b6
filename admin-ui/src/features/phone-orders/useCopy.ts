import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ordersGet } from '../../generated/client/orders/orders';
import type { Order } from '../../generated/model';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useNotify } from '../../lib/ui/notify';
import type { Missing } from '../order-taking/again';
import type { Book } from '../order-taking/menu';
import { copyOf } from './initial';
import type { PhoneOrder } from './usePhoneOrder';

/** The name in the address: an order that is to be taken once more. */
const PARAM = 'copy';

/** An order that the address names is copied into the draft, once the menu is there; asks before one is lost. */
export function useCopy({ form, begin }: Pick<PhoneOrder, 'form' | 'begin'>, book: Book | undefined) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [params, setParams] = useSearchParams();
  const from = params.get(PARAM);
  const [missing, setMissing] = useState<readonly Missing[]>();
  const handled = useRef<string>(undefined);
  const source = useRead(
    readKey('ordersGet', 'copied', from),
    ({ signal }) => ordersGet(...here(), from ?? '', { signal }),
    { enabled: from !== null },
  );
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
      const copied = copyOf(order, menu);
      begin(copied.initial);
      setMissing(copied.missing);
    };
    void copy(data, book);
  }, [from, data, error, book, form, begin, notify, setParams, t]);

  return { missing, forget: () => setMissing(undefined) };
}

function without(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(PARAM);
  return next;
}
