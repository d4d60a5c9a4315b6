import type { Page } from '@playwright/test';
import { expect, expectAccessible, settled, smallTargets, test } from './fixtures.ts';

/** What lies over a page now is sound, in English. */
async function expectSoundDialog(page: Page, name: RegExp): Promise<void> {
  await expect(page.getByRole('dialog', { name }).last()).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  expect(await smallTargets(page), 'small targets').toEqual([]);
}
const close = async (page: Page) => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

// The walk through all screens sees none of them, and their own tests speak Hungarian. SOS close and the orders
// that are ready stand with the board's tests, which share it.
test(
  'dialogs, drawers and what unfolds are sound in English',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    test.setTimeout(90_000);
    await visit('socials');
    await page.getByRole('button', { name: 'English' }).click();

    await test.step('history of settings', async () => {
      await page.getByRole('button', { name: 'History' }).click();
      await expectSoundDialog(page, /^History: Socials/);
      await close(page);
    });

    await test.step('Ctrl+K', async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('api');
      await expect(page.getByRole('dialog').getByRole('group', { name: 'Screens' })).toBeVisible();
      await expectSoundDialog(page, /^Go to/);
      await close(page);
    });

    await test.step('archiving a restaurant', async () => {
      const groups = (await (
        await service.get(`/api/v3/admin/partners/${place.partner}/restaurant-groups`)
      ).json()) as { id: string; restaurants: number }[];
      await visit('restaurant_groups', groups.find((group) => group.restaurants > 0)!.id);
      await page
        .getByRole('button', { name: /^Archive: / })
        .first()
        .click();
      await expectSoundDialog(page, /^Archive this restaurant/);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name: /^Archive this restaurant/ })).toHaveCount(0);
      await close(page);
    });

    await test.step('rules of signing in, a choice opened, and their history', async () => {
      await visit('sign_in_provider');
      const card = page.locator('section', {
        has: page.getByRole('heading', { name: 'Rules of signing in' }),
      });
      await card.getByLabel('Sign out when idle').click();
      await expect(page.getByTitle('After 15 minutes')).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'History' }).click();
      await expectSoundDialog(page, /^History: Sign-in/);
      await close(page);
    });

    await test.step('the till, billing details and an address', async () => {
      await visit('my_account');
      await page.getByRole('button', { name: 'Open on another device' }).click();
      await expect(page.getByRole('img', { name: 'QR code that opens the till' })).toBeVisible();
      const card = page.locator('section', {
        has: page.getByRole('heading', { name: 'Time zone, billing and addresses' }),
      });
      await card.getByRole('button', { name: 'Enter billing details' }).click();
      await card.getByRole('button', { name: 'Add an address' }).click();
      await settled(page);
      await expectAccessible(page);
      expect(await smallTargets(page), 'small targets').toEqual([]);
      // Nothing of it is left unsaved.
      await card.getByRole('button', { name: 'Remove the billing details' }).click();
      await card.getByRole('button', { name: 'Remove the address' }).click();
    });
    await page.getByRole('button', { name: 'Magyar', exact: true }).click();
  },
);
