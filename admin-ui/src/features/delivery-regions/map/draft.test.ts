import { describe, expect, it } from 'vitest';
import { begin, changeOf, differ, newShape, pendingOf, rebase, reduce, type Shape, tooMuch } from './draft';
import type { Geometry } from './geometry';

const circle = (radius: number): Geometry => ({ kind: 'circle', center: { lat: 47, lng: 19 }, radius });
const saved = (id: string, radius: number, version = 1): Shape => ({
  key: id,
  id,
  version,
  region: 'belváros',
  geometry: circle(radius),
});
const base = [saved('a', 100), saved('b', 200)];

describe('the map while it is edited', () => {
  it('sends new, changed and deleted shapes, and nothing else', () => {
    let map = begin(base);
    expect(differ(map.base, map.now)).toBe(false);
    map = reduce(map, { do: 'add', shapes: [newShape(circle(5), 'új')] });
    map = reduce(map, { do: 'reshape', key: 'a', geometry: circle(101) });
    map = reduce(map, { do: 'remove', keys: ['b'] });
    expect(changeOf(map.base, map.now)).toEqual({
      save: [{ ...base[0], geometry: circle(101) }, expect.objectContaining({ region: 'új' })],
      remove: [{ id: 'b', version: 1 }],
    });
  });

  it('what is changed back is no change', () => {
    let map = reduce(begin(base), { do: 'reshape', key: 'a', geometry: circle(1) });
    map = reduce(map, { do: 'reshape', key: 'a', geometry: circle(100) });
    expect(differ(map.base, map.now)).toBe(false);
  });

  it('a polygon of fewer than three corners is not taken', () => {
    const points = [
      { lat: 1, lng: 1 },
      { lat: 2, lng: 2 },
    ];
    const map = begin(base);
    expect(reduce(map, { do: 'add', shapes: [newShape({ kind: 'polygon', points }, null)] })).toBe(map);
  });

  it('a shape drawn without a region is pending until it has one', () => {
    let map = reduce(begin(base), { do: 'add', shapes: [newShape(circle(5), null)] });
    const [pending] = pendingOf(map.now);
    expect(pending).toBeDefined();
    map = reduce(map, { do: 'assign', keys: [pending!.key], region: 'külváros' });
    expect(pendingOf(map.now)).toEqual([]);
    expect(map.now.at(-1)!.region).toBe('külváros');
  });

  it('takes steps back one by one, or all of them', () => {
    const one = reduce(begin(base), { do: 'remove', keys: ['a'] });
    const two = reduce(one, { do: 'reshape', key: 'b', geometry: circle(7) });
    expect(reduce(two, { do: 'undo' }).now).toEqual(one.now);
    expect(reduce(reduce(two, { do: 'undo' }), { do: 'undo' }).now).toBe(base);
    expect(reduce(two, { do: 'discard' })).toEqual(begin(base));
    expect(reduce(begin(base), { do: 'undo' }).now).toBe(base);
  });

  it('goes on top of what somebody else saved', () => {
    const mine = reduce(reduce(begin(base), { do: 'reshape', key: 'a', geometry: circle(1) }), {
      do: 'add',
      shapes: [newShape(circle(3), null)],
    });
    const theirs = [saved('a', 999, 2), saved('c', 300)];
    const merged = rebase(base, mine.now, theirs);
    // Mine over theirs, with their version; the untouched one they deleted is gone; their new one is there.
    expect(
      merged.map(({ id, version, geometry }) => [id, version, (geometry as { radius: number }).radius]),
    ).toEqual([
      ['a', 2, 1],
      ['c', 1, 300],
      [undefined, undefined, 3],
    ]);
    expect(changeOf(theirs, merged).save).toHaveLength(2);
  });

  it('what was changed here and deleted there becomes a new shape', () => {
    const mine = reduce(begin(base), { do: 'reshape', key: 'a', geometry: circle(1) }).now;
    const merged = rebase(base, mine, [saved('b', 200)]);
    expect(merged.map(({ id }) => id)).toEqual(['b', undefined]);
  });

  it('a new shape whose saving was not answered is not saved twice', () => {
    const mine = reduce(begin(base), { do: 'add', shapes: [newShape(circle(3), 'belváros')] }).now;
    const theirs = [...base, saved('c', 3)];
    expect(differ(theirs, rebase(base, mine, theirs))).toBe(false);
  });

  it('says when there is more than the service takes', () => {
    const many = Array.from({ length: 201 }, (_, i) => saved(String(i), 5));
    expect(tooMuch(many)).toBe('too_many_shapes');
    expect(tooMuch(base)).toBeUndefined();
  });
});
