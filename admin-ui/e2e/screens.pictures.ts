import { mkdirSync } from 'node:fs';
import { expect, settled, test } from './fixtures.ts';
import { screens } from './screens.ts';

const out = new URL('../../docs/screens/', import.meta.url).pathname;
mkdirSync(out, { recursive: true });

const looks = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1440, height: 900 },
  { colorScheme: 'light', width: 1024, height: 768 },
  { colorScheme: 'light', width: 390, height: 844 },
] as const;

for (const look of looks) {
  const name = `${look.colorScheme}-${look.width}`;
  test(`pictures ${name}`, async ({ page, visit, place }) => {
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: look.width, height: look.height });
    for (const screen of screens.filter((s) => !s.needsPath)) {
      await visit(screen.key);
      await settled(page);
      await page.screenshot({ path: `${out}${screen.key}-${name}.png` });
    }
    await page.goto(`/r/${place.restaurant}/nincs-ilyen`);
    await settled(page);
    await page.screenshot({ path: `${out}not_found-${name}.png` });
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goto('/bejelentkezes');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await settled(page);
    await page.screenshot({ path: `${out}login-${name}.png` });
  });
}
