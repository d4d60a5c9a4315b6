import { faultOf, type Geometry, MOST, sameGeometry } from './geometry';

/** A shape on the map. Without an id it is not saved, without a region it is pending. */
export interface Shape {
  /** The id, or a name of its own before it has one. */
  key: string;
  id?: string;
  version?: number;
  region: string | null;
  geometry: Geometry;
}

export type Shapes = readonly Shape[];

let last = 0;
/** A new shape, for a region or pending. */
export const newShape = (geometry: Geometry, region: string | null): Shape => ({
  key: `new-${(last += 1)}`,
  region,
  geometry,
});

/** The map while it is edited: what was loaded, what it is now, and what it was before each step. */
export interface History {
  base: Shapes;
  now: Shapes;
  past: readonly Shapes[];
}

export type Step =
  | { do: 'add'; shapes: Shapes }
  | { do: 'reshape'; key: string; geometry: Geometry }
  | { do: 'assign'; keys: readonly string[]; region: string }
  | { do: 'remove'; keys: readonly string[] }
  | { do: 'undo' }
  | { do: 'discard' }
  /** Begins with what the service has; edits may stand on top of it. */
  | { do: 'begin'; base: Shapes; now?: Shapes };

/** Steps that can be taken back one by one. */
const STEPS_KEPT = 50;

export const begin = (base: Shapes): History => ({ base, now: base, past: [] });

export function reduce(state: History, step: Step): History {
  const to = (now: Shapes): History => ({
    ...state,
    now,
    past: [...state.past.slice(1 - STEPS_KEPT), state.now],
  });
  const { now } = state;
  switch (step.do) {
    case 'add': {
      // What is no shape is not taken: a polygon needs three corners.
      const whole = step.shapes.filter(({ geometry }) => faultOf(geometry)?.what !== 'too_few');
      return whole.length > 0 ? to([...now, ...whole]) : state;
    }
    case 'reshape': {
      const { key, geometry } = step;
      const known = now.find((shape) => shape.key === key);
      if (!known || sameGeometry(known.geometry, geometry)) return state;
      return to(now.map((shape) => (shape.key === key ? { ...shape, geometry } : shape)));
    }
    case 'assign':
      return to(
        now.map((shape) => (step.keys.includes(shape.key) ? { ...shape, region: step.region } : shape)),
      );
    case 'remove': {
      const left = now.filter((shape) => !step.keys.includes(shape.key));
      return left.length < now.length ? to(left) : state;
    }
    case 'undo': {
      const before = state.past.at(-1);
      return before ? { ...state, now: before, past: state.past.slice(0, -1) } : state;
    }
    case 'discard':
      return begin(state.base);
    case 'begin':
      return { base: step.base, now: step.now ?? step.base, past: [] };
  }
}

const sameShape = (a: Shape, b: Shape): boolean =>
  a.region === b.region && sameGeometry(a.geometry, b.geometry);

/** What a save sends: shapes that are new or changed, and shapes that are gone. */
export interface MapChange {
  save: Shape[];
  remove: { id: string; version: number }[];
}

export function changeOf(base: Shapes, now: Shapes): MapChange {
  const before = new Map(base.map((shape) => [shape.id, shape]));
  const left = new Set(now.map((shape) => shape.id));
  return {
    save: now.filter((shape) => {
      const was = shape.id === undefined ? undefined : before.get(shape.id);
      return !was || !sameShape(was, shape);
    }),
    remove: base.flatMap(({ id, version }) =>
      id !== undefined && !left.has(id) ? [{ id, version: version ?? 0 }] : [],
    ),
  };
}

export function differ(base: Shapes, now: Shapes): boolean {
  if (base === now) return false;
  const { save, remove } = changeOf(base, now);
  return save.length + remove.length > 0;
}

export const pendingOf = (now: Shapes): Shapes => now.filter((shape) => shape.region === null);

/**
 * My changes on top of what was saved meanwhile. A shape that both changed is mine. New shapes that are there
 * already stay one: a save whose answer was lost may have been done.
 */
export function rebase(base: Shapes, mine: Shapes, theirs: Shapes): Shapes {
  const before = new Map(base.map((shape) => [shape.id, shape]));
  const own = new Map(mine.flatMap((shape) => (shape.id === undefined ? [] : [[shape.id, shape]])));
  const merged = theirs.flatMap((shape) => {
    const was = before.get(shape.id);
    const now = own.get(shape.id!);
    if (!was) return [shape];
    if (!now) return [];
    return [sameShape(was, now) ? shape : { ...now, ...versionOf(shape) }];
  });
  const there = new Set(theirs.map((shape) => shape.id));
  const added = theirs.filter((shape) => !before.has(shape.id));
  const rest = mine.flatMap((shape) => {
    if (shape.id === undefined) return added.some((one) => sameShape(one, shape)) ? [] : [shape];
    if (there.has(shape.id)) return [];
    const was = before.get(shape.id);
    // Somebody deleted it while it was changed here: it becomes a new one.
    return was && sameShape(was, shape) ? [] : [newShape(shape.geometry, shape.region)];
  });
  return [...merged, ...rest];
}

const versionOf = ({ version }: Shape) => (version === undefined ? {} : { version });

/** How many corners a shape counts with. */
export const cornersOf = ({ geometry }: Pick<Shape, 'geometry'>): number =>
  geometry.kind === 'polygon' ? geometry.points.length : 1;

/** Whether the map has more than the service takes; the text of that. */
export function tooMuch(now: Shapes): 'too_many_shapes' | 'too_many_corners' | undefined {
  if (now.length > MOST.shapes) return 'too_many_shapes';
  return now.reduce((sum, shape) => sum + cornersOf(shape), 0) > MOST.allPoints
    ? 'too_many_corners'
    : undefined;
}
