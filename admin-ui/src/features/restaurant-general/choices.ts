import type { Language } from '../../lib/format';

interface Choice {
  value: string;
  label: string;
}

/** Countries of ISO 3166, without unions, unassigned codes and former states. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const known = new Map<Language, Choice[]>();

/** All countries by their name in the language; the browser knows the names. */
export function countries(language: Language): Choice[] {
  let list = known.get(language);
  if (!list) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    list = letters
      .flatMap((first) => letters.map((second) => first + second))
      .filter((code) => !NO_COUNTRY.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
      .flatMap((value) => {
        const label = names.of(value);
        return label ? [{ value, label }] : [];
      })
      .sort((a, b) => a.label.localeCompare(b.label, language));
    known.set(language, list);
  }
  return list;
}

let all: Choice[] | undefined;

/** Time zones by region and city; the service takes no others. */
export function zones(): Choice[] {
  all ??= Intl.supportedValuesOf('timeZone')
    .filter((name) => name.includes('/'))
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  return all;
}

/** Currencies to choose on a screen: forints, and the one that the row has already. */
export const currencies = (t: (key: string) => string, has?: string | null): Choice[] =>
  [...new Set(['huf', has ?? 'huf'])].map((value) => ({ value, label: t(`field.currency.${value}`) }));
