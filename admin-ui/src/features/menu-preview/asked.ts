import type { MenuChannel } from '../../generated/model';

export const CHANNELS = [
  'online',
  'sit_in',
  'phone',
  'kiosk_sit_in',
  'kiosk_take_away',
] as const satisfies readonly MenuChannel[];

/** What the address asks for. */
export interface Asked {
  channel: MenuChannel;
  /** At the till: taken away. In the web shop and on the phone: fetched. */
  pickup: boolean;
  /** The moment; now when there is none. */
  at: string | undefined;
  /** In the restaurant's second language. */
  second: boolean;
  /** Only what is not on sale. */
  hidden: boolean;
}

/** The two ways of a channel, `pickup` last; a kiosk's channel is one of them. */
export const waysOf = (channel: MenuChannel): readonly [string, string] | undefined =>
  channel === 'sit_in'
    ? ['here', 'take_away']
    : channel === 'online' || channel === 'phone'
      ? ['delivery', 'pickup']
      : undefined;

/** An instant of an address; anything else is none. */
const instant = (text: string | null): string | undefined =>
  text && !Number.isNaN(Date.parse(text)) ? text : undefined;

export function askedOf(params: URLSearchParams): Asked {
  const channel = CHANNELS.find((one) => one === params.get('channel')) ?? 'online';
  return {
    channel,
    pickup: params.get('pickup') === '1' && waysOf(channel) !== undefined,
    at: instant(params.get('at')),
    second: params.get('language') === '2',
    hidden: params.get('only') === 'hidden',
  };
}
