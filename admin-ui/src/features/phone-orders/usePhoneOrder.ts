import { useEffect, useMemo, useRef, useState } from 'react';
import { ordersCreate } from '../../generated/client/public/public';
import type { MenuRestaurant, NewOrder, Order, PublicPaymentMethod } from '../../generated/model';
import type { Draft } from '../../lib/form/useDraft';
import { type SaveState, useSave } from '../../lib/form/useSave';
import { ApiError } from '../../lib/http';
import { here } from '../../lib/target';
import { newPriceOf, type PriceChange } from '../order-taking/PriceChanged';
import { isUnknownCode, type Reason } from '../order-taking/reasons';
import { tipAmount } from '../order-taking/tip';
import { type RunningQuote, useQuote } from '../order-taking/useQuote';
import { type Around, FRESH, isPlaced, orderBody, type PhoneDraft, quoteBody, withRegion } from './draft';
import { draftFrom, type Initial } from './initial';
import { type Region, useBeginning } from './useDefaults';
import { type Guest, useGuest } from './useGuest';
import { type KeptDraft, useKeptDraft } from './useKeptDraft';
import { useFilling, useSending, type Waiting } from './useSending';

export interface PhoneOrder {
  form: Draft<PhoneDraft>;
  guest: Guest;
  state: SaveState;
  running: RunningQuote;
  /** Who delivers to the address. */
  region: Region;
  /** Why it would be refused now. */
  reasons: readonly Reason[];
  /** The amount of the tip. */
  tip: number | undefined;
  methods: readonly PublicPaymentMethod[];
  method: PublicPaymentMethod | undefined;
  /** It is accepted as it is taken. */
  atOnce: boolean;
  /** It was sent before the page was loaded anew, and nobody answered. */
  maybeSent: boolean;
  /** It was begun before the page was loaded anew, and nothing has changed since. */
  restored: boolean;
  /** It was to be sent, and the reasons stand against it. */
  refused: boolean;
  /** It is sent as soon as this is there. */
  waiting: Waiting | undefined;
  /** Work that fills in fields: nothing is sent before it is done. */
  fill: <T>(work: Promise<T>) => Promise<T>;
  /** The service asks more than the guest was told. */
  change: PriceChange | undefined;
  dropChange: () => void;
  acceptChange: () => void;
  /** The order that was taken last. */
  taken: Order | undefined;
  /** Of the call: another one after an order was taken or given up. */
  call: number;
  send: () => Promise<void>;
  /** Takes all of this for what was said so far, and looks up whose the number is. */
  begin: (initial: Initial) => void;
  /** Forgets what was said, for the next call. */
  restart: () => void;
}

/** A code that nobody has is priced without, from the answer on until it is another one. */
function useUnknownCode(code: string) {
  const [unknown, setUnknown] = useState<string>();
  return {
    unknownCode: unknown === code.trim() ? unknown : undefined,
    note: (reasons: readonly Reason[]) => {
      if (code.trim() && isUnknownCode(reasons)) setUnknown(code.trim());
    },
  };
}

const NOBODY_HAS_IT: Reason = { reason: 'coupon_not_applicable' };

/** The price of the draft, with the reasons against it that somebody can do something about. */
function usePriced(beginning: ReturnType<typeof useBeginning>, restaurant: MenuRestaurant | undefined) {
  const { draft } = beginning.region;
  const coupon = useUnknownCode(draft.coupon_code);
  // A share is one of the goods, which only a price tells: it comes with the price after that.
  const [goods, setGoods] = useState<RunningQuote['quote']>();
  const around: Around = {
    payment_method_id: beginning.method?.id,
    cash: beginning.method?.payment_key === 'cash',
    tip: tipAmount(draft.tip, restaurant?.default_tip, goods),
    unknownCode: coupon.unknownCode,
  };
  const priced = useQuote(quoteBody(draft, around));
  const { quote } = priced;
  // What an order begins with, or the tip that follows from the goods, may still come: a price without it is not told.
  const following = quote !== undefined && quote !== goods;
  const running = { ...priced, stale: priced.stale || beginning.unsettled || following };
  const { stale } = running;
  useEffect(() => setGoods(quote), [quote]);
  const found = quote?.reasons;
  const { note } = coupon;
  useEffect(() => {
    if (found && !stale) note(found);
    // `note` belongs to the code that was priced
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [found, stale]);
  const placed = isPlaced(draft) || draft.by_hand;
  const reasons = useMemo(() => {
    // Before an address was said, nobody delivers anywhere.
    const told = (found ?? []).filter(({ reason }) => placed || reason !== 'no_delivery_there');
    return coupon.unknownCode && !isUnknownCode(told) ? [...told, NOBODY_HAS_IT] : told;
  }, [found, placed, coupon.unknownCode]);
  const bodyOf = (values: PhoneDraft) =>
    orderBody(withRegion(values, beginning.region.fallback), around, quote);
  return { running, around, reasons, bodyOf };
}

/** The same body that nobody answered goes once more under its key. */
async function sendOnce(body: NewOrder, key: string, sent: KeptDraft['sent']): Promise<Order> {
  const text = JSON.stringify(body);
  const known = sent.read();
  const own = known?.body === text ? known.key : key;
  sent.write({ body: text, key: own });
  try {
    return await ordersCreate(...here(), body, undefined, { 'Idempotency-Key': own });
  } catch (failure) {
    if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500) sent.write(undefined);
    throw failure;
  }
}

interface Options {
  /** What is kept through a reload stays apart from other orders by it: an order that takes another's place. */
  purpose?: string;
  restaurant: MenuRestaurant | undefined;
  methods: readonly PublicPaymentMethod[];
  /** An order was taken or given up: the next call. */
  onNext: () => void;
  /** It would be refused: go to the first reason. */
  onReasons: (reasons: readonly Reason[]) => void;
}

const beginOf = (form: Draft<PhoneDraft>, guest: Guest) => (initial: Initial) => {
  form.set(draftFrom(initial));
  if (initial.phone) guest.look(initial.phone);
};

/** Taking one order after the other: draft, running price, sending. */
export function usePhoneOrder({ purpose, restaurant, methods, onNext, onReasons }: Options): PhoneOrder {
  const { form, sent, maybeSent, restored } = useKeptDraft(purpose);
  const guest = useGuest(form);
  const { filling, fill } = useFilling();
  const [taken, setTaken] = useState<Order>();
  const [change, setChange] = useState<PriceChange>();
  const [call, setCall] = useState(1);
  const beginning = useBeginning(form.draft, methods);
  const { region, method } = beginning;
  const { running, around, reasons, bodyOf } = usePriced(beginning, restaurant);
  const latest = useRef({ running, reasons, bodyOf });
  latest.current = { running, reasons, bodyOf };

  const restart = () => {
    sent.write(undefined);
    form.begin(FRESH);
    sending.forget();
    setCall((before) => before + 1);
    onNext();
  };
  const save = useSave<PhoneDraft, NewOrder, Order>({
    values: form,
    guard: false,
    bodyOf: (values) => latest.current.bodyOf(values),
    send: async (body, key) => {
      try {
        return await sendOnce(body, key, sent);
      } catch (failure) {
        const now = newPriceOf(failure);
        if (now) setChange({ before: latest.current.running.quote, now });
        // A new price tells what is against it now.
        if (failure instanceof ApiError && failure.code === 'ORDER_NOT_ACCEPTABLE')
          latest.current.running.retry();
        throw failure;
      }
    },
    onSaved: (order) => {
      restart();
      setTaken(order);
    },
  });
  const busy = filling || guest.searching;
  const sending = useSending({ form, save, running, reasons, onReasons, filling: busy });
  return {
    form,
    guest,
    fill,
    state: save,
    running,
    region,
    reasons,
    tip: around.tip,
    methods,
    method,
    atOnce: beginning.atOnce,
    maybeSent,
    restored,
    refused: sending.refused && reasons.length > 0,
    waiting: sending.waiting,
    change,
    dropChange: () => setChange(undefined),
    acceptChange: () => {
      if (change) running.adopt(change.now);
      setChange(undefined);
      // With the next rendering the new price is the one that was told.
      if (change) setTimeout(() => void save.run());
    },
    // With the next one begun it would be read as the answer to that.
    taken: form.dirty ? undefined : taken,
    call,
    send: () => {
      setTaken(undefined);
      return sending.send();
    },
    begin: beginOf(form, guest),
    restart: () => {
      restart();
      setTaken(undefined);
      save.dismissError();
    },
  };
}
