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
    test.setTimeout(90_000);
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
    const create = async () => {
      await page.getByRole('button', { name: 'Új ajánlás' }).first().click();
      await page.keyboard.press('Control+s');
      await expect(drawer.getByText('Ezt a mezőt ki kell tölteni!')).toHaveCount(1);
      await drawer.getByLabel('Ajánlott kategória').fill('Sör');
      await page.getByTitle('Italok › Sörök', { exact: true }).click();
      await drawer.getByLabel('Ha ebből van a kosárban').fill('Pizz');
      await page.getByTitle('Pizzák', { exact: true }).click();
      await page.keyboard.press('Control+s');
    };
    await create();
    await expect(drawer).toHaveCount(0);
    expect(await pairs()).toEqual([[beers.id, pizza.id]]);
    await create();
    await expect(drawer.getByText('Ez már foglalt, vagy kétszer szerepel.')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await drawer.getByLabel('Ha ebből van a kosárban').focus();
    await page.keyboard.press('Backspace');
    await drawer.getByLabel('Ajánlott kategória').fill('Pizz');
    await page.getByTitle('Pizzák', { exact: true }).last().click();
    await page.keyboard.press('Control+s');
    await expect(drawer).toHaveCount(0);
    await expect(page.getByText('Minden kosár')).toBeVisible();
    await page.getByRole('link', { name: 'Sörök' }).click();
    await drawer.getByRole('button', { name: 'Törlés' }).click();
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
