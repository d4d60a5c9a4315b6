import { LineUtil, point } from 'leaflet';
import { metres, MIN_POINTS, type Point } from './geometry';

/** The outline with fewer corners: none lies farther than `tolerance` metres from where it was. */
export function simplify(points: readonly Point[], tolerance: number): readonly Point[] {
  if (points.length <= MIN_POINTS) return points;
  const flat = metres(points).map(({ x, y }, index) => Object.assign(point(x, y), { index }));
  // Closed, so that the corner it begins with counts as any other.
  const kept = LineUtil.simplify([...flat, flat[0]!], tolerance) as typeof flat;
  const left = kept.slice(0, -1).map(({ index }) => points[index]!);
  return left.length < MIN_POINTS ? points : left;
}
