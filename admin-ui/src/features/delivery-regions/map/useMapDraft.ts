import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { FormValues } from '../../../lib/form/values';
import { ApiError } from '../../../lib/http';
import { t } from '../../../lib/i18n';
import { fieldText } from '../../../lib/problem';
import { type SaveState, useSave } from '../../../lib/form/useSave';
import { readShapes, useSaveMap } from './api';
import {
  begin,
  changeOf,
  differ,
  type History,
  type MapChange,
  pendingOf,
  rebase,
  reduce,
  type Shapes,
  type Step,
  tooMuch,
} from './draft';
import { isPlace, type Point } from './geometry';

export interface MapDraft extends SaveState {
  shapes: Shapes;
  dirty: boolean;
  mayUndo: boolean;
  /** Texts by the key of a shape. */
  faults: Readonly<Record<string, string>>;
  /** Why the map cannot be saved as it is. */
  hindrance: string | undefined;
  /** Where the service found a fault. */
  faultAt: Point | undefined;
  step: (step: Step) => void;
  /** Saves; false when it did not work. */
  save: () => Promise<boolean>;
  /** Reads what others saved, and puts the own changes on top of it; false when it could not be read. */
  reread: () => Promise<boolean>;
  /** Names the map for `FormsBelow`. */
  guardId: string;
}

/** The steps of editing. What is read anew is taken unless something was changed here. */
function useHistory(loaded: Shapes | undefined) {
  const [state, setState] = useState<History>(() => begin(loaded ?? []));
  const latest = useRef(state);
  const step = useCallback((next: Step) => {
    latest.current = reduce(latest.current, next);
    setState(latest.current);
  }, []);
  useEffect(() => {
    const { base, now } = latest.current;
    if (loaded && loaded !== base && !differ(base, now)) step({ do: 'begin', base: loaded });
  }, [loaded, step]);
  return { state, latest, step };
}

/** Why the map cannot be saved as it is; the key of its text. */
function hindranceOf(now: Shapes): string | undefined {
  if (pendingOf(now).length > 0) return 'region_map.pending_first';
  const much = tooMuch(now);
  return much && `region_map.${much}`;
}

/** All shapes of the restaurant as one form: saved together, with a way back for each step. */
export function useMapDraft(loaded: Shapes | undefined): MapDraft {
  const { state, latest, step } = useHistory(loaded);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [faultAt, setFaultAt] = useState<Point>();
  const [hindrance, setHindrance] = useState<string>();
  const sent = useRef<MapChange>(undefined);
  const send = useSaveMap();
  const { base, now } = state;
  const dirty = useMemo(() => differ(base, now), [base, now]);
  const edit = useCallback(
    (next: Step) => {
      step(next);
      setFaults({});
      setFaultAt(undefined);
      setHindrance(undefined);
    },
    [step],
  );

  const values: FormValues<Shapes> = {
    dirty,
    differs: () => differ(latest.current.base, latest.current.now),
    read: () => latest.current.now,
    base: () => latest.current.base,
    begin: (next, shapes) => step({ do: 'begin', base: next, ...(shapes && { now: shapes }) }),
    accept: () => step({ do: 'begin', base: latest.current.now }),
    check: async () => {
      const why = hindranceOf(latest.current.now);
      setHindrance(why);
      return why === undefined;
    },
    refuse: (failure) => {
      const found = placeFaults(failure, sent.current);
      setFaults(found.faults);
      setFaultAt(found.at);
      return found.elsewhere;
    },
    focusFault: () => undefined,
  };
  const save = useSave<Shapes, MapChange, Shapes>({
    values,
    bodyOf: (shapes) => changeOf(latest.current.base, shapes),
    send: (body) => {
      sent.current = body;
      return send(body);
    },
    onSaved: (shapes) => edit({ do: 'begin', base: shapes }),
  });
  const reread = async () => {
    try {
      const theirs = await readShapes();
      const { base: before, now: mine } = latest.current;
      edit({ do: 'begin', base: theirs, now: rebase(before, mine, theirs) });
      save.dismissError();
      return true;
    } catch (failure) {
      save.fail(failure);
      return false;
    }
  };
  return {
    ...save,
    shapes: now,
    dirty,
    mayUndo: state.past.length > 0,
    faults,
    faultAt,
    hindrance,
    step: edit,
    save: async () => {
      // Nobody knows whether it was done: what is there already is not sent again.
      if (save.unknown && !(await reread())) return false;
      return (await save.run()) !== undefined;
    },
    reread,
  };
}

/** The shapes that were refused, by `save.3.polygon_data` and the like. */
export function placeFaults(failure: ApiError, sent: MapChange | undefined) {
  const faults: Record<string, string> = {};
  const elsewhere: string[] = [];
  for (const key of failure.keys) {
    const shape = sent?.save[Number(/^save\.(\d+)(\.|$)/.exec(key)?.[1] ?? Number.NaN)];
    if (shape) faults[shape.key] = wordsOf(failure, key);
    else elsewhere.push(key);
  }
  const at = failure.problem.at as Point | undefined;
  return { faults, elsewhere, at: at && isPlace(at) ? at : undefined };
}

/** What the service calls a fault of an outline, and how it is said here. */
const OUTLINE_FAULTS: Record<string, string> = {
  too_few_points: 'region_map.fault_too_few',
  too_many_points: 'region_map.fault_too_many',
  no_place: 'region_map.fault_out_of_range',
  repeated_point: 'region_map.fault_repeated',
  crosses_itself: 'region_map.fault_crossing',
  date_line: 'region_map.fault_date_line',
  no_area: 'region_map.fault_flat',
  radius: 'region_map.fault_radius',
};

function wordsOf(failure: ApiError, key: string): string {
  if (!key.endsWith('polygon_data')) return fieldText(failure, key);
  return t(OUTLINE_FAULTS[String(failure.problem.shape_fault)] ?? 'region_map.shape_refused');
}
