import { expect, it } from 'vitest';
import type { GeocodedPlace } from '../../../generated/model';
import { outlineOf } from './outline';

const place = (outline?: unknown) =>
  ({ label: 'Budaörs', coord_lat: 47.46, coord_lng: 18.95, outline }) as unknown as GeocodedPlace;
const RING = [
  [18.9, 47.4],
  [19, 47.4],
  [19, 47.5],
  [18.9, 47.4],
];

it('an outline becomes shapes; a place without one has none', () => {
  expect(outlineOf(place())).toBeUndefined();
  expect(outlineOf(place(null))).toBeUndefined();
  expect(outlineOf(place({ type: 'Point', coordinates: [19, 47] }))).toBeUndefined();
  expect(outlineOf(place({ type: 'MultiPolygon', coordinates: [[RING], [RING]] }))).toHaveLength(2);
});
