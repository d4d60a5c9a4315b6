import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../http';
import { type KeyFor, useIdempotency } from '../idempotency';
import type { Saved } from './useRow';
import { useUnsaved } from './unsaved';
import type { FormValues } from './values';

interface SaveOptions<V, B, A> {
  values: FormValues<V>;
  /** The body made of the values. */
  bodyOf: (values: V) => B;
  /**
   * The call; `key` is for an Idempotency-Key: the same as long as the body is the same. `keyFor` gives those of
   * several bodies, where one call is sent for each part.
   */
  send: (body: B, key: string, keyFor: KeyFor) => Promise<A>;
  onSaved: (answer: A, body: B) => void;
  /**
   * Somebody else saved meanwhile: `current` is the row as it is now. True when the values are over it now
   * and are to be sent again. Without it the refusal is shown as any other.
   */
  settle?: ((current: Record<string, unknown>, saved: Saved) => Promise<boolean>) | undefined;
  /** The call can be repeated safely, so a missing answer does not lock the form. */
  repeatable?: boolean;
  /** False: the input may be left without a question. */
  guard?: boolean;
}

/** The state of saving for the screen. */
export interface SaveState {
  saving: boolean;
  /** The last failed call, unless all of it stands at fields. */
  error: unknown;
  /** Refused fields that have no input. */
  errorKeys: readonly string[];
  dismissError: () => void;
  /**
   * Nobody answered, so nobody knows whether it was done; the form is locked until a retry is answered.
   */
  unknown: boolean;
}

interface Save<A> extends SaveState {
  /** Checks and sends; undefined when it did not work. */
  run: () => Promise<{ answer: A } | undefined>;
  /** Shows a failure of another call of the same form, at its fields where it names them. */
  fail: (failure: unknown) => void;
  /** Whether the form may be closed (asks when something is unsaved). */
  ask: () => Promise<boolean>;
  /** Forgets the changes at once, before navigating away. */
  clean: () => void;
  /** Names the form for `FormsBelow`. */
  guardId: string;
}

/** The row that a refusal names because somebody else was faster. */
const rowOfConflict = (failure: ApiError): Record<string, unknown> | undefined =>
  failure.code === 'CONFLICT' ? failure.problem.current : undefined;

/**
 * Sends the values of a form, one call at a time: checks them first, puts refused fields to their inputs,
 * settles conflicts, repeats the idempotency key with the body, tells when the outcome is unknown, and guards
 * what is unsaved.
 */
export function useSave<V, B, A>(options: SaveOptions<V, B, A>): Save<A> {
  const { values, settle, repeatable = false, guard = true } = options;
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const [errorKeys, setErrorKeys] = useState<readonly string[]>([]);
  const [unknown, setUnknown] = useState(false);
  const withKeys = useIdempotency();
  // Known at once, where `saving` is only with the next render: a shortcut that repeats itself sends once.
  const busy = useRef(false);
  const latest = useRef(options);
  latest.current = options;

  // Inputs are disabled while it is sent: only afterwards can one of them take the focus, or have it back.
  const inUse = useRef('');
  useEffect(() => {
    if (saving) return;
    latest.current.values.focusFault();
    if (document.activeElement === document.body) document.getElementById(inUse.current)?.focus();
    inUse.current = '';
  }, [saving]);

  const refuse = (failure: ApiError) => {
    const elsewhere = latest.current.values.refuse(failure);
    setErrorKeys(elsewhere);
    setError(failure.keys.length > 0 && elsewhere.length === 0 ? undefined : failure);
  };

  /** One call. True: over the row that somebody else saved, it is to be sent again. */
  const attempt = async (): Promise<{ answer: A } | boolean> => {
    const { values: now, bodyOf, send, onSaved } = latest.current;
    const body = bodyOf(now.read());
    inUse.current = document.activeElement?.id ?? '';
    setSaving(true);
    setError(undefined);
    try {
      const answer = await withKeys((keyFor) => send(body, keyFor(body), keyFor));
      setUnknown(false);
      unsaved.clean();
      onSaved(answer, body);
      return { answer };
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setUnknown(!repeatable && failure.unanswered);
      const current = settle && rowOfConflict(failure);
      if (!current) {
        refuse(failure);
        return false;
      }
      setSaving(false);
      return await settle(current, { by: failure.problem.changed_by, at: failure.problem.changed_at });
    } finally {
      setSaving(false);
    }
  };

  const run = async (): Promise<{ answer: A } | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    try {
      if (!(await values.check())) return undefined;
      let outcome = await attempt();
      while (outcome === true) outcome = await attempt();
      return outcome || undefined;
    } finally {
      busy.current = false;
    }
  };

  const unsaved = useUnsaved({
    dirty: guard && values.dirty,
    save: async () => (await run()) !== undefined,
  });
  return {
    saving,
    error,
    errorKeys,
    unknown,
    run,
    fail: (failure) => (failure instanceof ApiError ? refuse(failure) : setError(failure)),
    dismissError: () => setError(undefined),
    ask: unsaved.ask,
    clean: unsaved.clean,
    guardId: unsaved.id,
  };
}
