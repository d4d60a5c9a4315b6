import type { GeocodedPlace } from '../../../generated/model';
import { readGeoJson } from './geojson';
import type { Geometry } from './geometry';

/** The outline of a found place, as GeoJSON; the geocoder has one for towns and districts, not for houses. */
type Outlined = GeocodedPlace & { outline?: unknown };

/** The shapes of a place's outline, without its holes; none when it has no outline. */
export function outlineOf(place: GeocodedPlace): Geometry[] | undefined {
  const { outline } = place as Outlined;
  if (outline === undefined || outline === null) return undefined;
  const read = readGeoJson(typeof outline === 'string' ? outline : JSON.stringify(outline));
  const shapes = read?.shapes.map(({ geometry }) => geometry);
  return shapes && shapes.length > 0 ? shapes : undefined;
}
