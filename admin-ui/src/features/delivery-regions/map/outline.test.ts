import { expect, it } from 'vitest';
import { outlineOf } from './outline';

const RING = [
  { lat: 47.4, lng: 18.9 },
  { lat: 47.4, lng: 19 },
  { lat: 47.5, lng: 19 },
  { lat: 47.4, lng: 18.9 },
];
const outline = (rings: (typeof RING)[]) =>
  outlineOf({ label: 'Budaörs', coord_lat: 47.46, coord_lng: 18.95, outline: rings });

it('each part of an outline becomes a shape; a place without one has none', () => {
  expect(outline([])).toBeUndefined();
  expect(outline([RING, RING])).toEqual([0, 1].map(() => ({ kind: 'polygon', points: RING.slice(0, 3) })));
});
