import './geoman';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Marker } from 'react-leaflet';
import { clientConfig } from '../../../app/config';
import { BaseMap, pinIcon } from '../../../lib/map/BaseMap';
import { DrawTool, type Tool } from './DrawTool';
import { DEFAULT_CENTER, DEFAULT_ZOOM, type Geometry, type Point } from './geometry';
import { type DrawnShape, ShapeLayers } from './ShapeLayers';
import { KeepView, Marked, OrderPoints, type View } from './mapParts';
import './mapCanvas.css';

export interface CanvasProps {
  /** Where the restaurant is. */
  pin: Point | undefined;
  shapes: readonly DrawnShape[];
  selected: string | undefined;
  tool: Tool | undefined;
  /** Nothing can be drawn or moved: it is being saved. */
  locked: boolean;
  orders: readonly Point[];
  /** A place that is asked about, or at which there is a fault. */
  marked: Point | undefined;
  /** What to bring into view; another object each time. */
  view: View | undefined;
  onDrawn: (geometry: Geometry) => void;
  onToolEnd: () => void;
  onReshape: (key: string, geometry: Geometry) => void;
  onSelect: (key: string) => void;
  onPoint: (point: Point) => void;
  /** What is drawn or moved would cross itself. */
  onCrossing: (crosses: boolean) => void;
  /** What takes the last corner of a polygon back; nothing while none is drawn. */
  onBack: (back: (() => void) | undefined) => void;
}

/** The map with all shapes. Without its pictures it is a blank field on which everything else works. */
export default function MapCanvas(props: CanvasProps) {
  const { pin, shapes, selected, tool, locked, orders, marked, view } = props;
  const { t } = useTranslation();
  const tiles = useSyncExternalStore(clientConfig.subscribe, clientConfig.get)?.OPEN_STREET_MAP_URL;
  const [broken, setBroken] = useState(false);
  // Kept while the map is made anew for another language.
  const [last, setLast] = useState({ center: pin ?? DEFAULT_CENTER, zoom: DEFAULT_ZOOM });
  return (
    <>
      {(!tiles || broken) && (
        <p className="dr-no-tiles" role="status">
          {t('region_map.no_tiles')}
        </p>
      )}
      <BaseMap
        className="dr-map"
        label={t('region_map.map')}
        center={last.center}
        zoom={last.zoom}
        tiles={tiles}
        onBroken={() => setBroken(true)}
      >
        <KeepView view={view} onMoved={setLast} />
        <ShapeLayers
          shapes={shapes}
          selected={tool === undefined && !locked ? selected : undefined}
          passive={tool !== undefined}
          onReshape={props.onReshape}
          onSelect={props.onSelect}
          onCrossing={props.onCrossing}
        />
        <DrawTool
          tool={tool}
          onDrawn={props.onDrawn}
          onEnd={props.onToolEnd}
          onPoint={props.onPoint}
          onCrossing={props.onCrossing}
          onBack={props.onBack}
        />
        <OrderPoints points={orders} />
        {pin && (
          <Marker
            position={pin}
            icon={pinIcon}
            keyboard={false}
            interactive={false}
            pmIgnore
            snapIgnore
            alt={t('region_map.restaurant')}
          />
        )}
        <Marked point={marked} />
      </BaseMap>
    </>
  );
}
