/** Pure decisions of the guest TV's page. */

/**
 * Milliseconds until the next try; they grow and are spread, so that all displays do not come back at the
 * same moment.
 */
export const pause = (failures: number, random = Math.random()): number =>
  Math.min(30_000, 1_000 * 2 ** Math.min(failures, 10)) * (0.5 + random / 2);

type Channels = readonly number[];
const channelsOf = (colour: string): Channels =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
/** So much of `over` on `below`. */
const mix = (over: Channels, below: Channels, part: number): Channels =>
  over.map((c, at) => c * part + below[at]! * (1 - part));

function luminance(colour: Channels): number {
  const [red, green, blue] = colour.map((value) => {
    const c = value / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours as WCAG counts it, 1 to 21. */
export function contrast(one: Channels, other: Channels): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The letters of `tv.css`. */
export const LETTERS = { light: [255, 255, 255], dark: [20, 32, 27] } as const;

/** Whether white letters are easier to read on this colour than dark ones. */
export function wantsLight(colour: string): boolean {
  const channels = channelsOf(colour);
  return contrast(LETTERS.light, channels) > contrast(LETTERS.dark, channels);
}

/** Opacity of the veil: enough contrast on any picture, and the picture stays visible. */
export const VEIL_OPACITY = 0.72;

/**
 * The veil over a picture: the colour itself, moved towards black (towards white for dark letters) as far as
 * it takes for the letters to be read on the worst picture there could be, an all white (all black) one.
 */
export function veilOf(colour: string): Channels {
  const light = wantsLight(colour);
  const [worst, end] = light ? [LETTERS.light, [0, 0, 0]] : [[0, 0, 0], LETTERS.light];
  const readable = (veil: Channels) =>
    contrast(LETTERS[light ? 'light' : 'dark'], mix(veil, worst, VEIL_OPACITY)) >= 4.5;
  const steps = Array.from({ length: 21 }, (_, step) =>
    mix(end, channelsOf(colour), step / 20).map(Math.round),
  );
  return steps.find(readable) ?? end;
}

/** Hour, minute and day in the restaurant's zone, by the service's clock. */
export function wallClock(now: number, timeZone: string): { hour: number; minute: number; day: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(now);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
  return {
    hour: Number(part('hour')),
    minute: Number(part('minute')),
    day: `${part('year')}-${part('month')}-${part('day')}`,
  };
}

/** New versions are looked for at night, once: no guest is there to see the page reload. */
export const isNight = (hour: number): boolean => hour === 4;

/** The numbers that have become ready since the board before; none on the first one. */
export const newlyReady = (before: readonly string[] | undefined, now: readonly string[]): string[] =>
  before ? now.filter((number) => !before.includes(number)) : [];

/** The page's script as it stands in its HTML: it has another name in each version. */
export const scriptOf = (html: string): string | undefined => /<script[^>]+src="([^"]+)"/.exec(html)?.[1];

/** How large the numbers of a column can be. */
export const sizeOf = (count: number): 'l' | 'm' | 's' => (count <= 6 ? 'l' : count <= 15 ? 'm' : 's');
/** Numbers that fit on the board; of the others only the count is shown. */
export const MAX_NUMBERS = 28;
