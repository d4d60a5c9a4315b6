import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../../lib/http';
import { t } from '../../../lib/i18n';
import { IdempotencyKeys } from '../../../lib/idempotency';
import { fieldText } from '../../../lib/problem';
import { useUnsaved } from '../../../lib/unsaved';
import type { Body, Faults } from './draft';

interface Versioned {
  id: string;
  version: number;
}

export interface EditorOptions<R extends Versioned, D extends object> {
  /** Undefined while it loads, null for a new row. */
  row: R | null | undefined;
  fresh: () => D;
  draftOf: (row: R) => D;
  /** What is sent: of a new row everything, else what differs from `base`. */
  bodyOf: (draft: D, base?: D) => Body;
  /** My changes on top of what somebody else saved. */
  merge: (base: D, mine: D, theirs: D) => D;
  /** Keys of texts by field path. */
  validate: (draft: D) => Faults;
  /** Path of the form's field for a key of the service; undefined: no field of this form. */
  place?: (key: string, draft: D) => string | undefined;
  /** Sends the body; `take` notes a step that is done when a later one may still fail. */
  send: (call: { id: string | undefined; body: Body; key: string; take: (row: R) => void }) => Promise<R>;
  /** Paths at fault, the first one gets the focus: open what hides them. */
  onFaults?: (paths: string[]) => void;
}

export interface Conflict<D> {
  base: D;
  mine: D;
  theirs: D;
  by: string | undefined;
}

export type Choice = 'mine' | 'theirs' | 'later';

export interface Editor<R, D> {
  row: R | null | undefined;
  isNew: boolean;
  draft: D;
  base: D;
  dirty: boolean;
  saving: boolean;
  faults: Faults;
  /** The last failed call, unless all of it stands at fields. */
  error: unknown;
  dismissError: () => void;
  /** A creation went unanswered: locked until a retry is answered. */
  unknown: boolean;
  conflict: Conflict<D> | undefined;
  resolve: (choice: Choice) => void;
  /**
   * Changes fields; `path` names the fields whose faults are gone with it, the changed fields unless given.
   */
  set: (change: Partial<D>, path?: string) => void;
  save: () => Promise<R | undefined>;
  discard: () => void;
  /** Forget the changes at once, before navigating away. */
  clean: () => void;
}

interface State<D> {
  base: D;
  draft: D;
  version: number | undefined;
}

/**
 * Edits one row as a draft: sends what differs with the version it was read with, puts refused fields to
 * their inputs, settles conflicts, guards unsaved changes, and keeps one idempotency key per body of a new
 * row.
 */
export function useEditor<R extends Versioned, D extends object>(options: EditorOptions<R, D>): Editor<R, D> {
  const { row, fresh, draftOf, bodyOf, merge, validate, place, send, onFaults } = options;
  const isNew = row === null;
  const [state, setState] = useState<State<D>>(() => {
    const start = row ? draftOf(row) : fresh();
    return { base: start, draft: start, version: row?.version };
  });
  const [faults, setFaults] = useState<Faults>({});
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const [unknown, setUnknown] = useState(false);
  const [conflict, setConflict] = useState<Conflict<D>>();
  const idempotency = useRef(new IdempotencyKeys());
  const decided = useRef<(choice: Choice) => void>(undefined);
  const known = useRef<string>(row ? `${row.id}/${row.version}` : '');
  // Saving reads the newest state, also when a shortcut or the guard's dialog calls it.
  const latest = useRef(state);
  latest.current = state;

  const { base, draft } = state;
  const dirty = useMemo(() => Object.keys(bodyOf(draft, base)).length > 0, [bodyOf, draft, base]);

  const put = (next: State<D>) => {
    latest.current = next;
    setState(next);
  };
  const take = (next: R, keep?: D) => {
    known.current = `${next.id}/${next.version}`;
    const start = draftOf(next);
    put({ base: start, draft: keep ?? start, version: next.version });
  };

  // A row that arrives, or arrives again after somebody's save, is taken unless the user has begun to edit.
  useEffect(() => {
    if (!row || known.current === `${row.id}/${row.version}`) return;
    if (known.current !== '' && (dirty || saving || (latest.current.version ?? 0) > row.version)) return;
    take(row);
    // take and dirty belong to this render
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [row, dirty, saving]);

  const show = (paths: string[]) => {
    onFaults?.(paths);
    focusSoon(paths[0]);
  };

  const refuse = (failure: ApiError) => {
    const { draft: sent } = latest.current;
    const placed = failure.keys.map((key) => ({
      key,
      path: place ? place(key, sent) : Object.keys(sent).includes(key.split('.')[0] ?? '') ? key : undefined,
    }));
    const paths = placed.flatMap(({ path }) => (path === undefined ? [] : [path]));
    setFaults(
      Object.fromEntries(
        placed.flatMap(({ key, path }) => (path === undefined ? [] : [[path, fieldText(failure, key)]])),
      ),
    );
    setError(paths.length > 0 && paths.length === placed.length ? undefined : failure);
    if (paths.length) show(paths);
  };

  const settle = async (current: R): Promise<R | undefined> => {
    const { base: was, draft: mine } = latest.current;
    const theirs = draftOf(current);
    const by = (current as { changed_by?: unknown }).changed_by;
    setConflict({ base: was, mine, theirs, by: typeof by === 'string' ? by : undefined });
    const choice = await new Promise<Choice>((resolve) => (decided.current = resolve));
    setConflict(undefined);
    if (choice === 'later') return undefined;
    take(current, choice === 'mine' ? merge(was, mine, theirs) : undefined);
    return choice === 'mine' ? call() : undefined;
  };

  const call = async (): Promise<R | undefined> => {
    const { base: was, draft: mine, version } = latest.current;
    const body = bodyOf(mine, isNew ? undefined : was);
    if (!isNew && Object.keys(body).length === 0) return row ?? undefined;
    setSaving(true);
    setError(undefined);
    try {
      const saved = await send({
        id: row?.id,
        body: version === undefined ? body : { ...body, version },
        key: idempotency.current.keyFor(body),
        take: (step) => take(step, latest.current.draft),
      });
      idempotency.current.done();
      setUnknown(false);
      setFaults({});
      unsaved.clean();
      take(saved);
      return saved;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setUnknown(isNew && failure.unanswered);
      if (failure.code === 'CONFLICT' && failure.problem.current) {
        setSaving(false);
        return await settle(failure.problem.current as unknown as R);
      }
      refuse(failure);
      return undefined;
    } finally {
      setSaving(false);
    }
  };

  const save = async (): Promise<R | undefined> => {
    if (saving || conflict) return undefined;
    const wrong = Object.entries(validate(latest.current.draft)).map(
      ([path, key]) => [path, t(key)] as const,
    );
    setFaults(Object.fromEntries(wrong));
    if (wrong.length > 0) {
      show(wrong.map(([path]) => path));
      return undefined;
    }
    return call();
  };

  const unsaved = useUnsaved({ dirty, save: async () => (await save()) !== undefined });

  return {
    row,
    isNew,
    draft,
    base,
    dirty,
    saving,
    faults,
    error,
    unknown,
    conflict,
    save,
    dismissError: () => setError(undefined),
    resolve: (choice) => decided.current?.(choice),
    set: (change, path) => {
      put({ ...latest.current, draft: { ...latest.current.draft, ...change } });
      const gone = path ? [path] : Object.keys(change);
      if (gone.some((name) => name in faults))
        setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => !gone.includes(name))));
    },
    discard: () => {
      const start = isNew ? fresh() : latest.current.base;
      put({ ...latest.current, base: start, draft: start });
      setFaults({});
      setError(undefined);
    },
    clean: unsaved.clean,
  };
}

/** DOM id of a field. */
export const fieldId = (path: string): string => `field-${path}`;

/** Puts the cursor into a field once what hid it has opened. */
export function focusSoon(path: string | undefined): void {
  if (!path) return;
  setTimeout(() => {
    const field = document.getElementById(fieldId(path));
    field?.closest('details')?.setAttribute('open', '');
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, 60);
}

/** What the fields of an editor share. */
export interface EditorState {
  faults: Faults;
  /** Saving, or waiting for an answer. */
  busy: boolean;
  /** Busy, or no right to edit. */
  locked: boolean;
}

export const EditorContext = createContext<EditorState>({ faults: {}, busy: false, locked: false });
export const useFault = (path: string): string | undefined => useContext(EditorContext).faults[path];
/** For what may be changed without the right to edit: the switches. */
export const useBusy = (): boolean => useContext(EditorContext).busy;
export const useLocked = (): boolean => useContext(EditorContext).locked;
