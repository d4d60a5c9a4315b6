import { useEffect, useRef, useState } from 'react';
import { same } from '../../lib/form/body';
import type { Draft } from '../../lib/form/useDraft';
import { isWholeNumber, useCustomerByPhone } from '../customers/shared/byPhone';
import { FRESH, isKnown, knownAddress, type PhoneDraft } from './draft';

const NOBODY = { customer_id: null, last_name: '', first_name: '', email: '' };

/** What was found out about a number: whose it is, that nobody has it, or not even that. */
export function useGuest(form: Draft<PhoneDraft>) {
  const { draft, set } = form;
  // After a reload the customer is read again; what was typed is kept.
  const [asked, setAsked] = useState(() => (draft.customer_id ? draft.phone.trim() : undefined));
  const query = useCustomerByPhone(asked);
  const noNumber = asked !== undefined && query.data === 'no_number';
  const found = query.data === 'no_number' ? undefined : query.data;
  const handled = useRef<unknown>(undefined);

  useEffect(() => {
    if (!found || handled.current === found) return;
    handled.current = found;
    if (form.read().customer_id === found.id) return;
    const { last_name, first_name, email, address } = form.read();
    // Where there is nothing to choose from, nobody has to.
    const [only, ...others] = found.addresses;
    const unsaid = same(address, FRESH.address);
    const named = last_name.trim() || first_name.trim();
    set({
      customer_id: found.id,
      ...(named ? {} : { last_name: found.last_name, first_name: found.first_name }),
      ...(email.trim() ? {} : { email: found.email ?? '' }),
      ...(only && others.length === 0 && unsaid ? knownAddress(only) : {}),
    });
  }, [found, form, set]);

  // The next call.
  useEffect(() => {
    if (draft.phone === '') setAsked(undefined);
  }, [draft.phone]);

  return {
    asked: asked !== undefined,
    searching: asked !== undefined && query.isFetching,
    /** Null: nobody has the number. */
    customer: asked === undefined ? undefined : found,
    /** It is no whole number: nobody is known by it. */
    noNumber,
    error: query.error ?? undefined,
    /** Looks for a whole number, once. */
    look: (phone = form.read().phone) => {
      const number = phone.trim();
      if (isWholeNumber(number)) setAsked(number);
    },
    /** Another number is another guest: what came with the one before goes. */
    type: (phone: string) => {
      if (phone.trim() === asked) return set({ phone });
      setAsked(undefined);
      set({
        phone,
        ...(asked !== undefined && draft.cart.lines.length > 0 ? { cart_of_other: true } : {}),
        ...(draft.customer_id === null ? {} : NOBODY),
        ...(found && isKnown(draft, found) ? { address: FRESH.address, point: null } : {}),
      });
    },
  };
}

export type Guest = ReturnType<typeof useGuest>;
