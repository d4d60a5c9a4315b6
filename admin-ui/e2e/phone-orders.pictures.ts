import en from '../src/features/order-taking/en.ts';
import hu from '../src/features/order-taking/hu.ts';
import phoneEn from '../src/features/phone-orders/en.ts';
import phoneHu from '../src/features/phone-orders/hu.ts';
import { expect, settled, test } from './fixtures.ts';
import { dress, looks, nameOf, picture, wordsOf } from './looks.ts';

/** What the guest says. */
const SAID = ['2 gulyás', 'palacsinta', 'rántott', '3 víz'];

for (const look of looks) {
  const name = nameOf(look);

  test(`pictures of an order on the phone ${name}`, async ({ page, visit, expectConsole }) => {
    // Nobody may have the number.
    expectConsole(/404/);
    test.setTimeout(120_000);
    const words = wordsOf(look, { ...hu, ...phoneHu }, { ...en, ...phoneEn });
    await dress(page, look);
    await visit('phone_orders');
    const field = (label: keyof typeof phoneHu) => page.getByRole('textbox', { name: words(label) });
    await field('phone_orders.phone').fill('+36 1 555 0199');
    await field('phone_orders.phone').press('Enter');
    await settled(page);
    if (await field('phone_orders.last_name').isVisible()) {
      await field('phone_orders.last_name').fill('Minta');
      await field('phone_orders.first_name').fill('Réka');
    }
    await field('phone_orders.address_postcode').fill('1061');
    await field('phone_orders.address_city').fill('Budapest');
    await field('phone_orders.address_street').fill('Szív utca');
    await field('phone_orders.address_premise_number').fill('14');
    const search = page.getByRole('combobox', { name: words('taking.search') });
    for (const said of SAID) {
      await search.fill(said);
      await search.press('Enter');
      const dialog = page.getByRole('dialog');
      // Whoever is asked takes the first of each.
      if (await dialog.isVisible()) {
        for (const group of await dialog.locator('fieldset').all()) {
          const radio = group.locator('input[type=radio]').first();
          if ((await radio.count()) > 0) await radio.check();
        }
        await page.keyboard.press('Enter');
        await expect(dialog).toHaveCount(0);
      }
    }
    await search.fill('leves');
    await expect(page.locator('.taking-total')).toHaveAttribute('data-stale', 'false');
    await settled(page);
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, `phone_orders-${name}`);
  });
}
