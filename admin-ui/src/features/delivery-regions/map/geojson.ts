import { faultOf, type Geometry, isPlace, type Point, ring, rounded, type ShapeFault } from './geometry';
import type { Shapes } from './draft';
import { plain } from '../../../lib/plain';

/** A shape that a file holds, with the region that it names. */
export interface FoundShape {
  geometry: Geometry;
  region: string | undefined;
}

/** Why something of a file is not taken. `number` counts the file's features from 1. */
export interface FileFault {
  number: number;
  name: string | undefined;
  what: ShapeFault['what'] | 'hole' | 'kind' | 'broken';
  at?: Point;
}

export interface ReadFile {
  shapes: FoundShape[];
  faults: FileFault[];
}

/** The largest file that is read, in bytes. */
export const LARGEST_FILE = 5_000_000;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A position: degrees east, then north; a height may follow. */
function placeAt(value: unknown): Point | undefined {
  if (!Array.isArray(value)) return undefined;
  const [lng, lat] = value as unknown[];
  return typeof lng === 'number' && typeof lat === 'number' ? rounded({ lat, lng }) : undefined;
}

function places(value: unknown): Point[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const points = value.map(placeAt);
  return points.every((point) => point !== undefined) ? (points as Point[]) : undefined;
}

class Reading {
  shapes: FoundShape[] = [];
  faults: FileFault[] = [];
  #number = 0;

  feature(value: unknown): void {
    this.#number += 1;
    const properties = isObject(value) && isObject(value.properties) ? value.properties : {};
    const name = [properties.region, properties.name, properties.title].find(
      (one): one is string => typeof one === 'string' && one.trim() !== '',
    );
    this.#geometry(isObject(value) ? value.geometry : undefined, properties, name?.trim());
  }

  #refuse(name: string | undefined, what: FileFault['what'], at?: Point): void {
    this.faults.push({ number: this.#number, name, what, ...(at && { at }) });
  }

  #take(geometry: Geometry, region: string | undefined): void {
    const fault = faultOf(geometry);
    if (fault) this.#refuse(region, fault.what, fault.at);
    else this.shapes.push({ geometry, region });
  }

  #polygon(rings: unknown, name: string | undefined): void {
    if (!Array.isArray(rings) || rings.length === 0) return this.#refuse(name, 'broken');
    const outer = places(rings[0]);
    if (!outer) return this.#refuse(name, 'broken');
    if (rings.length > 1) return this.#refuse(name, 'hole', places(rings[1])?.find(isPlace));
    this.#take({ kind: 'polygon', points: ring(outer) }, name);
  }

  #geometry(value: unknown, properties: Json, name: string | undefined): void {
    if (!isObject(value)) return this.#refuse(name, 'broken');
    const { type, coordinates } = value;
    if (type === 'Polygon') return this.#polygon(coordinates, name);
    if (type === 'MultiPolygon' && Array.isArray(coordinates)) {
      for (const part of coordinates) this.#polygon(part, name);
      return;
    }
    if (type === 'GeometryCollection' && Array.isArray(value.geometries)) {
      for (const part of value.geometries) this.#geometry(part, properties, name);
      return;
    }
    const center = type === 'Point' ? placeAt(coordinates) : undefined;
    if (center && typeof properties.radius === 'number')
      return this.#take({ kind: 'circle', center, radius: Math.round(properties.radius) }, name);
    this.#refuse(name, 'kind');
  }
}

/**
 * The shapes of a GeoJSON text: polygons, each part of a multi-polygon, and points with a `radius` in metres as
 * circles. Holes are refused: a region is one ring.
 * @returns undefined when the text is no GeoJSON at all
 */
export function readGeoJson(text: string): ReadFile | undefined {
  let file: unknown;
  try {
    file = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  if (!isObject(file)) return undefined;
  const reading = new Reading();
  if (file.type === 'FeatureCollection' && Array.isArray(file.features))
    for (const feature of file.features) reading.feature(feature);
  else if (file.type === 'Feature') reading.feature(file);
  else if (typeof file.type === 'string' && ('coordinates' in file || 'geometries' in file))
    reading.feature({ geometry: file });
  else return undefined;
  return { shapes: reading.shapes, faults: reading.faults };
}

/** All shapes as a GeoJSON text; a circle is a point with its radius. */
export function writeGeoJson(shapes: Shapes, nameOf: (region: string | null) => string | null): string {
  const position = ({ lat, lng }: Point) => [lng, lat];
  return JSON.stringify(
    {
      type: 'FeatureCollection',
      features: shapes.map(({ region, geometry }) => ({
        type: 'Feature',
        properties: {
          region: nameOf(region),
          ...(geometry.kind === 'circle' ? { radius: geometry.radius } : {}),
        },
        geometry:
          geometry.kind === 'circle'
            ? { type: 'Point', coordinates: position(geometry.center) }
            : {
                type: 'Polygon',
                coordinates: [[...geometry.points, geometry.points[0]!].map(position)],
              },
      })),
    },
    null,
    1,
  );
}

/** Names are compared as people read them: without accents, case and outer blanks. */
export const plainName = (name: string): string => plain(name).trim();
