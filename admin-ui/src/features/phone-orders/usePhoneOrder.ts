import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ordersCreate } from '../../generated/client/public/public';
import type { MenuRestaurant, NewOrder, Order, PublicPaymentMethod } from '../../generated/model';
import { type Draft, useDraft } from '../../lib/form/useDraft';
import { useUnsaved } from '../../lib/form/unsaved';
import { type SaveState, useSave } from '../../lib/form/useSave';
import { ApiError } from '../../lib/http';
import { session } from '../../lib/session';
import { here, useRestaurant } from '../../lib/target';
import { newPriceOf, type PriceChange } from '../order-taking/PriceChanged';
import { isUnknownCode, type Reason } from '../order-taking/reasons';
import { tipAmount } from '../order-taking/tip';
import { type RunningQuote, useQuote } from '../order-taking/useQuote';
import {
  type Around,
  differs,
  FRESH,
  isPlaced,
  orderBody,
  type PhoneDraft,
  place,
  quoteBody,
  validate,
  withRegion,
} from './draft';
import { type Sent, storedOrder } from './stored';
import { type Region, useBeginning } from './useDefaults';

export interface PhoneOrder {
  form: Draft<PhoneDraft>;
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
  /** It was sent before the page was loaded anew, and nobody answered. */
  maybeSent: boolean;
  /** It was begun before the page was loaded anew, and nothing has changed since. */
  restored: boolean;
  /** It was to be sent, and the reasons stand against it. */
  refused: boolean;
  /** It is sent as soon as its price is there. */
  waiting: boolean;
  /** The service asks more than the guest was told. */
  change: PriceChange | undefined;
  dropChange: () => void;
  acceptChange: () => void;
  /** The order that was taken last. */
  taken: Order | undefined;
  /** Of the call: another one after an order was taken or given up. */
  call: number;
  send: () => Promise<void>;
  /** Forgets what was said, for the next call. */
  restart: () => void;
}

/** The draft, kept in this tab until it is sent or given up. */
function useKeptDraft() {
  const restaurant = useRestaurant();
  const person = useSyncExternalStore(session.subscribe, session.latest)?.id ?? '';
  const stored = useMemo(() => storedOrder(person, restaurant.id), [person, restaurant.id]);
  const [kept] = useState(() => stored.read());
  const sent = useRef<Sent | undefined>(kept?.sent);
  const form = useDraft<PhoneDraft>({ start: () => kept?.draft ?? FRESH, differ: differs, validate, place });
  const { draft } = form;
  useEffect(() => stored.write(draft, sent.current), [stored, draft]);
  // Whoever leaves the screen was asked; a page that is loaded anew runs no clean-up.
  useEffect(() => stored.forget, [stored]);
  useUnsaved({ dirty: form.dirty });
  return {
    form,
    maybeSent: kept?.sent !== undefined && draft === kept.draft,
    restored: draft === kept?.draft,
    sent: {
      read: () => sent.current,
      write: (next: Sent | undefined) => {
        sent.current = next;
        stored.write(form.read(), next);
      },
    },
  };
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

/** Amounts and codes are taken over when their field is left: a shortcut comes while the cursor is in one. */
async function commitTyping(): Promise<void> {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.blur();
  await new Promise((resolve) => setTimeout(resolve));
  field.focus({ preventScroll: true });
}

interface Priced extends Pick<PhoneOrder, 'form' | 'running' | 'reasons'> {
  save: Pick<ReturnType<typeof useSave>, 'run' | 'unknown'>;
  onReasons: Options['onReasons'];
}

/** Sends once the price is there, or says what is missing or stands against it. */
function useSending(priced: Priced) {
  const latest = useRef(priced);
  latest.current = priced;
  const [refused, setRefused] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const proceed = async () => {
    const { reasons, save, onReasons } = latest.current;
    if (reasons.length === 0) return void (await save.run());
    setRefused(true);
    onReasons(reasons);
  };
  const send = async () => {
    setRefused(false);
    await commitTyping();
    if (!(await latest.current.form.check())) return;
    const { running, save } = latest.current;
    if (!running.stale || save.unknown) return proceed();
    if (running.error === undefined) setWaiting(true);
    else running.retry();
  };
  const { stale, error } = priced.running;
  const answered = waiting && (!stale || error !== undefined);
  useEffect(() => {
    if (!answered) return;
    setWaiting(false);
    if (!latest.current.running.stale) void proceed();
  }, [answered]);
  return {
    send,
    refused,
    waiting,
    forget: () => {
      setRefused(false);
      setWaiting(false);
    },
  };
}

interface Options {
  restaurant: MenuRestaurant | undefined;
  methods: readonly PublicPaymentMethod[];
  /** An order was taken or given up: the next call. */
  onNext: () => void;
  /** It would be refused: go to the first reason. */
  onReasons: (reasons: readonly Reason[]) => void;
}

/** Taking one order after the other: draft, running price, sending. */
export function usePhoneOrder({ restaurant, methods, onNext, onReasons }: Options): PhoneOrder {
  const { form, sent, maybeSent, restored } = useKeptDraft();
  const { draft } = form;
  const [taken, setTaken] = useState<Order>();
  const [change, setChange] = useState<PriceChange>();
  const [call, setCall] = useState(1);
  const beginning = useBeginning(draft, methods);
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
      const text = JSON.stringify(body);
      const known = sent.read();
      const own = known?.body === text ? known.key : key;
      sent.write({ body: text, key: own });
      try {
        return await ordersCreate(...here(), body, undefined, { 'Idempotency-Key': own });
      } catch (failure) {
        if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500)
          sent.write(undefined);
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
  const sending = useSending({ form, save, running, reasons, onReasons });
  return {
    form,
    state: save,
    running,
    region,
    reasons,
    tip: around.tip,
    methods,
    method,
    maybeSent,
    restored,
    refused: sending.refused && reasons.length > 0,
    waiting: sending.waiting,
    change,
    dropChange: () => setChange(undefined),
    acceptChange: () => {
      if (!change) return;
      running.adopt(change.now);
      setChange(undefined);
      // With the next rendering the new price is the one that was told.
      setTimeout(() => void save.run());
    },
    // With the next one begun it would be read as the answer to that.
    taken: form.dirty ? undefined : taken,
    call,
    send: async () => {
      setTaken(undefined);
      await sending.send();
    },
    restart: () => {
      restart();
      setTaken(undefined);
      save.dismissError();
    },
  };
}
