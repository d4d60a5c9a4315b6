import { useEffect, useRef, useState } from 'react';
import type { FormValues } from './values';

/** The row that somebody else has saved, and the values that were to be saved. */
export interface Conflict<V> {
  base: V;
  mine: V;
  theirs: V;
  saved: Saved;
}

/** Who saved the current row, and when, as far as it is known. */
export interface Saved {
  by?: string | undefined;
  at?: string | undefined;
}

/** `mine` saves over, `theirs` takes the current row, `later` leaves the form as it is. */
export type Choice = 'mine' | 'theirs' | 'later';

interface Options<R, V> {
  values: FormValues<V>;
  /** The row as it was read last; undefined while it loads, null for a new one. */
  row: R | null | undefined;
  id: string | undefined;
  /** The initial values of a row or a new one. */
  valuesOf: (row: R | null) => V;
  /** My changes on top of what somebody else saved. */
  merge: (base: V, mine: V, theirs: V) => V;
  /** Whether both changes go together without a question. */
  apart?: (base: V, mine: V, theirs: V) => boolean;
  /** The user chose the current row instead of the edits. */
  onTheirs?: (current: R) => void;
  /** The values began with this row already. */
  filled?: boolean;
}

interface FormRow<R, V> {
  /** The row that the values were taken from: it may be newer, or older, than the one read last. */
  taken: () => R | undefined;
  /** Takes a row; `keep` are edits on top of it. */
  take: (row: R, keep?: V) => void;
  /** Takes the changes back. */
  reset: () => void;
  /** A newer row that somebody else has saved, while these values are being edited. */
  newer: R | undefined;
  /** The row that was taken in the place of an older one, because nothing was being edited. */
  replaced: R | undefined;
  conflict: Conflict<V> | undefined;
  resolve: (choice: Choice) => void;
  /** For `useSave`: asks what to keep of both. */
  settle: (current: Record<string, unknown>, saved: Saved) => Promise<boolean>;
}

/** Versions only rise; a row without one counts as newer each time it arrives. */
const isNewer = (row: object, than: object): boolean => {
  const [next, known] = [versionOf(row), versionOf(than)];
  return next === undefined || known === undefined || next > known;
};

/** The version of a row, which a change is sent with. */
export const versionOf = (row: object | undefined): number | undefined =>
  (row as { version?: number } | undefined)?.version;

/**
 * The row that a form edits. One that arrives, or arrives again after somebody's save, is taken unless it is
 * older or the user has begun to edit. A save over somebody else's is settled by asking.
 */
export function useRow<R extends object, V>(options: Options<R, V>): FormRow<R, V> {
  const { values, row, id, valuesOf } = options;
  const taken = useRef(options.filled && row ? { id, row } : undefined);
  const latest = useRef(options);
  latest.current = options;
  const [conflict, setConflict] = useState<Conflict<V>>();
  const [replaced, setReplaced] = useState<R>();
  const decided = useRef<(choice: Choice) => void>(undefined);

  const take = (next: R, keep?: V) => {
    setReplaced(undefined);
    const own = (next as { id?: string }).id;
    taken.current = { id: latest.current.id ?? own, row: next };
    latest.current.values.begin(latest.current.valuesOf(next), keep);
  };
  const beginNew = () => {
    taken.current = undefined;
    latest.current.values.begin(latest.current.valuesOf(null));
  };
  const isNew = row === null;
  const started = useRef(options.filled ?? false);
  useEffect(() => {
    if (isNew && !started.current) beginNew();
    started.current = false;
    // when a new form is opened
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew]);
  useEffect(() => {
    if (!row) return;
    const known = taken.current?.id === id ? taken.current?.row : undefined;
    // Compares the values too, because `dirty` is older than input since the last rendering.
    if (known && (known === row || !isNewer(row, known) || values.dirty || values.differs())) return;
    take(row);
    if (known) setReplaced(row);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id, row, values.dirty]);

  const settle = async (found: Record<string, unknown>, saved: Saved): Promise<boolean> => {
    const { merge, apart, onTheirs } = latest.current;
    const current = found as R;
    const [base, mine, theirs] = [values.base(), values.read(), valuesOf(current)];
    let choice: Choice = 'mine';
    if (!apart?.(base, mine, theirs)) {
      setConflict({ base, mine, theirs, saved });
      choice = await new Promise<Choice>((resolve) => (decided.current = resolve));
      setConflict(undefined);
    }
    if (choice === 'later') return false;
    take(current, choice === 'mine' ? merge(base, mine, theirs) : undefined);
    if (choice === 'theirs') onTheirs?.(current);
    return choice === 'mine';
  };
  const mine = taken.current?.id === id ? taken.current?.row : undefined;
  return {
    newer:
      row && mine && values.dirty && versionOf(row) !== undefined && isNewer(row, mine) ? row : undefined,
    replaced,
    taken: () => taken.current?.row,
    take,
    reset: () => {
      const known = taken.current?.row;
      if (row === null) beginNew();
      else if (row && (!known || isNewer(row, known))) take(row);
      else if (known) take(known);
    },
    conflict,
    resolve: (choice) => decided.current?.(choice),
    settle,
  };
}
