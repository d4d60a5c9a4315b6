import { Store } from '../lib/events';

/** The answer of the start-up call. */
interface ClientConfig {
  REST_API_URL: string;
  OPEN_STREET_MAP_URL: string;
  STAT_API_URL: string;
  STAT_API_KEY: string;
  SOCKET_URL: string;
  /** A development installation: the page wears a red strip. */
  development: boolean;
  /**
   * Whether page and files are kept in a service worker. A service of the release before says nothing about
   * it.
   */
  service_worker?: boolean;
  version: string;
}

export const clientConfig = new Store<ClientConfig | undefined>(undefined);

/** Address of the restaurant's socket. While developing, the dev server passes it on. */
export function socketUrl(restaurant: string): string {
  const base = import.meta.env.DEV ? location.href : clientConfig.get()?.SOCKET_URL || location.href;
  const url = new URL('/fresh-orders', new URL(base, location.href));
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('restaurant_id', restaurant);
  return url.href;
}
