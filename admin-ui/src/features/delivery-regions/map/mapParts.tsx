import { canvas, circleMarker, latLngBounds, layerGroup } from 'leaflet';
import { useEffect } from 'react';
import { useMap, useMapEvents } from 'react-leaflet';
import { extent, type Geometry, isPlace, type Point } from './geometry';

/** What the map is to show. */
export type View = { shapes: readonly Geometry[] } | { at: Point };

interface KeepProps {
  view: View | undefined;
  onMoved: (now: { center: Point; zoom: number }) => void;
}

/** Brings into view what is asked for, and tells where the map is. */
export function KeepView({ view, onMoved }: KeepProps) {
  const map = useMapEvents({
    moveend: () => onMoved({ center: map.getCenter(), zoom: map.getZoom() }),
  });
  useEffect(() => {
    if (!view) return;
    if ('at' in view) {
      map.setView(view.at, Math.max(map.getZoom(), 15), { animate: false });
      return;
    }
    const corners = view.shapes.flatMap(extent);
    if (corners.length > 0)
      map.fitBounds(latLngBounds([...corners]), { padding: [32, 32], maxZoom: 16, animate: false });
  }, [map, view]);
  return null;
}

const PANE = 'orders';

const colourOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Orders as points, without names. Drawn on one canvas: there may be thousands. */
export function OrderPoints({ points }: { points: readonly Point[] }) {
  const map = useMap();
  useEffect(() => {
    if (points.length === 0) return;
    // Above the shapes, which still take the clicks.
    const pane = map.getPane(PANE) ?? map.createPane(PANE);
    pane.style.zIndex = '450';
    pane.style.pointerEvents = 'none';
    const renderer = canvas({ pane: PANE, padding: 0.3 });
    const [color, fillColor] = [colourOf('--on-attention'), colourOf('--attention')];
    const group = layerGroup(
      points.map((point) =>
        circleMarker(point, {
          renderer,
          pane: PANE,
          radius: 4,
          weight: 1,
          color,
          fillColor,
          fillOpacity: 0.9,
          interactive: false,
          pmIgnore: true,
          snapIgnore: true,
        }),
      ),
    ).addTo(map);
    return () => {
      group.remove();
      renderer.remove();
    };
  }, [map, points]);
  return null;
}

/** A ring around a place. */
export function Marked({ point }: { point: Point | undefined }) {
  const map = useMap();
  const { lat, lng } = point ?? {};
  useEffect(() => {
    if (lat === undefined || lng === undefined || !isPlace({ lat, lng })) return;
    const marker = circleMarker([lat, lng], {
      className: 'dr-marked',
      radius: 9,
      weight: 3,
      interactive: false,
      pmIgnore: true,
      snapIgnore: true,
    }).addTo(map);
    if (!map.getBounds().contains([lat, lng])) map.panTo([lat, lng], { animate: false });
    return () => void marker.remove();
  }, [map, lat, lng]);
  return null;
}
