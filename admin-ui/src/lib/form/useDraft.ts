import { useCallback, useMemo, useRef, useState } from 'react';
import type { ApiError } from '../http';
import { t } from '../i18n';
import { fieldText } from '../problem';
import { focusSoon } from './fieldState';
import type { FormValues } from './values';

/** Faults by the path of their field: `name`, `subproducts.<key>.price`. */
export type Faults = Readonly<Record<string, string>>;

export interface Draft<D extends object> extends FormValues<D> {
  draft: D;
  /** Texts by field path. */
  faults: Faults;
  /**
   * Changes fields; `path` names the fields whose faults are gone with it, the changed fields unless given.
   */
  set: (change: Partial<D>, path?: string) => void;
}

export interface DraftOptions<D> {
  start: () => D;
  differ: (draft: D, base: D) => boolean;
  /** Keys of texts by field path. */
  validate?: (draft: D) => Faults;
  /** Path of the field for a key of the service; undefined: no field of this form. */
  place?: (key: string, draft: D) => string | undefined;
  /** What is said of a refused key, where the form knows more than its fault says. */
  faultText?: (failure: ApiError, key: string) => string | undefined;
  /** Paths at fault, the first one gets the focus: open what hides them. */
  onFaults?: (paths: string[]) => void;
}

interface State<D> {
  base: D;
  draft: D;
}

const NO_FAULTS: Faults = {};

/** A key names its field by its first part, when the draft has such a field. */
const placeByName = (key: string, draft: object) =>
  Object.hasOwn(draft, key.split('.')[0]!) ? key : undefined;

/** The texts at the fields of a draft; the first one at fault gets the focus. */
function useFaults(onFaults: DraftOptions<object>['onFaults']) {
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const first = useRef<string>(undefined);
  const opens = useRef(onFaults);
  opens.current = onFaults;
  const focusFault = useCallback(() => {
    focusSoon(first.current);
    first.current = undefined;
  }, []);
  /** @returns whether there are any */
  const show = useCallback((found: Faults) => {
    setFaults(found);
    const paths = Object.keys(found);
    first.current = paths[0];
    if (paths.length > 0) opens.current?.(paths);
    return paths.length > 0;
  }, []);
  const clear = useCallback((paths?: readonly string[]) => {
    setFaults((now) => {
      if (!paths) return NO_FAULTS;
      return paths.some((path) => path in now)
        ? Object.fromEntries(Object.entries(now).filter(([path]) => !paths.includes(path)))
        : now;
    });
  }, []);
  return { faults, show, clear, focusFault };
}

/** Values in a draft: for rows within rows, and wherever screens compute from what is edited. */
export function useDraft<D extends object>(options: DraftOptions<D>): Draft<D> {
  const { start, differ } = options;
  const [state, setState] = useState<State<D>>(() => {
    const base = start();
    return { base, draft: base };
  });
  const { faults, show, clear, focusFault } = useFaults(options.onFaults);
  // Saving reads the newest state, also when a shortcut or the guard's dialog calls it.
  const latest = useRef(state);
  latest.current = state;
  const handlers = useRef(options);
  handlers.current = options;

  const { base, draft } = state;
  const dirty = useMemo(() => differ(draft, base), [differ, draft, base]);
  const put = useCallback((next: State<D>) => {
    latest.current = next;
    setState(next);
  }, []);
  const begin = useCallback(
    (next: D, values: D = next) => {
      put({ base: next, draft: values });
      clear();
    },
    [put, clear],
  );
  const check = useCallback(async () => {
    const wrong = handlers.current.validate?.(latest.current.draft) ?? NO_FAULTS;
    if (!show(Object.fromEntries(Object.entries(wrong).map(([path, key]) => [path, t(key)])))) return true;
    focusFault();
    return false;
  }, [show, focusFault]);
  const refuse = useCallback(
    (failure: ApiError) => {
      const place = handlers.current.place ?? placeByName;
      const found: Record<string, string> = {};
      const elsewhere: string[] = [];
      for (const key of failure.keys) {
        const path = place(key, latest.current.draft);
        if (path === undefined) elsewhere.push(key);
        else found[path] = handlers.current.faultText?.(failure, key) ?? fieldText(failure, key);
      }
      show(found);
      return elsewhere;
    },
    [show],
  );
  const set = useCallback(
    (change: Partial<D>, path?: string) => {
      put({ ...latest.current, draft: { ...latest.current.draft, ...change } });
      clear(path ? [path] : Object.keys(change));
    },
    [put, clear],
  );
  return {
    draft,
    dirty,
    faults,
    begin,
    check,
    refuse,
    focusFault,
    set,
    differs: () => differ(latest.current.draft, latest.current.base),
    read: () => latest.current.draft,
    base: () => latest.current.base,
    accept: () => begin(latest.current.draft),
  };
}
