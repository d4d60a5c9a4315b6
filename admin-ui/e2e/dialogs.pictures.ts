import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';
import { dress, looks, nameOf, picture, wanted } from './looks.ts';
import { createSampleData } from './sampleData.ts';

test.beforeEach(async ({ place }) => createSampleData(place));

/** What lies over a page: pictured, and sound in this width, theme and language. */
async function pictureDialog(page: Page, key: string, name: string): Promise<void> {
  await expect(page.getByRole('dialog').last()).toBeVisible();
  await picture(page, `${key}-${name}`);
  await expectAccessible(page);
}

const close = async (page: Page) => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

for (const look of looks) {
  const name = nameOf(look);

  test(`what lies over settings ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`settings_history-${name}`));
    await dress(page, look);
    for (const blog of ['https://egy.example', 'https://ketto.example'])
      await service.put(`${place.api}/socials`, { data: { blog } });
    await visit('socials');
    await page.getByRole('button', { name: /^(Előzmények|History)$/ }).click();
    await pictureDialog(page, 'settings_history', name);
    await close(page);

    const groups = (await (
      await service.get(`/api/v3/admin/partners/${place.partner}/restaurant-groups`)
    ).json()) as { id: string; restaurants: number }[];
    await visit('restaurant_groups', groups.find((group) => group.restaurants > 0)!.id);
    await page
      .getByRole('button', { name: /^(Archiválás|Archive): / })
      .first()
      .click();
    await pictureDialog(page, 'restaurant_archive', name);
    await page.keyboard.press('Escape');
    await close(page);

    await visit('sign_in_provider');
    await page
      .getByRole('button', { name: /^(Előzmények|History)$/ })
      .last()
      .click();
    await pictureDialog(page, 'sign_in_history', name);
  });

  test(`what lies over any page ${name}`, async ({ page, visit }) => {
    test.skip(!wanted(`go_to-${name}`));
    await dress(page, look);
    await visit('fresh_orders');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('leves');
    await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    await pictureDialog(page, 'go_to', name);
    await close(page);
    await page.getByRole('button', { name: /^(SOS-zárás|SOS close)$/ }).click();
    await pictureDialog(page, 'sos_close_question', name);
    await close(page);
  });
}
