import { useCallback } from 'react';
import type { Body } from './body';
import { type Draft, type DraftOptions, useDraft } from './useDraft';
import { type Choice, type Conflict, useRow, versionOf } from './useRow';
import { type SaveState, useSave } from './useSave';

interface Versioned {
  id?: string;
  version: number;
}

interface DraftFormOptions<R extends Versioned, D extends object> extends Pick<
  DraftOptions<D>,
  'validate' | 'place' | 'faultText' | 'onFaults'
> {
  /** Undefined while it loads, null for a new row. */
  row: R | null | undefined;
  fresh: () => D;
  draftOf: (row: R) => D;
  /** What is sent: of a new row everything, else what differs from `base`. */
  bodyOf: (draft: D, base?: D) => Body;
  /** My changes on top of what somebody else saved. */
  merge: (base: D, mine: D, theirs: D) => D;
  /** Sends the body; `take` notes a step that is done when a later one may still fail. */
  send: (call: { id: string | undefined; body: Body; key: string; take: (row: R) => void }) => Promise<R>;
  /** The row that somebody else saved was taken. */
  onTheirs?: (current: R) => void;
}

export interface DraftForm<R, D extends object>
  extends SaveState, Pick<Draft<D>, 'draft' | 'dirty' | 'faults' | 'set'> {
  row: R | null | undefined;
  isNew: boolean;
  base: D;
  /** A newer row that somebody else has saved, while this one is being edited. */
  newer: R | undefined;
  /** The row of somebody else that was taken by itself, because nothing was being edited. */
  replaced: R | undefined;
  conflict: Conflict<D> | undefined;
  resolve: (choice: Choice) => void;
  save: () => Promise<R | undefined>;
  discard: () => void;
  /** Forgets the changes at once, before navigating away. */
  clean: () => void;
}

/**
 * Edits one row as a draft: sends what differs with the version it was taken with, and lets `useSave` and
 * `useRow` do the rest.
 */
export function useDraftForm<R extends Versioned, D extends object>(
  options: DraftFormOptions<R, D>,
): DraftForm<R, D> {
  const { row, fresh, draftOf, bodyOf, merge, send, onTheirs } = options;
  const isNew = row === null;
  const valuesOf = (from: R | null) => (from ? draftOf(from) : fresh());
  const draft = useDraft<D>({
    ...options,
    start: () => valuesOf(row ?? null),
    differ: useCallback((now: D, base: D) => Object.keys(bodyOf(now, base)).length > 0, [bodyOf]),
  });
  const origin = useRow<R, D>({
    values: draft,
    row,
    id: row?.id,
    valuesOf,
    merge,
    filled: row !== undefined,
    ...(onTheirs ? { onTheirs } : {}),
  });
  const save = useSave<D, Body, R>({
    values: draft,
    bodyOf: (values) => bodyOf(values, isNew ? undefined : draft.base()),
    send: async (body, key) => {
      const taken = origin.taken();
      if (!isNew && taken && Object.keys(body).length === 0) return taken;
      const version = isNew ? undefined : versionOf(taken);
      return send({
        id: row?.id,
        body: version === undefined ? body : { ...body, version },
        key,
        take: (step) => origin.take(step, draft.read()),
      });
    },
    onSaved: (saved) => origin.take(saved),
    settle: origin.settle,
    repeatable: !isNew,
  });
  return {
    ...save,
    row,
    isNew,
    draft: draft.draft,
    base: draft.base(),
    dirty: draft.dirty,
    faults: draft.faults,
    set: draft.set,
    newer: save.saving ? undefined : origin.newer,
    replaced: origin.replaced,
    conflict: origin.conflict,
    resolve: origin.resolve,
    save: async () => (await save.run())?.answer,
    discard: () => {
      origin.reset();
      save.dismissError();
    },
  };
}
