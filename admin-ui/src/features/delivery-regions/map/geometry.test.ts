import { describe, expect, it } from 'vitest';
import { areaOf, crossing, extent, faultOf, type Point, ring, sameGeometry } from './geometry';
import { simplify } from './simplify';

const at = (lat: number, lng: number): Point => ({ lat, lng });
const square = [at(47, 19), at(47, 19.01), at(47.01, 19.01), at(47.01, 19)];
const bow = [at(47, 19), at(47.01, 19.01), at(47, 19.01), at(47.01, 19)];

describe('shapes', () => {
  it('a ring has neither its first corner again nor one twice in a row', () => {
    expect(ring([...square, square[0]!])).toEqual(square);
    expect(ring([square[0]!, square[0]!, ...square.slice(1)])).toEqual(square);
  });

  it('an outline that crosses itself says where', () => {
    expect(crossing(square)).toBeUndefined();
    expect(crossing(bow)).toEqual(at(47.005, 19.005));
  });

  it.each([
    [[at(47, 19), at(47, 19.1)], 'too_few'],
    [[at(47, 19), at(47, 19.1), at(47, 19)], 'too_few'],
    [[at(47, 19), at(47, 19.1), at(47, 19.2)], 'flat'],
    [[at(97, 19), at(47, 19.1), at(48, 19.2)], 'out_of_range'],
    [bow, 'crossing'],
    [square, undefined],
  ] as const)('corners %j: %s', (points, what) => {
    expect(faultOf({ kind: 'polygon', points })?.what).toBe(what);
  });

  it.each([
    [0, 'radius'],
    [1, undefined],
    [1.5, 'radius'],
    [100_000, undefined],
    [100_001, 'radius'],
  ] as const)('a radius of %d m: %s', (radius, what) => {
    expect(faultOf({ kind: 'circle', center: at(47, 19), radius })?.what).toBe(what);
  });

  it('knows sizes in square metres and what to have in view', () => {
    const side = 111_320 * 0.01;
    const area = areaOf({ kind: 'polygon', points: square });
    expect(area / (side * side * Math.cos((47 * Math.PI) / 180))).toBeCloseTo(1, 2);
    const [low, high] = extent({ kind: 'circle', center: at(47, 19), radius: 1113 });
    expect(high!.lat - low!.lat).toBeCloseTo(0.02, 4);
  });

  it('compares shapes by their corners', () => {
    const one = { kind: 'polygon', points: square } as const;
    expect(sameGeometry(one, { ...one, points: [...square] })).toBe(true);
    expect(sameGeometry(one, { ...one, points: square.toReversed() })).toBe(false);
    expect(sameGeometry(one, { kind: 'circle', center: square[0]!, radius: 5 })).toBe(false);
  });
});

describe('simplifying', () => {
  /** A circle of 360 corners with a radius of a kilometre. */
  const round = Array.from({ length: 360 }, (_, i) =>
    at(47 + 0.009 * Math.sin((i * Math.PI) / 180), 19 + 0.0132 * Math.cos((i * Math.PI) / 180)),
  );

  it('leaves out corners, the more the farther the outline may move', () => {
    const counts = [2, 10, 50].map((tolerance) => simplify(round, tolerance).length);
    expect(counts[0]).toBeLessThan(120);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.at(-1)).toBeGreaterThanOrEqual(3);
  });

  it('keeps only corners that were there, and a shape stays one', () => {
    expect(simplify(round, 10).every((point) => round.includes(point))).toBe(true);
    expect(simplify(square, 100_000).length).toBeGreaterThanOrEqual(3);
  });
});
