import { Menu } from './catalogue-menu.ts';
import { expect, expectAccessible, settled } from './fixtures.ts';
import { test } from './new-restaurant.ts';

// List, form and deleting are those of every plain resource.
test.describe('each night', { tag: '@nightly' }, () => {
  test('a category is suggested after another one, then to every cart, and deleted', async ({
    page,
    visit,
    service,
    place,
    expectConsole,
  }) => {
    // The same pair twice is refused.
    expectConsole(/422/);
    const menu = new Menu(service, place);
    const drinks = await menu.category('Italok');
    const beers = await menu.category('Sörök', { parent_id: drinks.id });
    const pizza = await menu.category('Pizzák');
    const pairs = async () =>
      (
        await menu.get<{ suggested_category_id: string; product_category_id: string | null }[]>(
          'product-category-upsells',
        )
      ).map((row) => [row.suggested_category_id, row.product_category_id]);
    await visit('category_upsell');
    await expect(page.getByText('Még nincs kategóriaajánlás')).toBeVisible();
    const drawer = page.getByRole('dialog').first();
    const choose = async (label: string, text: string, name: string) => {
      await drawer.getByLabel(label).fill(text);
      await page
        .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
        .getByTitle(name, { exact: true })
        .click();
    };
    const create = async () => {
      await page.getByRole('button', { name: 'Új ajánlás' }).first().click();
      await expect(drawer.getByLabel('Ajánlott kategória')).toBeVisible();
      await settled(page);
      await page.keyboard.press('Control+s');
      await expect(drawer.getByText('Ezt a mezőt ki kell tölteni!')).toHaveCount(1);
      await choose('Ajánlott kategória', 'Sör', 'Italok › Sörök');
      await choose('Ha ebből van a kosárban', 'Pizz', 'Pizzák');
      await page.keyboard.press('Control+s');
    };
    await create();
    await expect(drawer).toHaveCount(0);
    expect(await pairs()).toEqual([[beers.id, pizza.id]]);
    await create();
    await expect(drawer.getByText('Ez már foglalt, vagy kétszer szerepel.')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await drawer.locator('.ant-select').filter({ hasText: 'Pizzák' }).hover();
    await drawer.getByRole('button', { name: 'Mező ürítése' }).click();
    await choose('Ajánlott kategória', 'Pizz', 'Pizzák');
    await page.keyboard.press('Control+s');
    await expect(drawer).toHaveCount(0);
    await expect(page.getByText('Minden kosár')).toBeVisible();
    await page.getByRole('link', { name: 'Sörök' }).click();
    await drawer.getByRole('button', { name: 'További műveletek' }).click();
    await page.getByRole('menuitem', { name: 'Törlés' }).click();
    await page
      .getByRole('dialog', { name: /Törlöd ezt az ajánlást/ })
      .getByRole('button', { name: 'Törlés' })
      .click();
    await expect(page.getByRole('link', { name: 'Sörök' })).toHaveCount(0);
    expect(await pairs()).toEqual([[pizza.id, null]]);
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Category upsell' })).toBeVisible();
    await menu.clear();
  });
});
