import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectContrast, go, settled, smallTargets, test } from './fixtures.ts';

const HEIGHT = 900;
type Theme = 'light' | 'dark';
type Language = 'hu' | 'en';

interface Look {
  width: number;
  theme: Theme;
  /** For fingers (a tablet), not for a mouse. */
  touch?: boolean;
  language?: Language;
  /** What axe looks at: all, or colours only. */
  axe?: (page: Page) => Promise<void>;
}

/**
 * Wide desk, tablet, the narrowest phone. Each run has both themes, densities and languages and each of these
 * widths at every screen; which theme goes with a width turns from lot to lot of screens, because screens share
 * their parts. Languages stand together: each change of them costs.
 */
const LOOKS: Look[] = [
  { width: 1440, theme: 'light', axe: expectAccessible },
  { width: 1024, theme: 'dark', touch: true, axe: expectContrast },
  { width: 360, theme: 'dark', language: 'en', axe: expectAccessible },
];

/** `PULT_E2E_LOOKS=all`: each width, an upright tablet and a usual phone too, in both themes and languages, for a mouse too, with axe. */
function looks(turn: number): Look[] {
  const turned = (all: Look[]) =>
    all.map((look): Look => ({ ...look, theme: look.theme === 'light' ? 'dark' : 'light' }));
  if (process.env.PULT_E2E_LOOKS !== 'all') return turn % 2 === 0 ? LOOKS : turned(LOOKS);
  const once: Look[] = [
    ...LOOKS,
    { width: 1024, theme: 'light' },
    { width: 768, theme: 'light' },
    { width: 390, theme: 'dark' },
  ];
  return (['hu', 'en'] as const).flatMap((language) =>
    [...once, ...turned(once)].map((look) => ({ ...look, language, axe: expectAccessible })),
  );
}

/** Where to look, and what the window is called there when that is known. */
export interface Address {
  name: string;
  path: string;
  title?: Record<Language, string>;
}

/**
 * Accessible in both themes, densities and languages and at every width. Somebody walks through all of them
 * in one look after the other: a start of the application or another theme costs more than a screen. The
 * window is left as a tablet.
 */
export async function expectSound(page: Page, addresses: readonly Address[], turn = 0): Promise<void> {
  const all = looks(turn);
  test.setTimeout(20_000 + addresses.length * all.length * 6_000);
  for (const { width, theme, touch = false, language = 'hu', axe } of all) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await choose(page, touch);
    await switchLanguage(page, language, addresses[0]!);
    await page.setViewportSize({ width, height: HEIGHT });
    await settled(page);
    for (const { name, path, title } of addresses) {
      await test.step(`${name}: ${width} px, ${theme}${touch ? ', for fingers' : ''}, ${language}`, async () => {
        await go(page, path);
        if (title) await expect(page).toHaveTitle(`${title[language]} · Pult`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await settled(page);
        await expect(
          page.locator('.ant-btn-icon > :not([aria-hidden="true"])'),
          'icons that are part of a name',
        ).toHaveCount(0);
        if (language === 'hu') expect(await englishNames(page), 'names in English').toEqual([]);
        await axe?.(page);
        expect(await smallTargets(page, touch ? 44 : undefined), 'small targets').toEqual([]);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          'scrolls sideways',
        ).toBeLessThanOrEqual(0);
      });
    }
  }
  await switchLanguage(page, 'hu', addresses[0]!);
}

/** antd's fixed English names of parts, which no language of it replaces. */
const ENGLISH =
  /^(increase value|decrease value|close|clear color|segmented control|toggle (start|end) panel)$/i;

/** Those that stand on a page and are read out: not hidden, and not within something with a name of its own. */
const englishNames = (page: Page): Promise<string[]> =>
  page.locator('[aria-label]').evaluateAll(
    (elements, pattern) =>
      elements
        .filter((element) => !element.closest('[aria-hidden="true"]'))
        .filter((element) => !element.parentElement?.closest('button[aria-label], [role][aria-label]'))
        .filter((element) => new RegExp(pattern, 'i').test(element.getAttribute('aria-label')!))
        .map((element) => element.outerHTML.slice(0, 120)),
    ENGLISH.source,
  );

/** For fingers or not, as chosen in another window. */
async function choose(page: Page, touch: boolean): Promise<void> {
  await page.evaluate(
    (look) => {
      localStorage.setItem('pult.look', look);
      dispatchEvent(new StorageEvent('storage', { key: 'pult.look' }));
    },
    touch ? '{"density":"touch"}' : '{}',
  );
  await expect(page.locator('html')).toHaveAttribute('data-density', touch ? 'touch' : 'desk');
}

/**
 * Another language, chosen where nothing lies over the button (phones have none), keeps the page and its query.
 */
async function switchLanguage(page: Page, language: Language, { path }: Address): Promise<void> {
  const html = page.locator('html');
  if ((await html.getAttribute('lang')) === language) return;
  await page.setViewportSize({ width: 1024, height: HEIGHT });
  await go(page, path);
  await page.getByRole('button', { name: language === 'en' ? 'English' : 'Magyar', exact: true }).click();
  await expect(html).toHaveAttribute('lang', language);
  expect(new URL(page.url()).search).toBe(new URL(path, page.url()).search);
}
