import { Circle, type Layer, Polygon } from 'leaflet';
import { useEffect, useRef } from 'react';
import { useMap } from 'react-leaflet';
import { geometryOf } from './DrawTool';
import { FILL_OPACITY, type Geometry, sameGeometry } from './geometry';

/** A shape as the map shows it. */
export interface DrawnShape {
  key: string;
  geometry: Geometry;
  /** Of its region; undefined while it has none. */
  colour: number | undefined;
  /** The region's name, or that it has none yet. */
  label: string;
  active: boolean;
}

interface Props {
  shapes: readonly DrawnShape[];
  /** The one that can be changed by its corners. */
  selected: string | undefined;
  /** Clicks are meant for something else. */
  passive: boolean;
  onReshape: (key: string, geometry: Geometry) => void;
  onSelect: (key: string) => void;
  /** A corner is drawn to where the outline would cross itself. */
  onCrossing: (crosses: boolean) => void;
}

/** Beyond so many corners only those near the pointer can be taken hold of. */
const HANDLES = 60;

const classOf = ({ colour, active }: DrawnShape): string =>
  `dr-shape ${colour === undefined ? 'dr-shape-new' : `dr-shape-${colour}`}${active ? '' : ' dr-shape-off'}`;

const layerOf = ({ geometry }: DrawnShape, className: string): Polygon | Circle => {
  const style = { className, fillOpacity: FILL_OPACITY, weight: 2 };
  return geometry.kind === 'circle'
    ? new Circle(geometry.center, { ...style, radius: geometry.radius })
    : new Polygon([...geometry.points], style);
};

/** A name is a text, never markup. */
const labelOf = (text: string): HTMLElement =>
  Object.assign(document.createElement('span'), { textContent: text });

interface Held {
  layer: Polygon | Circle;
  look: string;
  label: string;
}

/** Keeps one layer per shape; those whose outline was changed by hand are not drawn anew. */
export function ShapeLayers(props: Props) {
  const { shapes, selected } = props;
  const map = useMap();
  const held = useRef(new Map<string, Held>());
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const known = held.current;
    const wanted = new Map(shapes.map((shape) => [shape.key, shape]));
    const drop = (key: string, { layer }: Held) => {
      layer.pm.disable();
      layer.remove();
      known.delete(key);
    };
    for (const [key, one] of known) {
      const shape = wanted.get(key);
      const drawn = geometryOf(one.layer);
      const same = shape && drawn && one.look === classOf(shape) && sameGeometry(drawn, shape.geometry);
      if (!same || one.label !== shape.label) drop(key, one);
    }
    for (const shape of shapes) {
      if (known.has(shape.key)) continue;
      const look = classOf(shape);
      const layer = layerOf(shape, look);
      const moved = () => {
        const geometry = geometryOf(layer);
        latest.current.onCrossing(false);
        if (geometry) latest.current.onReshape(shape.key, geometry);
      };
      layer.on('pm:edit', moved);
      layer.on('pm:dragend', moved);
      layer.on('pm:intersect', () => latest.current.onCrossing(true));
      layer.on('click', () => {
        if (!latest.current.passive) latest.current.onSelect(shape.key);
      });
      layer.bindTooltip(labelOf(shape.label), { sticky: true });
      layer.addTo(map);
      name(layer, shape.label);
      known.set(shape.key, { layer, look, label: shape.label });
    }
    for (const [key, { layer }] of known) mark(layer, key === selected);
  }, [map, shapes, selected]);

  useEffect(() => {
    const known = held.current;
    return () => {
      for (const { layer } of known.values()) layer.remove();
      known.clear();
    };
  }, [map]);
  return null;
}

const elementOf = (layer: Layer): Element | undefined =>
  (layer as Layer & { getElement: () => Element | undefined }).getElement();

/** Says whose shape it is. It is no stop of the keyboard, which has the list of shapes beside the map. */
function name(layer: Layer, label: string): void {
  const element = elementOf(layer);
  element?.setAttribute('role', 'img');
  element?.setAttribute('aria-label', label);
  element?.setAttribute('tabindex', '-1');
}

/** Shows the corners of the chosen shape, and those of no other. */
function mark(layer: Polygon | Circle, chosen: boolean): void {
  elementOf(layer)?.classList.toggle('dr-shape-chosen', chosen);
  if (chosen === layer.pm.enabled()) return;
  if (!chosen) return layer.pm.disable();
  layer.bringToFront();
  layer.pm.enable({
    allowSelfIntersection: false,
    removeLayerBelowMinVertexCount: false,
    limitMarkersToCount: HANDLES,
    snapDistance: 12,
  });
}
