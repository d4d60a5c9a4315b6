import { useContext, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from './session';
import { RestaurantContext } from './target';

/** Language of the interface. */
export type Language = 'hu' | 'en';
/**
 * An amount as the service sends it: a JSON number, or a numeric string while it is edited. Never added up
 * here.
 */
export type Amount = number | string | null | undefined;

const LOCALE: Record<Language, string> = { hu: 'hu-HU', en: 'en-GB' };
/**
 * Days and instants as pickers show them and `formatDateTime` writes them, in both languages.
 */
export const DAY = 'YYYY/MM/DD';
export const INSTANT = `${DAY} HH:mm`;
/** A day as it is kept, sent and put into addresses. */
export const PLAIN_DAY = 'YYYY-MM-DD';
/** Shown where there is no value. */
export const NONE = '–';

const cache = new Map<string, Intl.NumberFormat>();
function numberFormat(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let format = cache.get(key);
  if (!format)
    cache.set(
      key,
      (format = new Intl.NumberFormat(LOCALE[language], {
        useGrouping: 'always',
        ...options,
      } as Intl.NumberFormatOptions)),
    );
  return format;
}
// Intl takes decimal strings exactly; the type declarations lag behind.
const exact = (value: number | string) => value as number;
const absent = (value: Amount): value is null | undefined | '' =>
  value === null || value === undefined || value === '';

export function formatNumber(language: Language, value: Amount, digits = 3): string {
  return absent(value)
    ? NONE
    : numberFormat(language, { maximumFractionDigits: digits }).format(exact(value));
}

export function formatPercent(language: Language, value: Amount): string {
  return absent(value) ? NONE : `${formatNumber(language, value, 2)}${language === 'hu' ? '\u00a0' : ''}%`;
}

/** `12 345 Ft` in Hungarian, `12,345 Ft` in English; euro and the rest as the language writes them. */
export function formatMoney(language: Language, value: Amount, currency: string): string {
  if (absent(value)) return NONE;
  const code = currency.toUpperCase();
  if (code === 'HUF')
    return `${numberFormat(language, { maximumFractionDigits: 2 }).format(exact(value))}\u00a0Ft`;
  return numberFormat(language, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  }).format(exact(value));
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `12,3 MB`: steps of 1000, one decimal below ten. */
function formatSize(language: Language, bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return NONE;
  const step = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  return numberFormat(language, {
    style: 'unit',
    unit: SIZES[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value);
}

const zoned = new Map<string, Intl.DateTimeFormat>();
function parts(instant: string | Date, zone: string): Record<string, string> {
  let format = zoned.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    zoned.set(zone, format);
  }
  return Object.fromEntries(format.formatToParts(new Date(instant)).map((p) => [p.type, p.value]));
}

/** `YYYY/MM/DD HH:mm` in the given zone, both languages. */
export function formatDateTime(instant: string | Date | null | undefined, zone: string): string {
  if (!instant) return NONE;
  const p = parts(instant, zone);
  return `${p.year}/${p.month}/${p.day} ${p.hour}:${p.minute}`;
}

/** The same with seconds, where things follow each other fast. */
export function formatExactTime(instant: string | Date | null | undefined, zone: string): string {
  return instant ? `${formatDateTime(instant, zone)}:${parts(instant, zone).second}` : NONE;
}

export function formatDate(instant: string | Date | null | undefined, zone: string): string {
  return instant ? formatDateTime(instant, zone).slice(0, 10) : NONE;
}

export function formatTime(instant: string | Date | null | undefined, zone: string): string {
  return instant ? formatDateTime(instant, zone).slice(11) : NONE;
}

/** A day that has no instant (`2026-07-01`), as days are shown. */
const formatDay = (day: string | null | undefined): string => day?.replaceAll('-', '/') ?? NONE;

/** "2 perce", "in 5 min.": the coarsest unit that says something. */
export function formatAgo(language: Language, instant: string | Date, now: number = Date.now()): string {
  const seconds = (new Date(instant).getTime() - now) / 1000;
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['minute', 60],
    ['hour', 3600],
    ['day', 86_400],
    ['month', 2_629_800],
  ];
  const [unit, size] = steps.findLast(([, s]) => Math.abs(seconds) >= s) ?? steps[0]!;
  return new Intl.RelativeTimeFormat(LOCALE[language], { numeric: 'auto', style: 'short' }).format(
    Math.trunc(seconds / size) || 0,
    unit,
  );
}

/**
 * Reads an amount as people type or paste it (`12 345,50 Ft`, `12,345.50`): a plain decimal string, or
 * undefined when it is none. The last comma or point is the decimal one, unless it groups thousands of
 * forints (`12.345`).
 */
export function parseAmount(text: string): string | undefined {
  const bare = text.replace(/[\s\u00a0\u202f]|[^\d.,-]/g, '');
  const last = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'));
  const groups =
    last >= 0 &&
    bare.length - last - 1 === 3 &&
    /^-?\d{1,3}([.,]\d{3})+$/.test(bare) &&
    !bare.startsWith('0');
  const whole =
    last < 0 || groups
      ? bare.replace(/[.,]/g, '')
      : `${bare.slice(0, last).replace(/[.,]/g, '')}.${bare.slice(last + 1)}`;
  return /^-?\d+(\.\d+)?$/.test(whole) ? whole : undefined;
}

/**
 * The formats bound to the interface's language and the restaurant's zone and currency; outside every
 * restaurant to the person's own zone.
 */
export function useFormat() {
  const { i18n } = useTranslation();
  const restaurant = useContext(RestaurantContext);
  const language: Language = i18n.language === 'en' ? 'en' : 'hu';
  const own = useSyncExternalStore(session.subscribe, session.latest)?.timezone;
  const zone = restaurant?.timezone ?? own ?? 'Europe/Budapest';
  const currency = restaurant?.currency ?? 'huf';
  return {
    language,
    zone,
    currency,
    number: (value: Amount, digits?: number) => formatNumber(language, value, digits),
    size: (bytes: number | null | undefined) => formatSize(language, bytes),
    percent: (value: Amount) => formatPercent(language, value),
    money: (value: Amount) => formatMoney(language, value, currency),
    date: (instant: string | null | undefined) => formatDate(instant, zone),
    day: formatDay,
    time: (instant: string | Date | null | undefined) => formatTime(instant, zone),
    dateTime: (instant: string | null | undefined) => formatDateTime(instant, zone),
    exactTime: (instant: string | null | undefined) => formatExactTime(instant, zone),
    ago: (instant: string, now?: number) => formatAgo(language, instant, now),
  };
}
