import type { Marker as Pin } from 'leaflet';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Marker, useMap, useMapEvents } from 'react-leaflet';
import { clientConfig } from '../../app/config';
import { BaseMap, pinIcon } from '../../lib/map/BaseMap';

/** Degrees, north and east. */
export interface Coordinates {
  lat: number;
  lng: number;
}

/** The middle of Hungary, shown while there is no pin. */
const DEFAULT_CENTER: Coordinates = { lat: 47.16, lng: 19.5 };
const ZOOM_CLOSE = 16;
const ZOOM_FAR = 6;

interface Props {
  pin: Coordinates | undefined;
  disabled: boolean;
  onMove: (place: Coordinates) => void;
}

/** A map with one pin. Without its pictures it is a blank field on which everything else works. */
export default function PinMap({ pin, disabled, onMove }: Props) {
  const { t } = useTranslation();
  const tiles = useSyncExternalStore(clientConfig.subscribe, clientConfig.get)?.OPEN_STREET_MAP_URL;
  const [broken, setBroken] = useState(false);
  return (
    <>
      <BaseMap
        label={t('place.map')}
        center={pin ?? DEFAULT_CENTER}
        zoom={pin ? ZOOM_CLOSE : ZOOM_FAR}
        tiles={tiles}
        onBroken={() => setBroken(true)}
      >
        <Follow pin={pin} />
        {!disabled && <Click onMove={onMove} />}
        {pin && <Draggable pin={pin} disabled={disabled} onMove={onMove} />}
      </BaseMap>
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
      icon={pinIcon}
      draggable={!disabled}
      keyboard={false}
      alt={t('place.pin')}
      title={t('place.pin')}
      eventHandlers={handlers}
    />
  );
}
