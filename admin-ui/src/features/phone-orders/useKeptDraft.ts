import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type Draft, useDraft } from '../../lib/form/useDraft';
import { useUnsaved } from '../../lib/form/unsaved';
import { session } from '../../lib/session';
import { useRestaurant } from '../../lib/target';
import { differs, FRESH, type PhoneDraft, place, validate, valueAt } from './draft';
import { type Sent, storedOrder } from './stored';

/** A fault goes once its field has changed, whoever filled it in. */
function useMendedFaults({ draft, faults, set }: Draft<PhoneDraft>) {
  const seen = useRef(new Map<string, unknown>());
  useEffect(() => {
    const before = seen.current;
    seen.current = new Map(Object.keys(faults).map((path) => [path, valueAt(draft, path)]));
    for (const [path, value] of seen.current) {
      if (!before.has(path) || before.get(path) === value) continue;
      seen.current.delete(path);
      set({}, path);
    }
  }, [draft, faults, set]);
}

/** The draft, kept in this tab until it is sent or given up. */
export function useKeptDraft(purpose = '') {
  const restaurant = useRestaurant();
  const person = useSyncExternalStore(session.subscribe, session.latest)?.id ?? '';
  const stored = useMemo(
    () => storedOrder(person, `${restaurant.id}${purpose}`),
    [person, restaurant.id, purpose],
  );
  const [kept] = useState(() => stored.read());
  const sent = useRef<Sent | undefined>(kept?.sent);
  const form = useDraft<PhoneDraft>({ start: () => kept?.draft ?? FRESH, differ: differs, validate, place });
  const { draft } = form;
  useMendedFaults(form);
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

export type KeptDraft = ReturnType<typeof useKeptDraft>;
