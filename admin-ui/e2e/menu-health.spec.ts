import { Menu, unique } from './catalogue-menu.ts';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test } from './new-restaurant.ts';

test('guests do not see what is off, which the preview explains; a low rate is mended and taken back', async ({
  page,
  visit,
  service,
  place,
}) => {
  test.setTimeout(90_000);
  const menu = new Menu(service, place);
  const home = await menu.category('Sörök');
  const beer = await menu.product(home.id, `Világos ${unique()}`);
  const at = `product-categories/${home.id}/products/${beer.id}`;
  await menu.put(at, { active: false });

  await visit('menu_preview');
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: beer.name }) });
  await expect(row.getByText('Ki van kapcsolva ez a termék')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  expect(await smallTargets(page)).toEqual([]);
  await row.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: beer.name })).toBeVisible();

  // The rate is too low by the name of its category.
  await menu.put(at, { active: true, vat_id: '00000000-0000-7000-8000-000000000105' });
  await visit('menu_health');
  const found = page.getByRole('list', { name: 'Alkohol 27% alatt' });
  await expect(found.getByRole('link', { name: beer.name })).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole('button', { name: /^Javítás \(1\)…/ }).click();
  await expect(page.getByRole('checkbox', { name: new RegExp(beer.name) })).toBeChecked();
  await page.getByRole('button', { name: 'Javítás (1)', exact: true }).click();
  await expect(found).toHaveCount(0);
  await page.getByRole('status').getByRole('button', { name: 'Visszavonás' }).click();
  await expect(found.getByRole('link', { name: beer.name })).toBeVisible();

  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Menu health' })).toBeVisible();
  await menu.clear();
});
