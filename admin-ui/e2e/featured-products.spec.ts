import { Menu, unique } from './catalogue-menu.ts';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test } from './new-restaurant.ts';

interface Featured {
  id: string;
  name: string;
}

test('products are featured, sorted by keyboard and by drag, removed and brought back', async ({
  page,
  visit,
  service,
  place,
}) => {
  test.setTimeout(90_000);
  const menu = new Menu(service, place);
  const order = async () => (await menu.get<Featured[]>('featured-products')).map((row) => row.name);
  const [cakes, drinks] = [await menu.category('Sütemények'), await menu.category('Italok')];
  const dish = async (home: string, name: string) => menu.product(home, `${name} ${unique()}`);
  const [pie, tea, milk] = [
    await dish(cakes.id, 'Szilvás lepény'),
    await dish(drinks.id, 'Tea'),
    await dish(drinks.id, 'Tej'),
  ];
  await visit('featured_products');
  await expect(page.getByText('Még nincs kiemelt termék')).toBeVisible();
  await settled(page);
  await expectAccessible(page);

  const picker = page.getByRole('combobox', { name: 'Termék kiemelése' });
  const pick = async (name: string) => {
    await picker.fill(name);
    await expect(page.getByTitle(name, { exact: true })).toBeVisible();
    await page.keyboard.press('Enter');
  };
  const list = page.getByRole('list', { name: 'Kiemelt termékek' });
  // Accents do not count.
  await picker.fill('szilvas');
  await expect(page.getByTitle(pie.name, { exact: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(list.getByRole('link', { name: pie.name })).toBeVisible();
  await pick(tea.name);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await picker.fill(tea.name);
  await expect(page.getByText('Nincs találat')).toBeVisible();
  await page.keyboard.press('Escape');

  // While it is sorted: adding saves the order first.
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByRole('button', { name: 'Sorrend', exact: true }).click();
  await page.getByRole('button', { name: `Áthelyezés húzással: ${tea.name}` }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await settled(page);
  await expectAccessible(page);
  expect(await smallTargets(page)).toEqual([]);
  await pick(milk.name);
  await expect(list.getByRole('listitem')).toHaveCount(3);
  expect(await order()).toEqual([tea.name, pie.name, milk.name]);
  await expect(page.getByRole('button', { name: 'Sorrend mentése' })).toBeVisible();
  const [handle, first] = [
    await page.getByRole('button', { name: `Áthelyezés húzással: ${milk.name}` }).boundingBox(),
    await list.getByRole('listitem').first().boundingBox(),
  ];
  await page.mouse.move(handle!.x + handle!.width / 2, handle!.y + handle!.height / 2);
  await page.mouse.down();
  await page.mouse.move(first!.x + 30, first!.y + 30, { steps: 8 });
  await page.mouse.move(first!.x + 30, first!.y + 4, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: 'Sorrend mentése' })).toHaveCount(0);
  expect(await order()).toEqual([milk.name, tea.name, pie.name]);

  await list.getByRole('button', { name: `Kiemelés megszüntetése: ${tea.name}` }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  expect(await order()).toEqual([milk.name, pie.name]);
  await page
    .getByRole('status')
    .filter({ hasText: `Már nincs kiemelve: ${tea.name}` })
    .getByRole('button', { name: 'Visszavonás' })
    .click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  expect(await order()).toEqual([milk.name, tea.name, pie.name]);

  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Featured products' })).toBeVisible();
  await expect(page.getByRole('button', { name: `Feature no more: ${tea.name}` })).toBeVisible();
  await menu.clear();
});
