import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectContrast, go, settled, smallTargets, test } from './fixtures.ts';

type Theme = 'light' | 'dark';

/**
 * Wide desk, small desk and tablet, upright tablet, the narrowest phone (ui.md §8), and what axe looks at there. Each run
 * has both themes and each width; which go together turns from lot to lot of screens, because screens share their parts.
 * `PULT_E2E_LOOKS=all` has all of them together, and axe in each.
 */
const LOOKS: [width: number, theme: Theme, axe?: (page: Page) => Promise<void>][] = [
  [1440, 'light', expectAccessible],
  [1024, 'dark', expectContrast],
  [768, 'light'],
  [360, 'dark', expectAccessible],
];
const other = (theme: Theme): Theme => (theme === 'light' ? 'dark' : 'light');
const looks = (turn: number): typeof LOOKS => {
  const turned: typeof LOOKS = LOOKS.map(([width, theme, axe]) => [width, other(theme), axe]);
  if (process.env.PULT_E2E_LOOKS === 'all') return [...LOOKS, ...turned].map(([width, theme]) => [width, theme, expectAccessible]);
  return turn % 2 === 0 ? LOOKS : turned;
};

/** Where to look, and what the window is called there when that is known. */
export interface Address {
  name: string;
  path: string;
  title?: string;
}

/** Opens one after the other, from where the application stands. */
export async function each(page: Page, addresses: readonly Address[], look: string, sound?: () => Promise<void>): Promise<void> {
  for (const { name, path, title } of addresses) {
    await test.step(`${name}: ${look}`, async () => {
      await go(page, path);
      if (title) await expect(page).toHaveTitle(`${title} · Pult`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await settled(page);
      await sound?.();
    });
  }
}

/**
 * Accessible in both themes and densities and at every width. Somebody walks through all of them in one look after the
 * other: a start of the application or another theme costs more than a screen.
 */
export async function expectSound(page: Page, addresses: readonly Address[], turn = 0): Promise<void> {
  test.setTimeout(20_000 + addresses.length * 25_000);
  for (const [width, theme, axe] of looks(turn)) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await settled(page);
    await each(page, addresses, `${width} px, ${theme}`, async () => {
      await expect(page.locator('.ant-btn-icon:not([aria-hidden])'), 'icons that are part of a name').toHaveCount(0);
      await axe?.(page);
      expect(await smallTargets(page), 'small targets').toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'scrolls sideways').toBeLessThanOrEqual(0);
    });
  }
  // For fingers, as chosen in another window.
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.evaluate(() => {
    localStorage.setItem('pult.look', '{"density":"touch"}');
    dispatchEvent(new StorageEvent('storage', { key: 'pult.look' }));
  });
  await expect(page.locator('html')).toHaveAttribute('data-density', 'touch');
  await each(page, addresses, 'for fingers', async () => expect(await smallTargets(page, 44), 'targets of 44 px').toEqual([]));
}
