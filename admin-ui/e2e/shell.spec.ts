import { expect, expectAccessible, settled, test } from './fixtures.ts';
import { slugFor } from './screens.ts';

test('404 in the shell shows the path, goes back and to the main page', async ({ page, place, visit }) => {
  await visit('couriers');
  await page.goto(`/r/${place.restaurant}/nincs-ilyen/oldal`);
  await expect(page.getByText('Ez az oldal nem található')).toBeVisible();
  await expect(page.getByText(`/r/${place.restaurant}/nincs-ilyen/oldal`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Vissza' }).click();
  await expect(page).toHaveURL(new RegExp(slugFor('couriers')));
  await page.goto('/valami/mas');
  await expect(page.getByText('/valami/mas')).toBeVisible();
  await page.getByRole('link', { name: 'A kezdőlapra' }).click();
  await expect(page).toHaveURL(/\/r\//);
});

test('a restaurant that is not ours looks as if it did not exist', async ({ page, expectConsole }) => {
  expectConsole(/404/);
  await page.goto(`/r/00000000-0000-7000-8000-000000000000/${slugFor('couriers')}`);
  await expect(page.getByRole('heading', { name: 'Nincs ilyen étterem' }).first()).toBeVisible();
  await expectAccessible(page);
});

test('the menu: Ctrl+B, groups, and an overlay on phones that closes after a click', async ({ page, visit }) => {
  await visit('couriers');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Futárok' });
  await expect(link).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Control+b');
  await expect(page.locator('.shell')).toHaveAttribute('data-menu', 'rail');
  await page.keyboard.press('Control+b');
  await expect(page.locator('.shell')).toHaveAttribute('data-menu', 'wide');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(link).not.toBeVisible();
  await page.getByRole('button', { name: 'Menü ki- és becsukása' }).click();
  await expect(link).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('navigation').getByRole('link', { name: 'API-kulcsok' }).click();
  await expect(page).toHaveURL(new RegExp(slugFor('api_keys')));
  await expect(link).not.toBeVisible();
});

test('go to (Ctrl+K) and the list of shortcuts (?)', async ({ page, visit }) => {
  await visit('couriers');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('api key');
  await settled(page);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(slugFor('api_keys')));
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Billentyűparancsok' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the look of the device: theme and density', async ({ page, visit }) => {
  await visit('couriers');
  await page.getByRole('button', { name: /Felhasználói menü/ }).click();
  await page.getByText('Sötét').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByText('Érintős').click();
  await expect(page.locator('html')).toHaveAttribute('data-density', 'touch');
  await settled(page);
  await expectAccessible(page);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the live indicator follows the connection, and a cut one is said after 10 s', async ({ page, visit }) => {
  await page.clock.install();
  await visit('couriers');
  await expect(page.getByRole('status', { name: /^Élő/ })).toBeVisible();
});

test.describe('a super admin', () => {
  test.use({ role: 'super' });
  test('always sees whose data are open', async ({ page, visit }) => {
    await visit('couriers');
    await expect(page.getByRole('note')).toContainText('Szuper adminként');
    await expectAccessible(page);
  });
});
