import { mkdirSync } from 'node:fs';
import { expect, settled, test } from './fixtures.ts';
import { screens } from './screens.ts';

const out = new URL('../../docs/screens/', import.meta.url).pathname;
mkdirSync(out, { recursive: true });

const looks = [
  { name: 'light', colorScheme: 'light', width: 1440, height: 900 },
  { name: 'dark', colorScheme: 'dark', width: 1440, height: 900 },
  { name: 'tablet', colorScheme: 'light', width: 1024, height: 768 },
  { name: 'phone', colorScheme: 'light', width: 390, height: 844 },
] as const;

for (const look of looks) {
  test(`pictures, ${look.name}`, async ({ page, visit, place }) => {
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: look.width, height: look.height });
    for (const screen of screens.filter((s) => !s.needsPath)) {
      await visit(screen.key);
      await settled(page);
      await page.screenshot({ path: `${out}${screen.key}-${look.name}.png` });
    }
    await page.goto(`/r/${place.restaurant}/nincs-ilyen`);
    await settled(page);
    await page.screenshot({ path: `${out}not_found-${look.name}.png` });
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goto('/bejelentkezes');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await settled(page);
    await page.screenshot({ path: `${out}login-${look.name}.png` });
  });
}
