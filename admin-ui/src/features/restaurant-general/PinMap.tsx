import { divIcon, type Marker as Pin } from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import {
  AttributionControl,
  MapContainer,
  Marker,
  TileLayer,
  useMap,
  useMapEvents,
  ZoomControl,
} from 'react-leaflet';
import { clientConfig } from '../../app/config';

/** Degrees, north and east. */
export interface Coordinates {
  lat: number;
  lng: number;
}

/** The middle of Hungary, shown while there is no pin. */
const DEFAULT_CENTER: Coordinates = { lat: 47.16, lng: 19.5 };
const ZOOM_CLOSE = 16;
const ZOOM_FAR = 6;
/** The tile policy of OpenStreetMap requires this attribution with its link. */
const COPYRIGHT = 'https://www.openstreetmap.org/copyright';

// Its own picture would come from the style sheet's folder; this one needs no file.
const icon = divIcon({
  className: 'place-pin',
  html: '<svg viewBox="0 0 32 42" width="32" height="42" aria-hidden="true"><path d="M16 1C7.7 1 1 7.6 1 15.8 1 26.6 16 41 16 41s15-14.4 15-25.2C31 7.6 24.3 1 16 1z" stroke-width="2"/><circle cx="16" cy="16" r="5.5"/></svg>',
  iconSize: [32, 42],
  iconAnchor: [16, 41],
});

interface Props {
  pin: Coordinates | undefined;
  disabled: boolean;
  onMove: (place: Coordinates) => void;
}

/** A map with one pin. Without its pictures it is a blank field on which everything else works. */
export default function PinMap({ pin, disabled, onMove }: Props) {
  const { t, i18n } = useTranslation();
  const tiles = useSyncExternalStore(clientConfig.subscribe, clientConfig.get)?.OPEN_STREET_MAP_URL;
  const [broken, setBroken] = useState(false);
  return (
    <>
      <div className="place-map" role="group" aria-label={t('place.map')}>
        <MapContainer
          key={i18n.language}
          center={pin ?? DEFAULT_CENTER}
          zoom={pin ? ZOOM_CLOSE : ZOOM_FAR}
          zoomControl={false}
          scrollWheelZoom={false}
          attributionControl={false}
        >
          <AttributionControl prefix={false} />
          <ZoomControl zoomInTitle={t('place.zoom_in')} zoomOutTitle={t('place.zoom_out')} />
          {tiles && (
            <TileLayer
              url={tiles}
              attribution={`<a href="${COPYRIGHT}" target="_blank" rel="noreferrer">${t('place.attribution')}</a>`}
              maxZoom={19}
              referrerPolicy="strict-origin-when-cross-origin"
              eventHandlers={{ tileerror: () => setBroken(true) }}
            />
          )}
          <Follow pin={pin} />
          {!disabled && <Click onMove={onMove} />}
          {pin && <Draggable pin={pin} disabled={disabled} onMove={onMove} />}
        </MapContainer>
      </div>
      <p className="place-note">{t(tiles && !broken ? 'place.help' : 'place.no_tiles')}</p>
    </>
  );
}

/** Moves the map to a pin that the search or typed coordinates have moved. */
function Follow({ pin }: { pin: Coordinates | undefined }) {
  const map = useMap();
  const { lat, lng } = pin ?? {};
  useEffect(() => {
    if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return;
    if (map.getZoom() < ZOOM_CLOSE - 4 || !map.getBounds().pad(-0.1).contains([lat, lng]))
      map.setView([lat, lng], Math.max(ZOOM_CLOSE, map.getZoom()), { animate: false });
  }, [map, lat, lng]);
  return null;
}

function Click({ onMove }: Pick<Props, 'onMove'>) {
  useMapEvents({ click: ({ latlng }) => onMove({ lat: latlng.lat, lng: latlng.wrap().lng }) });
  return null;
}

function Draggable({ pin, disabled, onMove }: { pin: Coordinates } & Omit<Props, 'pin'>) {
  const { t } = useTranslation();
  const marker = useRef<Pin>(null);
  const handlers = useMemo(
    () => ({
      dragend: () => {
        const at = marker.current?.getLatLng().wrap();
        if (at) onMove({ lat: at.lat, lng: at.lng });
      },
    }),
    [onMove],
  );
  // Coordinates that are still being typed may be out of range.
  if (Math.abs(pin.lat) > 90 || Math.abs(pin.lng) > 180) return null;
  return (
    <Marker
      ref={marker}
      position={pin}
      icon={icon}
      draggable={!disabled}
      keyboard={false}
      alt={t('place.pin')}
      title={t('place.pin')}
      eventHandlers={handlers}
    />
  );
}
