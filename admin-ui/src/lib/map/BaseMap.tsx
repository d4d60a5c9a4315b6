import { divIcon } from 'leaflet';
import 'leaflet/dist/leaflet.css';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AttributionControl, MapContainer, TileLayer, ZoomControl } from 'react-leaflet';
import './map.css';

/** The tile policy of OpenStreetMap requires this attribution with its link. */
const COPYRIGHT = 'https://www.openstreetmap.org/copyright';

// Its own picture would come from the style sheet's folder; this one needs no file.
export const pinIcon = divIcon({
  className: 'place-pin',
  html: '<svg viewBox="0 0 32 42" width="32" height="42" aria-hidden="true"><path d="M16 1C7.7 1 1 7.6 1 15.8 1 26.6 16 41 16 41s15-14.4 15-25.2C31 7.6 24.3 1 16 1z" stroke-width="2"/><circle cx="16" cy="16" r="5.5"/></svg>',
  iconSize: [32, 42],
  iconAnchor: [16, 41],
});

interface Props {
  /** What the map is for: it is a group of this name. */
  label: string;
  /** Degrees, north and east; and the zoom the map begins with. */
  center: { lat: number; lng: number };
  zoom: number;
  /** Template of the pictures' addresses; without one the map is a blank field. */
  tiles: string | undefined;
  /** A picture could not be loaded. */
  onBroken: () => void;
  className?: string;
  children: ReactNode;
}

/** The map that all screens have. Without its pictures it is a blank field on which everything else works. */
export function BaseMap({ label, center, zoom, tiles, onBroken, className = '', children }: Props) {
  const { t, i18n } = useTranslation();
  return (
    <div className={`map-frame ${className}`} role="group" aria-label={label}>
      <MapContainer
        // Titles of its buttons are taken once.
        key={i18n.language}
        center={center}
        zoom={zoom}
        zoomControl={false}
        scrollWheelZoom={false}
        attributionControl={false}
      >
        <AttributionControl prefix={false} />
        <ZoomControl zoomInTitle={t('map.zoom_in')} zoomOutTitle={t('map.zoom_out')} />
        {tiles && (
          <TileLayer
            url={tiles}
            attribution={`<a href="${COPYRIGHT}" target="_blank" rel="noreferrer">${t('map.attribution')}</a>`}
            maxZoom={19}
            referrerPolicy="strict-origin-when-cross-origin"
            eventHandlers={{ tileerror: onBroken }}
          />
        )}
        {children}
      </MapContainer>
    </div>
  );
}
