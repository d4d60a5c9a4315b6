import { Circle, type LatLng, type Layer, Polygon } from 'leaflet';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMap } from 'react-leaflet';
import { FILL_OPACITY, type Geometry, type Point, ring, rounded } from './geometry';

export type Tool = 'polygon' | 'circle' | 'point';

interface Props {
  tool: Tool | undefined;
  onDrawn: (geometry: Geometry) => void;
  /** Drawing was given up, or is done. */
  onEnd: () => void;
  onPoint: (point: Point) => void;
  /** The next line would cross the outline, and is refused; or does so no more. */
  onCrossing: (crosses: boolean) => void;
  /** What takes the last corner of a polygon back; nothing while none is drawn. */
  onBack: (back: (() => void) | undefined) => void;
}

/** What the drawing library's own button for that calls; its types leave it out. */
const REMOVE_LAST = '_removeLastVertex';

const TOOLTIPS = ['firstVertex', 'continueLine', 'finishPoly', 'startCircle', 'finishCircle'] as const;

export const placeOf = (at: LatLng): Point => {
  const { lat, lng } = at.wrap();
  return rounded({ lat, lng });
};

/** The outline of a layer as it is kept. */
export function geometryOf(layer: unknown): Geometry | undefined {
  if (layer instanceof Circle)
    return { kind: 'circle', center: placeOf(layer.getLatLng()), radius: Math.round(layer.getRadius()) };
  if (layer instanceof Polygon) {
    const [outer] = layer.getLatLngs() as LatLng[][];
    return { kind: 'polygon', points: ring((outer ?? []).map(placeOf)) };
  }
  return undefined;
}

/** Draws with the pointer, or takes one point by a click. Escape gives it up. */
export function DrawTool(props: Props) {
  const { tool } = props;
  const map = useMap();
  const { t, i18n } = useTranslation();
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const language = i18n.language === 'hu' ? 'hu' : 'en';
    const tooltips = Object.fromEntries(TOOLTIPS.map((key) => [key, t(`region_map.draw_${key}`)]));
    map.pm.setLang(language, { tooltips }, language);
  }, [map, t, i18n.language]);

  useEffect(() => {
    if (tool !== 'polygon' && tool !== 'circle') return;
    const name = tool === 'polygon' ? 'Polygon' : 'Circle';
    const created = ({ layer }: { layer: { remove: () => unknown } }) => {
      const geometry = geometryOf(layer);
      // It comes back as a shape of the list.
      layer.remove();
      if (geometry) latest.current.onDrawn(geometry);
    };
    const ended = () => latest.current.onEnd();
    const crossing = () => latest.current.onCrossing(true);
    const added = () => latest.current.onCrossing(false);
    const started = ({ workingLayer }: { workingLayer: Layer }) => workingLayer.on('pm:vertexadded', added);
    map.on('pm:create', created);
    map.on('pm:intersect', crossing);
    map.on('pm:drawstart', started);
    map.pm.enableDraw(name, {
      snappable: true,
      snapDistance: 12,
      allowSelfIntersection: false,
      finishOnEnter: true,
      minRadiusCircle: 1,
      pathOptions: { className: 'dr-shape dr-shape-new', fillOpacity: FILL_OPACITY },
      templineStyle: { className: 'dr-line' },
      hintlineStyle: { className: 'dr-line', dashArray: '6 6' },
    });
    map.on('pm:drawend', ended);
    if (tool === 'polygon')
      latest.current.onBack(() => {
        const { Polygon: drawn } = map.pm.Draw as unknown as Record<string, Record<string, () => void>>;
        drawn?.[REMOVE_LAST]?.();
      });
    const cancel = (event: KeyboardEvent) => {
      if (event.key === 'Escape') latest.current.onEnd();
    };
    document.addEventListener('keydown', cancel);
    return () => {
      document.removeEventListener('keydown', cancel);
      latest.current.onBack(undefined);
      latest.current.onCrossing(false);
      map.off('pm:create', created);
      map.off('pm:intersect', crossing);
      map.off('pm:drawstart', started);
      map.off('pm:drawend', ended);
      map.pm.disableDraw();
    };
  }, [map, tool]);

  useEffect(() => {
    if (tool !== 'point') return;
    const clicked = ({ latlng }: { latlng: LatLng }) => latest.current.onPoint(placeOf(latlng));
    map.on('click', clicked);
    map.getContainer().classList.add('dr-pointing');
    return () => {
      map.off('click', clicked);
      map.getContainer().classList.remove('dr-pointing');
    };
  }, [map, tool]);
  return null;
}
