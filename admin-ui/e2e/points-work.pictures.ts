import type { APIRequestContext } from '@playwright/test';
import auditEn from '../src/features/audit/en.ts';
import auditHu from '../src/features/audit/hu.ts';
import catalogueEn from '../src/features/categories-and-products/en.ts';
import catalogueHu from '../src/features/categories-and-products/hu.ts';
import freshEn from '../src/features/fresh-orders/en.ts';
import freshHu from '../src/features/fresh-orders/hu.ts';
import optionsEn from '../src/features/options/en.ts';
import optionsHu from '../src/features/options/hu.ts';
import shellEn from '../src/lib/texts/shell.en.ts';
import shellHu from '../src/lib/texts/shell.hu.ts';
import { CATALOGUE, it } from './catalogue-menu.ts';
import { expect, test } from './fixtures.ts';
import { dress, looks, nameOf, picture, wanted, wordsOf } from './looks.ts';
import { makePerson, removePeople } from './people.ts';
import { createSampleData } from './sampleData.ts';
import { SAVE, type Row, rowsOf, done, nothingNew, dialogOf, close, into, historyOf } from './points.ts';

test.beforeEach(({ context }) => nothingNew(context));

/** Categories of the test of the menu; what a run that was stopped has left of them is removed by the next. */
const OWN: readonly [string, string] = ['Kemencés pizzák', 'Kóstolómenük'];
async function removeCategory(service: APIRequestContext, api: string, id: string): Promise<void> {
  const path = `${api}/product-categories/${id}`;
  for (const product of await rowsOf(service, `${path}/products`))
    await done(service.delete(`${path}/products/${product.id}`));
  await done(service.delete(path));
}

for (const look of looks) {
  const name = nameOf(look);
  const say = (hu: Record<string, string>, en: Record<string, string>) => wordsOf(look, hu, en);

  it(`the menu ${name}`, async ({ page, visit, menu, service, place }) => {
    it.skip(!wanted(`point_prices-${name}`));
    const catalogue = say(catalogueHu, catalogueEn);
    const options = say(optionsHu, optionsEn);
    await dress(page, look);
    for (const left of await menu.get<Row[]>('product-categories'))
      if (OWN.includes(left.name)) await removeCategory(service, place.api, left.id);
    const category = await menu.category(OWN[0]);
    const [small, large] = [
      { name: '30 cm', price: 2190 },
      { name: '45 cm', price: 3990 },
    ];
    const sizes = { base_price: undefined, subproducts: [small, large] };
    const ham = await menu.product(category.id, 'Sonkás-kukoricás pizza', {
      ...sizes,
      description:
        'Paradicsomszósz, sonka, kukorica, mozzarella, bazsalikom és egy kevés olívaolaj a tetejére.',
    });
    await menu.product(category.id, 'Négysajtos', sizes);
    await menu.product(category.id, 'Bruschetta', { base_price: 1690 });
    const bare = await menu.category(OWN[1]);
    const group = await menu.group('Feltétek a pizzára', { type: 'inclusive' });
    for (const [topping, price] of [
      ['Extra sajt', 490],
      ['Jalapeño', 350],
    ] as const)
      await menu.option(group.id, topping, { price });

    await visit(CATALOGUE, category.id);
    await picture(page, `point_prices-${name}`);
    await page.getByRole('button', { name: catalogue('catalogue.more_of', { name: ham.name }) }).click();
    await expect(page.getByRole('menuitem', { name: catalogue('catalogue.copy') })).toBeVisible();
    await picture(page, `point_copy_menu-${name}`);
    await page.getByRole('menuitem', { name: catalogue('catalogue.copy') }).click();
    // A copy is called in the language of the menu.
    await expect(page.getByRole('heading', { level: 1, name: `${ham.name} (` })).toBeVisible();
    menu.made(
      `product-categories/${category.id}/products/${new URL(page.url()).pathname.split('/').at(-1)!}`,
    );
    await picture(page, `point_copy-${name}`);
    await visit(CATALOGUE, bare.id);
    await picture(page, `point_empty_products-${name}`);
    await visit('options', `${group.id}/szerkesztes`);
    await page.getByRole('button', { name: options('option_groups.sizes') }).click();
    await dialogOf(page).getByRole('searchbox').fill('pizzák');
    await dialogOf(page).getByRole('checkbox', { name: category.name }).check();
    await picture(page, `point_sizes-${name}`);
    const drawer = page.getByRole('dialog', {
      name: options('option_groups.sizes_of', { name: group.name }),
    });
    await drawer.getByRole('button', { name: SAVE }).click();
    await expect(drawer).toHaveCount(0);
    await picture(page, `point_sizes_given-${name}`);
  });

  test(`histories of records ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`point_history_kiosk-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const person = await makePerson(service, place, { first_name: 'Előzményes' });
    await done(
      service.put(`/api/v3/admin/partners/${place.partner}/admins/${person.id}`, {
        data: { tel: '+36 30 555 0155', version: person.version },
      }),
    );
    for (const [key, path] of [
      ['kiosk', 'kiosks'],
      ['guest_tv', 'restaurant-tvs'],
      ['devices', 'devices'],
      ['media_storage', 'images'],
    ] as const) {
      const [row] = await rowsOf(service, `${place.api}/${path}`);
      if (!row) continue;
      await visit(key, row.id);
      await historyOf(page, `point_history_${key}-${name}`);
    }
    await visit('users', person.id);
    await historyOf(page, `point_history_users-${name}`);
    for (const key of [
      'payment_methods_web',
      'payment_methods_pos',
      'opening_hours',
      'order_emails',
      'features',
      'system_settings',
    ]) {
      await visit(key);
      await historyOf(page, `point_history_${key}-${name}`);
    }
    await removePeople(service, place);
  });

  test(`orders ${name}`, async ({ page, visit, service, place, expectConsole }) => {
    test.skip(!wanted(`point_ready_strip-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const fresh = say(freshHu, freshEn);
    const orders = await rowsOf<Row & { status: string; counter: string }>(
      service,
      `${place.api}/orders/fresh`,
    );
    const taken = orders.filter((order) => order.status === 'processed');
    const prepared = (id: string, ready: boolean) =>
      service.put(`${place.api}/orders/${id}/prepared`, { data: { prepared: ready } });
    for (const { id } of taken) await done(prepared(id, true));
    await visit('fresh_orders');
    await page.getByText(fresh('fresh.ready')).click();
    await into(page.locator('.fresh-ready'));
    await picture(page, `point_ready_strip-${name}`);
    await page.getByRole('button', { name: fresh('fresh.settings') }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await picture(page, `point_order_settings-${name}`);
    await close(page);
    await visit('order_page', taken[0]!.id);
    await picture(page, `point_order_ready-${name}`);
    for (const { id } of taken) await done(prepared(id, false));

    expectConsole(/404/);
    await visit('order_page', '01900000-0000-7000-8000-0000000000ff');
    await picture(page, `point_no_order-${name}`);
    for (const kind of ['received', 'accepted', 'taken_back', 'refused', 'notification']) {
      await visit('order_emails', kind);
      await picture(page, `point_mail_${kind}-${name}`);
    }
  });

  test(`found from anywhere ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`point_found_orders-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const shell = say(shellHu, shellEn);
    await visit('couriers');
    const others = await rowsOf(service, `/api/v3/admin/partners/${place.partner}/restaurants`);
    // The one that is open is not offered.
    const restaurant = others.find((row) => row.id !== place.restaurant)!;
    for (const [what, text, group] of [
      ['orders', '0131', 'shell.go_to_orders'],
      ['guests', 'varga', 'shell.go_to_orders'],
      ['products', 'leves', 'shell.go_to_products'],
      ['restaurants', restaurant.name.slice(0, 8), 'shell.go_to_restaurants'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await expect(dialogOf(page).getByRole('group', { name: shell(group) })).toBeVisible();
      await picture(page, `point_found_${what}-${name}`);
      await close(page);
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nincs ilyen sehol');
    await expect(dialogOf(page).getByRole('status')).toHaveText(/.+/);
    await picture(page, `point_found_nothing-${name}`);
    await close(page);
    await page.keyboard.press('?');
    await picture(page, `point_shortcuts-${name}`);
    await close(page);
  });

  test(`the log ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`point_audit-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const audit = say(auditHu, auditEn);
    const [courier] = await rowsOf<Row & { version: number; vehicle: string }>(
      service,
      `${place.api}/couriers`,
    );
    for (const vehicle of [courier!.vehicle === 'car' ? 'moped' : 'car', courier!.vehicle])
      await done(service.put(`${place.api}/couriers/${courier!.id}`, { data: { vehicle } }));
    // What fields are called comes after the lines.
    const named = () => expect(page.locator('.audit')).toHaveAttribute('data-named', 'true');
    await visit('audit');
    await expect(page.locator('.audit > li').first()).toBeVisible();
    await named();
    await picture(page, `point_audit-${name}`);
    const folded = page.locator('.audit details').first();
    if ((await folded.count()) > 0) {
      await folded.locator('summary').click();
      await into(folded);
      await picture(page, `point_audit_opened-${name}`);
    }
    await page.locator('.audit-tools button').first().click();
    await expect(page).toHaveURL(/record_id=/);
    await picture(page, `point_audit_record-${name}`);
    await visit('audit');
    await page.getByRole('button', { name: audit('audit.of_company') }).click();
    await expect(page).toHaveURL(/of=company/);
    await named();
    await picture(page, `point_audit_company-${name}`);
  });
}
