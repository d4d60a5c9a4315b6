import { Menu } from './catalogue-menu.ts';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test } from './new-restaurant.ts';

test.describe('each night', { tag: '@nightly' }, () => {
  test('a category and a product say from which depot they are taken', async ({
    page,
    visit,
    service,
    place,
  }) => {
    const menu = new Menu(service, place);
    const drinks = await menu.category('Italok');
    const beers = await menu.category('Sörök', { parent_id: drinks.id });
    const lager = await menu.product(beers.id, 'Világos');
    const [main] = await menu.get<{ id: string; name: string }[]>('depots');
    const depotOf = async () =>
      (await menu.get<{ id: string; depot_id: string | null; effective: object }[]>('products/depot')).find(
        (row) => row.id === lager.id,
      );
    await visit('depot_product_relation');
    await expect(page.getByRole('note')).toContainText('készletkezelés még nincs');
    const list = page.getByRole('list', { name: 'Kategóriák raktára' });
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await settled(page);
    await expectAccessible(page);
    const choose = async (row: string, name: string) => {
      await page.getByRole('combobox', { name: `Raktár: ${row}` }).click();
      await page
        .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
        .getByTitle(name, { exact: true })
        .click();
    };
    await choose('Italok', main!.name);
    await expect(page.getByText('Raktár módosítva: Italok')).toBeVisible();
    await expect(list.getByText(`Örökli: ${main!.name} (a főkategóriából)`)).toBeVisible();
    expect((await depotOf())?.effective).toEqual({ id: main!.id, from: 'parent_category' });
    await page.getByRole('button', { name: 'Visszavonás' }).click();
    await expect(list.getByText(`Örökli: ${main!.name} (a csoport első raktára)`)).toHaveCount(2);

    await page.setViewportSize({ width: 390, height: 844 });
    await list.getByRole('link', { name: 'Sörök' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sörök' })).toBeVisible();
    await choose('Világos', main!.name);
    await expect(page.getByText('Raktár módosítva: Világos')).toBeVisible();
    expect((await depotOf())?.depot_id).toBe(main!.id);
    await settled(page);
    await expectAccessible(page);
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Termék keresése' }).fill('vilagos');
    await expect(page.getByRole('list', { name: 'Sörök: termékek raktára' })).toBeVisible();
    await menu.clear();
  });
});
