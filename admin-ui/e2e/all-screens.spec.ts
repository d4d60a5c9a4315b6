import { expect, expectAccessible, settled, smallTargets, test } from './fixtures.ts';
import { screens } from './screens.ts';

// Each screen of the menu: opens without a word in the console, is accessible in both themes, desk and narrow.
for (const screen of screens.filter((s) => !s.needsPath)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 768, 390]) {
      test(`${screen.key} ${colorScheme} ${width}`, async ({ page, visit }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 900 });
        await visit(screen.key);
        await settled(page);
        await expectAccessible(page);
        expect(await smallTargets(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'scrolls sideways').toBeLessThanOrEqual(0);
      });
    }
  }

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
