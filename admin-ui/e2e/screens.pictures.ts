import { test } from './fixtures.ts';
import { createSampleData } from './sampleData.ts';
import { dress, looks, nameOf, picture, wanted } from './looks.ts';
import { screens } from './screens.ts';

/** Pictured with people in them by people.pictures.ts, and with an order by phone-orders.pictures.ts. */
const ELSEWHERE = ['users', 'my_account', 'sign_in_provider', 'phone_orders'];
test.beforeEach(async ({ place }) => createSampleData(place));

for (const look of looks) {
  const name = nameOf(look);

  test(`pictures ${name}`, async ({ page, visit, place }) => {
    if (test.info().timeout < 180_000) test.setTimeout(180_000);
    await dress(page, look);
    for (const screen of screens.filter(
      (s) => !s.needsPath && !s.platform && !ELSEWHERE.includes(s.key) && wanted(`${s.key}-${name}`),
    )) {
      await visit(screen.key);
      await picture(page, `${screen.key}-${name}`);
    }
    await page.goto(`/r/${place.restaurant}/nincs-ilyen`);
    await picture(page, `not_found-${name}`);
  });

  test(`pictures of what is opened from a list ${name}`, async ({ page, visit, service, place }) => {
    await dress(page, look);
    const first = async (path: string) =>
      ((await (await service.get(`${place.api}/${path}`)).json()) as { id: string }[])[0]!.id;
    const category = await first('product-categories');
    const product = await first(`product-categories/${category}/products`);
    await visit('categories_and_products', category);
    await picture(page, `products-${name}`);
    await visit('categories_and_products', `${category}/${product}`);
    await picture(page, `product-${name}`);
    await visit('options', await first('option-groups'));
    await picture(page, `option_group-${name}`);
    await visit('order_page', await first('orders/fresh'));
    await picture(page, `order_page-${name}`);
  });

  test(`pictures of one key's usage ${name}`, async ({ page, visit, service, place }) => {
    await dress(page, look);
    const keys = (await (await service.get(`${place.api}/api-keys`)).json()) as {
      id: string;
      last_used_at: string | null;
    }[];
    const key = keys.find((one) => one.last_used_at) ?? keys[0];
    test.skip(!key, 'no key has been made');
    await visit('api_keys', `${key!.id}/hasznalat`);
    await picture(page, `api_key_usage-${name}`);
  });

  test.describe(() => {
    test.use({ role: 'super' });
    test(`pictures of the platform ${name}`, async ({ page, visit, service, place }) => {
      await dress(page, look);
      for (const screen of screens.filter((s) => !s.needsPath && s.platform && wanted(`${s.key}-${name}`))) {
        await visit(screen.key);
        await picture(page, `${screen.key}-${name}`);
      }
      // Under a support access, so that its strip is seen.
      const access = `/api/v3/super-admin/partners/${place.partner}/access`;
      await service.post(access, { data: { reason: 'Képek a dokumentációhoz' } });
      await visit('partner_page', place.partner);
      await picture(page, `partner_page-${name}`);
      await service.delete(access);
    });
  });
}
