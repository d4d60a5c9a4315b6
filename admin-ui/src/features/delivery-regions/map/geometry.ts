/** Degrees, north and east. */
export interface Point {
  lat: number;
  lng: number;
}

/** What is drawn: one ring, closed by itself, or a circle with its radius in whole metres. */
export type Geometry =
  | { kind: 'polygon'; points: readonly Point[] }
  | { kind: 'circle'; center: Point; radius: number };

export const MIN_POINTS = 3;
/** The most corners of one shape, shapes of a restaurant, and corners of all of them; metres of a radius. */
export const MOST = { points: 10_000, shapes: 200, allPoints: 50_000, radius: 100_000 };
/** Where the map begins when the restaurant has no place: the middle of Budapest. */
export const DEFAULT_CENTER: Point = { lat: 47.4979, lng: 19.0402 };
export const DEFAULT_ZOOM = 12;
export const FILL_OPACITY = 0.6;

/** Eleven centimetres: what a place is kept with. */
export const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
export const rounded = ({ lat, lng }: Point): Point => ({ lat: round(lat), lng: round(lng) });
export const isPlace = ({ lat, lng }: Point): boolean =>
  Number.isFinite(lat) && Number.isFinite(lng) && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;

const samePoint = (a: Point, b: Point): boolean => a.lat === b.lat && a.lng === b.lng;

export function sameGeometry(a: Geometry, b: Geometry): boolean {
  if (a.kind === 'circle')
    return b.kind === 'circle' && a.radius === b.radius && samePoint(a.center, b.center);
  return (
    b.kind === 'polygon' &&
    a.points.length === b.points.length &&
    a.points.every((point, index) => samePoint(point, b.points[index]!))
  );
}

/** The ring without the repeated end and without a corner that stands twice in a row. */
export function ring(points: readonly Point[]): Point[] {
  const once = points.filter((point, index) => index === 0 || !samePoint(point, points[index - 1]!));
  while (once.length > 1 && samePoint(once[0]!, once.at(-1)!)) once.pop();
  return once;
}

/** Beyond so many corners only the service looks for crossings: it takes as many steps as their square. */
const CROSSINGS_SOUGHT = 1_500;

const turn = (a: Point, b: Point, c: Point): number =>
  Math.sign((b.lng - a.lng) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lng - a.lng));

/** A place at which the outline crosses itself. */
export function crossing(points: readonly Point[]): Point | undefined {
  const count = points.length;
  if (count < 4 || count > CROSSINGS_SOUGHT) return undefined;
  for (let i = 0; i < count - 2; i += 1)
    for (let j = i + 2; j < count; j += 1) {
      // Neighbours meet in a corner.
      if (i === 0 && j === count - 1) continue;
      const [a, b, c, d] = [points[i]!, points[i + 1]!, points[j]!, points[(j + 1) % count]!];
      if (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) return meeting(a, b, c, d);
    }
  return undefined;
}

function meeting(a: Point, b: Point, c: Point, d: Point): Point {
  const [ux, uy, vx, vy] = [b.lng - a.lng, b.lat - a.lat, d.lng - c.lng, d.lat - c.lat];
  const along = ((c.lng - a.lng) * vy - (c.lat - a.lat) * vx) / (ux * vy - uy * vx);
  return rounded({ lat: a.lat + along * uy, lng: a.lng + along * ux });
}

/** What is wrong with a shape, and where. */
export interface ShapeFault {
  what: 'too_few' | 'too_many' | 'out_of_range' | 'flat' | 'crossing' | 'radius' | 'refused';
  at?: Point;
}

export function faultOf(shape: Geometry): ShapeFault | undefined {
  if (shape.kind === 'circle') {
    if (!isPlace(shape.center)) return { what: 'out_of_range' };
    const { radius } = shape;
    return Number.isInteger(radius) && radius >= 1 && radius <= MOST.radius ? undefined : { what: 'radius' };
  }
  const points = ring(shape.points);
  if (!points.every(isPlace)) return { what: 'out_of_range' };
  if (points.length < MIN_POINTS) return { what: 'too_few' };
  if (points.length > MOST.points) return { what: 'too_many' };
  const [first, ...rest] = points as [Point, ...Point[]];
  if (rest.every((point, index) => turn(first, rest[Math.max(0, index - 1)]!, point) === 0))
    return { what: 'flat', at: first };
  const at = crossing(points);
  return at && { what: 'crossing', at };
}

/** Metres of a degree of latitude. */
const DEGREE_M = 111_320;

/** Corners as metres east and north of the first one: exact enough within a town. */
export function metres(points: readonly Point[]): { x: number; y: number }[] {
  const origin = points[0] ?? DEFAULT_CENTER;
  const across = DEGREE_M * Math.cos((origin.lat * Math.PI) / 180);
  return points.map(({ lat, lng }) => ({ x: (lng - origin.lng) * across, y: (lat - origin.lat) * DEGREE_M }));
}

/** Square metres, and the middle of all corners. */
export function areaOf(shape: Geometry): number {
  if (shape.kind === 'circle') return Math.PI * shape.radius ** 2;
  const flat = metres(shape.points);
  return Math.abs(
    flat.reduce((sum, { x, y }, index) => {
      const next = flat[(index + 1) % flat.length]!;
      return sum + x * next.y - next.x * y;
    }, 0) / 2,
  );
}

/** The corners that the map shows to have the whole shape in view. */
export function extent(shape: Geometry): readonly Point[] {
  if (shape.kind === 'polygon') return shape.points;
  const { center, radius } = shape;
  const up = radius / DEGREE_M;
  const aside = up / Math.max(0.01, Math.cos((center.lat * Math.PI) / 180));
  return [
    { lat: center.lat - up, lng: center.lng - aside },
    { lat: center.lat + up, lng: center.lng + aside },
  ];
}
