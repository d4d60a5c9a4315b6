import { placeOf } from '../map/points';
import type { Point } from '../map/geometry';

/** What is asked about: an address, or a place on the map, as typed. */
export interface Asked {
  by: 'address' | 'point';
  postcode: string;
  city: string;
  street: string;
  lat: string;
  lng: string;
}

export const NOTHING: Asked = { by: 'address', postcode: '', city: '', street: '', lat: '', lng: '' };

/** The query of the check; none while something is missing. */
export function queryOf({ by, postcode, city, street, lat, lng }: Asked) {
  if (by === 'point') return placeOf({ lat, lng });
  const words = { postcode: postcode.trim(), city: city.trim(), street: street.trim() };
  const given = Object.entries(words).filter(([, text]) => text !== '');
  return given.length > 0 ? (Object.fromEntries(given) as Partial<typeof words>) : undefined;
}

export const askAt = (asked: Asked, { lat, lng }: Point): Asked => ({
  ...asked,
  by: 'point',
  lat: String(lat),
  lng: String(lng),
});
