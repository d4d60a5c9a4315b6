import { useEffect, useState } from 'react';
import type { Restaurant } from '../generated/model';
import { serverNow } from './clock';

type Settings = Partial<Pick<Restaurant, 'busy_minutes' | 'busy_until' | 'estimated_delivery_time'>>;

/** While a restaurant is busy: so many minutes more, until then. */
export interface BusyTime {
  minutes: number;
  until: string;
}

/** The usual minutes where the restaurant says none. */
const USUAL = 30;

/** Busy as it holds at a moment, which the service computes in the same way. */
export function busyAt({ busy_minutes, busy_until }: Settings, now: number): BusyTime | undefined {
  return busy_minutes && busy_until && Date.parse(busy_until) > now
    ? { minutes: busy_minutes, until: busy_until }
    : undefined;
}

/** Minutes that an order for now takes. */
export const estimateAt = (settings: Settings, now: number): number =>
  (settings.estimated_delivery_time ?? USUAL) + (busyAt(settings, now)?.minutes ?? 0);

/** Fewest minutes from now to a wanted time whose setting is `least`. */
export const leadAt = (settings: Settings, least: number, now: number): number =>
  busyAt(settings, now) ? Math.max(least, estimateAt(settings, now)) : least;

/** Busy as it holds now. Nobody tells when it ends, so it is looked at again then. */
export function useBusyOf(settings: Settings): BusyTime | undefined {
  const { busy_until } = settings;
  const [, look] = useState(0);
  useEffect(() => {
    const left = busy_until ? Date.parse(busy_until) - serverNow() : 0;
    if (left <= 0) return;
    const timer = setTimeout(() => look((times) => times + 1), left);
    return () => clearTimeout(timer);
  }, [busy_until]);
  return busyAt(settings, serverNow());
}
