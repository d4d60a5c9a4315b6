import { expect, expectAccessible, settled, test } from './fixtures.ts';

// Both move or count the company's restaurants: one after the other.
test.describe.configure({ mode: 'default' });

test('a group is made by keyboard, a restaurant moved there and back by undo, and the group deleted', async ({
  page,
  visit,
  service,
  place,
}) => {
  const name = `Csoport ${Date.now()}`;
  await visit('restaurant_groups');
  await page.getByRole('button', { name: 'Új csoport' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog').first();
  await form.getByLabel('Csoport neve').fill(name);
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('link', { name })).toBeVisible();

  const groups = `/api/v3/admin/partners/${place.partner}/restaurant-groups`;
  const rows = async () =>
    (await (await service.get(groups)).json()) as { id: string; name: string; restaurants: number }[];
  const from = (await rows()).find((group) => group.restaurants > 0)!;
  await visit('restaurant_groups', from.id);
  await settled(page);
  await expectAccessible(page);
  await form
    .getByRole('combobox', { name: /^Csoport: / })
    .first()
    .click();
  await page.keyboard.type(name);
  await page.locator('.ant-select-item-option', { hasText: name }).click();
  await expect(page.getByText(/^Áthelyezve: /)).toBeVisible();
  await expect.poll(async () => (await rows()).find((group) => group.name === name)!.restaurants).toBe(1);
  await page.getByRole('button', { name: 'Visszavonás' }).click();
  await expect.poll(async () => (await rows()).find((group) => group.name === name)!.restaurants).toBe(0);

  await visit('restaurant_groups', (await rows()).find((group) => group.name === name)!.id);
  await settled(page);
  await form.getByRole('button', { name: 'További műveletek' }).click();
  await page.getByRole('menuitem', { name: 'Törlés' }).click();
  await page
    .getByRole('dialog', { name: /^Törlöd/ })
    .getByRole('button', { name: 'Törlés' })
    .click();
  await expect(page.getByRole('link', { name })).toHaveCount(0);
});

test(
  'a group with restaurants cannot be deleted or change its currency',
  { tag: '@nightly' },
  async ({ page, visit, service, place, expectConsole }) => {
    expectConsole(/409/);
    const [group] = (
      await (await service.get(`/api/v3/admin/partners/${place.partner}/restaurant-groups`)).json()
    ).filter((row: { restaurants: number }) => row.restaurants > 0);
    await visit('restaurant_groups', group.id);
    const form = page.getByRole('dialog').first();
    await expect(form.getByRole('combobox', { name: 'Pénznem' })).toBeDisabled();
    await settled(page);
    await form.getByRole('button', { name: 'További műveletek' }).click();
    await page.getByRole('menuitem', { name: 'Törlés' }).click();
    await page
      .getByRole('dialog', { name: /^Törlöd/ })
      .getByRole('button', { name: 'Törlés' })
      .click();
    await expect(form.getByText('Még használatban van, ezért nem törölhető.')).toBeVisible();
  },
);

test.describe('an admin of one restaurant', () => {
  test.use({ role: 'restaurant' });
  test(
    'may read groups but not change them',
    { tag: '@nightly' },
    async ({ page, visit, service, place }) => {
      await visit('restaurant_groups');
      await expect(page.getByRole('button', { name: 'Új csoport' })).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Teljes céges export' })).toHaveCount(0);
      await expect(page.getByRole('button', { name: /^Archiválás/ })).toHaveCount(0);
      expect(
        (
          await service.post(`/api/v3/admin/partners/${place.partner}/restaurant-groups`, {
            data: { name: 'x' },
          })
        ).status(),
      ).toBe(403);
    },
  );
});

test(
  'a new restaurant is offered, asks for its name, and what was typed is guarded',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    await visit('restaurant_groups');
    await page.getByRole('button', { name: 'Új étterem' }).click();
    const form = page.getByRole('dialog').first();
    await form.getByRole('button', { name: 'Mentés' }).click();
    await expect(form.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
    await form.getByLabel('Név').fill('Harmadik');
    // Folded: as in the company's first restaurant.
    await expect(form.getByLabel('Időzóna', { exact: true })).toHaveCount(0);
    await form.getByText('Időzóna, nyelv, pénznem').click();
    await expect(form.getByText('Europe/Budapest')).toBeVisible();
    await expect(form.getByText('Forint (HUF)')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Elvetés' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
);

test('a restaurant is archived with its name typed, and brought back', async ({
  page,
  visit,
  service,
  place,
}) => {
  // Other tests work in the first restaurant by name.
  const name = `Záruló ${Date.now()}`;
  const restaurants = `/api/v3/admin/partners/${place.partner}/restaurants`;
  const made = await (await service.post(restaurants, { data: { name } })).json();
  const listed = async () =>
    ((await (await service.get(restaurants)).json()) as { id: string }[]).some((row) => row.id === made.id);
  await visit('restaurant_groups', made.restaurant_group_id);
  // As many restaurants as other tests have made: a long list has a search.
  const button = page.getByRole('button', { name: `Archiválás: ${name}` });
  const find = page.getByRole('textbox', { name: 'Étterem keresése a csoportban' });
  await expect(button.or(find).first()).toBeVisible();
  if (await find.isVisible()) await find.fill(name);
  await button.click();
  const dialog = page.getByRole('dialog', { name: /^Archiválod/ });
  const archive = dialog.getByRole('button', { name: 'Archiválás' });
  await expect(archive).toBeDisabled();
  await dialog.getByRole('textbox').fill('valami más');
  await expect(archive).toBeDisabled();
  await dialog.getByRole('textbox').fill(name);
  await settled(page);
  await expectAccessible(page);
  await archive.click();
  await expect(page.getByText(`Archiválva: ${name}`)).toBeVisible();
  await expect.poll(listed).toBe(false);
  // By the notice, and by the list that stays.
  await page.getByRole('button', { name: 'Visszavonás' }).click();
  await expect.poll(listed).toBe(true);
  await service.delete(`${restaurants}/${made.id}`, { data: { confirm: name } });
  await visit('restaurant_groups');
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: `Visszahozás: ${name}` }).click();
  await expect(page.getByText(`Újra megvan: ${name}`)).toBeVisible();
  await expect.poll(listed).toBe(true);
  await service.delete(`${restaurants}/${made.id}`, { data: { confirm: name } });
});

test(
  'users with all rights of the company can export it; others cannot',
  { tag: '@nightly' },
  async ({ page, visit, place, service }) => {
    await visit('restaurant_groups');
    await page.getByRole('link', { name: 'Teljes céges export' }).last().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Teljes céges export');
    await settled(page);
    await expectAccessible(page);
    const answered = page.waitForResponse(
      (answer) =>
        answer.url().endsWith(`/partners/${place.partner}/export`) && answer.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Export indítása' }).click();
    expect((await answered).status()).toBe(202);
    await expect(page.getByText('Kész', { exact: true }).first()).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('link', { name: /^Letöltés/ }).first()).toHaveAttribute(
      'href',
      /\/api\/v3\/exports\//,
    );
    expect(
      (await (await service.get(`/api/v3/admin/partners/${place.partner}/exports`)).json()).length,
    ).toBeGreaterThan(0);
  },
);

test('in English', { tag: '@nightly' }, async ({ page, visit }) => {
  await visit('restaurant_groups');
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Restaurant groups');
  await page.getByRole('button', { name: 'Magyar', exact: true }).click();
});
