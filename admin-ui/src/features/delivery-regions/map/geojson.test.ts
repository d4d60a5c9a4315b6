import { describe, expect, it } from 'vitest';
import { newShape } from './draft';
import { plainName, readGeoJson, writeGeoJson } from './geojson';

const RING = [
  [19, 47],
  [19.1, 47],
  [19.1, 47.1],
  [19, 47],
];
const HOLE = RING.map(([lng, lat]) => [lng! + 0.01, lat! + 0.01]);
const feature = (geometry: object, properties: object = {}) => ({ type: 'Feature', properties, geometry });
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });

describe('GeoJSON', () => {
  it('several parts become several shapes of the named region', () => {
    const read = readGeoJson(
      collection(
        feature({ type: 'MultiPolygon', coordinates: [[RING], [HOLE]] }, { name: ' Belváros ' }),
        feature({ type: 'Point', coordinates: [19, 47, 120] }, { radius: 1500.4 }),
      ),
    );
    expect(read!.faults).toEqual([]);
    expect(read!.shapes.map(({ region, geometry }) => [region, geometry.kind])).toEqual([
      ['Belváros', 'polygon'],
      ['Belváros', 'polygon'],
      [undefined, 'circle'],
    ]);
    expect(read!.shapes[0]!.geometry).toEqual({
      kind: 'polygon',
      points: RING.slice(0, 3).map(([lng, lat]) => ({ lat, lng })),
    });
    expect(read!.shapes[2]!.geometry).toMatchObject({ radius: 1500 });
  });

  it('a hole is refused with its place, and the rest is taken', () => {
    const read = readGeoJson(
      collection(
        feature({ type: 'Polygon', coordinates: [RING, HOLE] }, { region: 'Kert' }),
        feature({ type: 'Polygon', coordinates: [RING] }),
      ),
    );
    expect(read!.faults).toEqual([{ number: 1, name: 'Kert', what: 'hole', at: { lat: 47.01, lng: 19.01 } }]);
    expect(read!.shapes).toHaveLength(1);
  });

  it.each([
    [feature({ type: 'LineString', coordinates: RING }), 'kind'],
    [feature({ type: 'Point', coordinates: [19, 47] }), 'kind'],
    [
      feature({
        type: 'Polygon',
        coordinates: [
          [
            [19, 47],
            ['x', 47],
          ],
        ],
      }),
      'broken',
    ],
    [feature({ type: 'Polygon', coordinates: [RING.slice(0, 2)] }), 'too_few'],
    [
      feature({
        type: 'Polygon',
        coordinates: [
          [
            [200, 47],
            [19, 47],
            [19, 48],
          ],
        ],
      }),
      'out_of_range',
    ],
    [feature({ type: 'Point', coordinates: [19, 47] }, { radius: 200_000 }), 'radius'],
    [{ type: 'Feature', geometry: null }, 'broken'],
    [7 as never, 'broken'],
  ])('%j: %s', (one, what) => {
    expect(readGeoJson(collection(one))!.faults.map((fault) => fault.what)).toEqual([what]);
  });

  it('a bare geometry and a single feature are files too; anything else is none', () => {
    const geometry = { type: 'Polygon', coordinates: [RING] };
    expect(readGeoJson(JSON.stringify(geometry))!.shapes).toHaveLength(1);
    expect(readGeoJson(`\uFEFF${JSON.stringify(feature(geometry))}`)!.shapes).toHaveLength(1);
    for (const text of ['', 'null', '[]', '{}', '{"type":"Topology"}', 'PK\u0003\u0004'])
      expect(readGeoJson(text), text).toBeUndefined();
  });

  it('reads what it writes', () => {
    const shapes = [
      newShape(
        { kind: 'polygon', points: RING.slice(0, 3).map(([lng, lat]) => ({ lat: lat!, lng: lng! })) },
        'r1',
      ),
      newShape({ kind: 'circle', center: { lat: 47, lng: 19 }, radius: 800 }, null),
    ];
    const text = writeGeoJson(shapes, (region) => (region ? 'Belváros' : null));
    expect(readGeoJson(text)).toEqual({
      shapes: [
        { geometry: shapes[0]!.geometry, region: 'Belváros' },
        { geometry: shapes[1]!.geometry, region: undefined },
      ],
      faults: [],
    });
  });

  it('regions are found by name without accents and case', () => {
    expect(plainName(' Újbuda ')).toBe(plainName('ujBUDA'));
  });
});
