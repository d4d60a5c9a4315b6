import { expect, expectAccessible, settled, smallTargets, test } from './fixtures.ts';
import { screens } from './screens.ts';

/** Wide desk, small desk and tablet, upright tablet, the narrowest phone (ui.md §8). */
const WIDTHS = [1440, 1024, 768, 360];
/** Both layouts, and the one between them, are looked at by axe. */
const AXE_WIDTHS = [1440, 768, 360];

// Each screen of the menu: opens without a word in the console, is accessible in both themes and at every width.
for (const screen of screens.filter((s) => !s.needsPath)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${screen.key} is sound, ${colorScheme}`, async ({ page, visit }) => {
      test.setTimeout(45_000);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        if (width === WIDTHS[0]) await visit(screen.key);
        await settled(page);
        if (AXE_WIDTHS.includes(width)) await expectAccessible(page);
        expect(await smallTargets(page), `small targets at ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `scrolls sideways at ${width}`).toBeLessThanOrEqual(0);
      }
    });
  }

  test(`${screen.key} for fingers: targets of 44 px`, async ({ page, visit }) => {
    await page.addInitScript(() => localStorage.setItem('pult.look', '{"density":"touch"}'));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1024, height: 768 });
    await visit(screen.key);
    await settled(page);
    expect(await smallTargets(page, 44)).toEqual([]);
  });

  test(`${screen.key} in English keeps page and query`, async ({ page, visit }) => {
    await visit(screen.key);
    const before = new URL(page.url());
    await page.goto(`${before.pathname}?q=zz`);
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(page.url()).search).toBe('?q=zz');
    await page.getByRole('button', { name: 'Magyar' }).click();
    await expect(page).toHaveURL(`${before.origin}${before.pathname}?q=zz`);
  });
}
