import { expect, expectAccessible, expectContrast, settled, smallTargets, test } from './fixtures.ts';
import { pathOf, screens } from './screens.ts';

/** Wide desk, small desk and tablet, upright tablet, the narrowest phone (ui.md §8). */
const WIDTHS = [1440, 1024, 768, 360];
/** Both layouts, and the one between them, are looked at by axe. */
const AXE_WIDTHS = [1440, 768, 360];

// Each screen of the menu: opens without a word in the console, is accessible in both themes and at every width.
for (const screen of screens.filter((s) => !s.needsPath)) {
  test.describe(() => {
    test.use({ role: screen.platform ? 'super' : 'partner' });

    test(`${screen.key} is sound`, async ({ page, place }) => {
      test.setTimeout(60_000);
      const address = `${pathOf(screen.key, place.restaurant)}?from=zz`;
      // The theme follows the system; nothing but colours changes with it, so the second of a width is looked at for colours only.
      let theme: 'light' | 'dark' = 'light';
      await page.emulateMedia({ colorScheme: theme });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        if (width === WIDTHS[0]) await page.goto(address);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await settled(page);
        await expect(page.locator('.ant-btn-icon:not([aria-hidden])'), 'icons that are part of a name').toHaveCount(0);
        if (AXE_WIDTHS.includes(width)) {
          await expectAccessible(page);
          theme = theme === 'light' ? 'dark' : 'light';
          await page.emulateMedia({ colorScheme: theme });
          await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
          await settled(page);
          await expectContrast(page);
        }
        expect(await smallTargets(page), `small targets at ${width}`).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `scrolls sideways at ${width}`).toBeLessThanOrEqual(0);
      }

      // For fingers, as chosen in another window.
      await page.evaluate(() => {
        localStorage.setItem('pult.look', '{"density":"touch"}');
        dispatchEvent(new StorageEvent('storage', { key: 'pult.look' }));
      });
      await expect(page.locator('html')).toHaveAttribute('data-density', 'touch');
      await page.setViewportSize({ width: 1024, height: 768 });
      await settled(page);
      expect(await smallTargets(page, 44), 'targets of 44 px').toEqual([]);

      // The other language keeps page and query.
      await page.getByRole('button', { name: 'English' }).click();
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(new URL(page.url()).search).toBe('?from=zz');
      await page.getByRole('button', { name: 'Magyar' }).click();
      await expect(page).toHaveURL(address);
    });
  });
}
