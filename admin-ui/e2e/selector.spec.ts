import type { Page } from '@playwright/test';
import { expect, expectAccessible, type Place, test } from './fixtures.ts';
import { pathOf } from './screens.ts';

// The code of the list comes when the pointer or the keyboard is near: what was begun before goes on in it.
test.use({ role: 'super' });

const selector = (page: Page) => page.getByRole('combobox', { name: 'Étterem', exact: true });
const option = (page: Page) => page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .choice');

/** Anew: a window that was used before has the list already. */
async function load(page: Page, place: Place): Promise<void> {
  await page.goto(pathOf('couriers', place.restaurant));
  await expect(page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible();
}

/** The file of the list does not come before it is released. */
async function held(page: Page): Promise<() => void> {
  let release!: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/RestaurantSelect-*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('a click before the list is there opens it', async ({ page, place }) => {
  const release = await held(page);
  await load(page, place);
  await expectAccessible(page);
  await selector(page).click();
  await expect(selector(page)).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(option(page).first()).toBeVisible();
  await expect(selector(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(option(page)).toHaveCount(0);
  await expect(selector(page)).toBeFocused();
});

test('letters typed before the list is there are searched', { tag: '@nightly' }, async ({ page, place }) => {
  const release = await held(page);
  await load(page, place);
  await selector(page).focus();
  await page.keyboard.type('zse');
  await expect(selector(page)).toHaveAttribute('aria-busy', 'true');
  release();
  const input = page.locator('.bar input[role=combobox]');
  await expect(input).toHaveValue('zse');
  await expect(input).toBeFocused();
  await page.keyboard.type('b');
  await expect(input).toHaveValue('zseb');
});

test('the keyboard finds the list where the button was', { tag: '@nightly' }, async ({ page, place }) => {
  await load(page, place);
  await selector(page).focus();
  await expect(page.locator('.bar-select.ant-select')).toBeVisible();
  await expect(selector(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(option(page).first()).toBeVisible();
});

test('a list that cannot be loaded says so', { tag: '@nightly' }, async ({ page, place, expectConsole }) => {
  expectConsole(/RestaurantSelect|ERR_FAILED/);
  await page.route('**/assets/RestaurantSelect-*.js', (route) => route.abort());
  await load(page, place);
  await selector(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'nem töltődött be' })).toHaveCount(1);
  await expect(selector(page)).toBeVisible();
});
