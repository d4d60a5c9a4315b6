import { describe, expect, it } from 'vitest';
import { errorCodes, resourceLabels } from './generated/labels.gen';
import { resources } from './generated/resources.gen';
import { features } from './lib/features';
import { GROUPS } from './lib/feature';

type Texts = Record<string, string>;
const modules = {
  ...import.meta.glob<{ default: Texts }>('./lib/texts/{hu,en}.ts', { eager: true }),
  ...import.meta.glob<{ default: Texts }>('./features/*/{hu,en}.ts', { eager: true }),
};
const sources = import.meta.glob<string>(
  [
    './**/*.{ts,tsx}',
    '!./**/*.{test,test-data}.{ts,tsx}',
    '!./generated/**',
    '!./**/{hu,en,*.hu,*.en,texts}.ts',
  ],
  { eager: true, query: '?raw', import: 'default' },
);

const of = (language: string): Texts =>
  Object.assign(
    {},
    ...Object.entries(modules)
      .filter(([file]) => file.endsWith(`/${language}.ts`))
      .map(([, m]) => m.default),
  );
const hu = of('hu');
const en = of('en');
/** `x_one` and `x_other` are the plural forms of the key `x`. */
const base = (key: string) => key.replace(/_(one|other)$/, '');
const exists = (key: string) => key in hu || `${key}_other` in hu;
const code = Object.values(sources).join('\n');

/** Words that are the same in both languages. */
const SAME = new Set([
  'menu.ntak',
  'menu.pos',
  'menu.platform',
  'live.short_offline',
  'form.in_language',
  'field.sku',
  'field.currency.huf',
  'terminal_schemes.terminal_type.ospi',
  'terminal_schemes.terminal_type.teya',
  'platform_restaurants.partner_name',
  'jobs.partner_id',
  'jobs.partner_name',
  'restaurant_switches.ntak',
  'kiosks.pin',
  'operating.partner',
]);

/** Keys written out in calls: t('a.b'), t(["a", 'b']). */
const literal = new Set([...code.matchAll(/\bt\(\s*\[?\s*['"]([^'"]+)['"]/g)].map((m) => m[1]!));
/** Keys with a fixed beginning: t(`menu.${group}`). */
const prefixes = new Set([...code.matchAll(/\bt\(\s*\[?\s*`([^`$]+)\$\{/g)].map((m) => m[1]!));
/**
 * Every quoted string that looks like a key, for keys handed around (`title: 'couriers.who'`, lists of
 * shortcuts).
 */
const quoted = new Set([...code.matchAll(/['"`]([a-z][a-z0-9_]*\.[A-Za-z0-9_.:]+)['"`]/g)].map((m) => m[1]!));

describe('texts', () => {
  it('both languages have the same keys', () => {
    expect(
      Object.keys(hu).filter((k) => !(k in en)),
      'missing in English',
    ).toEqual([]);
    expect(
      Object.keys(en).filter((k) => !(k in hu)),
      'missing in Hungarian',
    ).toEqual([]);
  });

  it('both languages have the same placeholders', () => {
    const holes = (text: string) =>
      [...text.matchAll(/\{\{\s*(\w+)/g)]
        .map((m) => m[1])
        .sort()
        .join();
    expect(Object.keys(hu).filter((k) => k in en && holes(hu[k]!) !== holes(en[k]!))).toEqual([]);
  });

  it('no Hungarian text is the English one', () => {
    expect(
      Object.keys(hu).filter(
        (k) => hu[k] === en[k] && !SAME.has(k) && /\p{L}{3}/u.test(hu[k]!.replace(/\{\{.*?\}\}/g, '')),
      ),
    ).toEqual([]);
  });

  it('no text is empty', () => {
    expect(Object.keys(hu).filter((k) => !hu[k]!.trim() || !en[k]?.trim())).toEqual([]);
  });

  it('no text leaves the choice of the article to the reader', () => {
    expect(Object.keys(hu).filter((k) => /\ba\(z\)/i.test(hu[k]!))).toEqual([]);
  });

  it('no article stands before an inserted name', () => {
    expect(Object.keys(hu).filter((k) => /(^|\s)az?\s+[„"]?\{\{/i.test(hu[k]!))).toEqual([]);
  });

  it('every key in the code has a text', () => {
    expect(
      [...literal].filter((k) => !exists(k)),
      'used but missing',
    ).toEqual([]);
    expect(
      [...prefixes].filter((p) => !Object.keys(hu).some((k) => k.startsWith(p))),
      'nothing begins with',
    ).toEqual([]);
  });

  it('every resource on a screen has all its labels', () => {
    const has = (key: string) => key in hu || `field.${key.split('.').slice(1).join('.')}` in hu;
    const missing = features.flatMap((f) =>
      (f.resources ?? []).flatMap((r) => (resourceLabels[r] ?? []).filter((k) => !has(k))),
    );
    expect(missing).toEqual([]);
  });

  it('generic lists have the text for an empty list and for a new row', () => {
    const used = [...code.matchAll(/<Resource(?:Page|List)\b[^>]*?resource="(\w+)"/gs)].map((m) => m[1]!);
    const wanted = used.flatMap((r) => [
      `${r}.empty_title`,
      `${r}.empty`,
      ...('create' in resources[r as keyof typeof resources].ops ? [`${r}.new`] : []),
    ]);
    expect(wanted.filter((k) => !(k in hu))).toEqual([]);
  });

  it('every code of the service has a text', () => {
    expect(errorCodes.filter((c) => !(`errors.${c}` in hu))).toEqual([]);
  });

  it('every menu group has a name', () => {
    expect(GROUPS.filter((g) => !(`menu.${g}` in hu))).toEqual([]);
  });

  it('no text lies unused', () => {
    const generated = new Set(Object.values(resourceLabels).flat());
    const ofResource = (key: string) => Object.keys(resources).some((r) => key.startsWith(`${r}.`));
    const unused = Object.keys(hu).filter(
      (k) =>
        !literal.has(base(k)) &&
        !quoted.has(base(k)) &&
        !literal.has(k) &&
        !quoted.has(k) &&
        !generated.has(k) &&
        ![...prefixes].some((p) => k.startsWith(p)) &&
        !/^(errors|field|action)\./.test(k) &&
        !ofResource(k),
    );
    expect(unused).toEqual([]);
  });
});

/** Words between tags and in visible attributes of TSX. */
function literalsIn(tsx: string): string[] {
  const bare = tsx.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
  const between = [...bare.matchAll(/<\/?[A-Za-z][^<>]*(?<!=)>\s*([^<>{}]*\p{L}{2}[^<>{}]*?)\s*[<{]/gu)]
    .map((m) => m[1]!)
    .filter((text) => !/[;=()&|:]|^(return|const)\b/.test(text));
  const attributes = [
    ...bare.matchAll(/\s(?:title|label|placeholder|aria-label|alt|okText|cancelText)="([^"]*\p{L}[^"]*)"/gu),
  ].map((m) => m[1]!);
  return [...between, ...attributes].filter((text) => !['Pult', '404', 'Ctrl K'].includes(text.trim()));
}

describe('no literals in the screens', () => {
  it('the scanner finds literals', () => {
    expect(literalsIn('<p>Szia</p>')).toEqual(['Szia']);
    expect(literalsIn('<p>\n  Két szó {name}\n</p>')).toEqual(['Két szó']);
    expect(literalsIn('<b>{t("x")}</b> Save <Input placeholder="Név" />')).toEqual(['Save', 'Név']);
    expect(literalsIn('<p>{t("a.b")}</p>; const f = (a: Map<string, number>) => a;')).toEqual([]);
  });

  it('texts come from keys', () => {
    const found = Object.entries(sources)
      .filter(([file]) => file.endsWith('.tsx'))
      .flatMap(([file, text]) => literalsIn(text).map((hit) => `${file}: ${hit}`));
    expect(found).toEqual([]);
  });
});
