import { expect, expectAccessible, settled, test } from './fixtures.ts';

test('a key is shown once and can be copied', async ({ page, context, visit, service, place }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = `Próba ${Date.now()}`;
  await visit('api_keys', 'uj');
  await page.getByRole('dialog').getByLabel('Név').fill(name);
  await page.getByRole('button', { name: 'Mentés', exact: true }).click();
  const shown = page.getByRole('dialog', { name: new RegExp(name) });
  const key = await shown.getByLabel('API-kulcs').inputValue();
  expect(key).toMatch(/^pk_.{20,}/);
  await settled(page);
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'Kulcs másolása' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await shown.getByRole('button', { name: 'Eltettem' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  await page.getByRole('link', { name }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'További műveletek' }).click();
  await page.getByRole('menuitem', { name: 'Törlés' }).click();
  await page.getByRole('dialog', { name: /^Törlöd/ }).getByRole('button', { name: 'Törlés' }).click();
  await expect(page.getByRole('link', { name })).toHaveCount(0);
  const left = await (await service.get(`${place.api}/api-keys`)).json();
  expect(left.filter((row: { name: string; archived_at: string | null }) => row.name === name && !row.archived_at)).toEqual([]);
});
