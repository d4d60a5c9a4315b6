// It adds itself to the one Leaflet that is there, so that is loaded first.
import { Marker } from 'leaflet';
import '@geoman-io/leaflet-geoman-free';
import '@geoman-io/leaflet-geoman-free/dist/leaflet-geoman.css';

// Corners on the map are for the pointer: as buttons without names they would only be in the way of the keyboard,
// which has the list of points.
Marker.mergeOptions({ keyboard: false });
