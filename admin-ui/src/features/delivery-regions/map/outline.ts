import type { GeocodedPlace } from '../../../generated/model';
import { type Geometry, ring } from './geometry';

/** The shapes of a place's outline, without its holes; none when it has no outline, as houses have none. */
export function outlineOf({ outline }: GeocodedPlace): Geometry[] | undefined {
  if (outline.length === 0) return undefined;
  return outline.map((points) => ({ kind: 'polygon', points: ring(points) }));
}
