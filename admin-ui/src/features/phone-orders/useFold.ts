import { type RefObject, useEffect, useRef, useState } from 'react';
import { reasonsAt } from '../order-taking/reasons';
import { doubtOf } from './doubt';
import { type PhoneDraft, validate } from './draft';
import type { PhoneOrder } from './usePhoneOrder';

/** What is touched where the focus has just left may not move away below the finger. ms */
const PAUSE_MS = 250;

const OTHERS = new Set(['cart', 'expected_at']);

/** Who it is and where it goes is said, and nothing of it looks wrong. */
export const isComplete = (draft: PhoneDraft): boolean =>
  doubtOf(draft.phone) === undefined && Object.keys(validate(draft)).every((path) => OTHERS.has(path));

type Order = Pick<PhoneOrder, 'form' | 'guest' | 'region' | 'reasons' | 'call'>;

function useComplete({ form: { draft, faults }, guest, region, reasons }: Order): boolean {
  const wrong = Object.keys(faults).some((path) => !OTHERS.has(path) && path !== 'coupon_code');
  const asks = !draft.pickup && (region.stale || Boolean(region.check?.reason) || region.error !== undefined);
  const against = reasonsAt(reasons, 'delivery').length > 0;
  return isComplete(draft) && !wrong && !guest.searching && !asks && !against;
}

/** Somebody types something of the guest: it stays open. The number alone was said with Enter. */
const isTypedIn = (part: HTMLElement | null): boolean => {
  const now = document.activeElement;
  return Boolean(
    part?.contains(now) && now?.matches('input[type=text], textarea') && now.id !== 'field-phone',
  );
};

/**
 * The guest's part where it stands above the menu: one line once it is said, so that the menu is in reach. It opens
 * when something of it is missing or refused, and when somebody wants it.
 */
export function useFold(order: Order, enabled: boolean, onFold: (part: HTMLElement) => void) {
  const part: RefObject<HTMLDivElement | null> = useRef(null);
  const [folded, setFolded] = useState(false);
  // Somebody has opened it, and is still in it.
  const [open, setOpen] = useState(false);
  const said = useComplete(order) && enabled;
  const known = Boolean(order.guest.customer);
  const latest = useRef({ said, onFold });
  latest.current = { said, onFold };

  useEffect(() => {
    if (!said) setFolded(false);
    else if (known && !open && !isTypedIn(part.current)) setFolded(true);
  }, [said, known, open]);
  useEffect(() => setOpen(false), [order.call]);
  useEffect(() => {
    if (folded && part.current) latest.current.onFold(part.current);
  }, [folded]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    part,
    folded,
    unfold: () => {
      setOpen(true);
      setFolded(false);
    },
    /** The focus leaves a field of it. */
    onBlur: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        if (part.current?.contains(document.activeElement)) return;
        setOpen(false);
        if (latest.current.said) setFolded(true);
      }, PAUSE_MS);
    },
  };
}
