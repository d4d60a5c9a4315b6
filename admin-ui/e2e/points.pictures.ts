import { readFileSync } from 'node:fs';
import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test';
import accountEn from '../src/features/account/en.ts';
import accountHu from '../src/features/account/hu.ts';
import keysEn from '../src/features/api-keys/en.ts';
import keysHu from '../src/features/api-keys/hu.ts';
import auditEn from '../src/features/audit/en.ts';
import auditHu from '../src/features/audit/hu.ts';
import catalogueEn from '../src/features/categories-and-products/en.ts';
import catalogueHu from '../src/features/categories-and-products/hu.ts';
import freshEn from '../src/features/fresh-orders/en.ts';
import freshHu from '../src/features/fresh-orders/hu.ts';
import guideEn from '../src/features/getting-started/en.ts';
import guideHu from '../src/features/getting-started/hu.ts';
import importEn from '../src/features/menu-import/en.ts';
import importHu from '../src/features/menu-import/hu.ts';
import hoursEn from '../src/features/opening-hours/en.ts';
import hoursHu from '../src/features/opening-hours/hu.ts';
import optionsEn from '../src/features/options/en.ts';
import optionsHu from '../src/features/options/hu.ts';
import partnerEn from '../src/features/partner-page/en.ts';
import partnerHu from '../src/features/partner-page/hu.ts';
import generalEn from '../src/features/restaurant-general/en.ts';
import generalHu from '../src/features/restaurant-general/hu.ts';
import groupsEn from '../src/features/restaurant-groups/en.ts';
import groupsHu from '../src/features/restaurant-groups/hu.ts';
import { PUBLIC } from '../src/features/public/pages.ts';
import rulesEn from '../src/features/sign-in-provider/en.ts';
import rulesHu from '../src/features/sign-in-provider/hu.ts';
import sosEn from '../src/features/sos-close/en.ts';
import sosHu from '../src/features/sos-close/hu.ts';
import shellEn from '../src/lib/texts/shell.en.ts';
import shellHu from '../src/lib/texts/shell.hu.ts';
import { CATALOGUE, it } from './catalogue-menu.ts';
import { expect, test as base } from './fixtures.ts';
import { dress, looks, nameOf, picture, wanted, wordsOf } from './looks.ts';
import { linkTo, MAILS, makeOwn, makePerson, oneMore, PASS, removePeople } from './people.ts';
import { createSampleData } from './sampleData.ts';
import { pathOf } from './screens.ts';

// Each state that a screen has besides the one it opens with.

/** A price list with a column for each size: the file of the service's own tests. */
const PIZZERIA = readFileSync(
  new URL('../../platform/menu_import/tests/files/pizzeria.csv', import.meta.url),
);
const MORE = /^(További műveletek|More actions)/;
const HISTORY = /^(Előzmények|History)$/;
const SAVE = /^(Mentés|Save)$/;
const NAME = 'Kapualj Kifőzde';

type Row = { id: string; name: string };
const rowsOf = async <T = Row>(service: APIRequestContext, path: string): Promise<T[]> =>
  (await service.get(path)).json();
const done = async (answer: ReturnType<APIRequestContext['put']>): Promise<Row> => {
  const got = await answer;
  expect(got.ok(), `${got.url()} ${await got.text()}`).toBe(true);
  return (got.status() === 204 ? {} : await got.json()) as Row;
};

/** A restaurant without anything, the same one in each run: found, brought back from the archive, or made. */
async function emptyRestaurant(service: APIRequestContext, partner: string): Promise<string> {
  const root = `/api/v3/admin/partners/${partner}`;
  const find = async (path: string) =>
    (await rowsOf(service, `${root}/${path}`)).find((row) => row.name === NAME)?.id;
  const there = await find('restaurants');
  if (there) return there;
  const archived = await find('archived-restaurants');
  if (archived) await done(service.post(`${root}/archived-restaurants/${archived}/restore`));
  return archived ?? (await done(service.post(`${root}/restaurants`, { data: { name: NAME } }))).id;
}

const archive = async (service: APIRequestContext, partner: string) => {
  const id = await emptyRestaurant(service, partner);
  await done(
    service.delete(`/api/v3/admin/partners/${partner}/restaurants/${id}`, { data: { confirm: NAME } }),
  );
};

const test = base.extend({
  place: async ({ service }, use) => {
    const me = await (await service.get('/api/v3/admin/me')).json();
    const partner: string = me.targets.find(
      (target: { partner_mode: string }) => target.partner_mode === 'demo',
    ).partner_id;
    const restaurant = await emptyRestaurant(service, partner);
    await use({ partner, restaurant, api: `/api/v3/admin/partners/${partner}/restaurants/${restaurant}` });
    // On the pictures of other screens it would stand in lists.
    await archive(service, partner);
  },
});

/** What somebody has not read yet would lie over the page. */
const nothingNew = (context: BrowserContext) =>
  context.route(/\/admin\/announcements(\?|$)|\/release-infos\?show_only_news=true/, (route) =>
    route.fulfill({ json: [] }),
  );
base.beforeEach(({ context }) => nothingNew(context));

/** Categories of the test of the menu; what a run that was stopped has left of them is removed by the next. */
const OWN: readonly [string, string] = ['Kemencés pizzák', 'Kóstolómenük'];
async function removeCategory(service: APIRequestContext, api: string, id: string): Promise<void> {
  const path = `${api}/product-categories/${id}`;
  for (const product of await rowsOf(service, `${path}/products`))
    await done(service.delete(`${path}/products/${product.id}`));
  await done(service.delete(path));
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog').last();
const close = async (page: Page) => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};
/** So that a picture shows what it is taken for. */
const into = (what: Locator) => what.evaluate((element) => element.scrollIntoView({ block: 'center' }));

for (const look of looks) {
  const name = nameOf(look);
  const english = look.language === 'en';
  const say = (hu: Record<string, string>, en: Record<string, string>) => wordsOf(look, hu, en);

  test.describe(`states of a new restaurant ${name}`, () => {
    test.skip(!wanted(`point_save_bar-${name}`));
    test.beforeEach(({ page }) => dress(page, look));

    test(`settings ${name}`, async ({ page, visit, service, place, expectConsole }) => {
      const general = say(generalHu, generalEn);
      const hours = say(hoursHu, hoursEn);
      await done(
        service.put(`${place.api}/general`, {
          data: {
            name: NAME,
            contact_email: 'kifozde@pult.example',
            phone_1: '+36 1 555 0140',
            domain: null,
          },
        }),
      );
      await done(service.put(`${place.api}/opening-hours`, { data: { opening_hours: [] } }));
      await visit('restaurant_general');
      await expect(page.getByRole('button', { name: SAVE })).toHaveCount(0);
      await picture(page, `point_no_save_bar-${name}`);
      await page.getByLabel(general('restaurants_general.name')).fill('');
      await page.getByLabel(general('restaurants_general.domain')).fill('nem domain');
      await expect(page.getByRole('button', { name: SAVE })).toBeVisible();
      await picture(page, `point_save_bar-${name}`);
      await page.keyboard.press('Control+s');
      await expect(page.getByLabel(general('restaurants_general.name'))).toBeFocused();
      await picture(page, `point_form_errors-${name}`);

      // Somebody else was faster.
      expectConsole(/409/);
      await page.getByLabel(general('restaurants_general.name')).fill(`${NAME} és Bár`);
      await page.getByLabel(general('restaurants_general.domain')).fill('');
      await page.getByLabel(general('restaurants_general.phone_1')).fill('+36 1 555 0141');
      await done(service.put(`${place.api}/general`, { data: { phone_1: '+36 1 555 0142' } }));
      await page.keyboard.press('Control+s');
      await expect(dialogOf(page)).toContainText(/\d{4}/);
      await picture(page, `point_conflict-${name}`);
      await dialogOf(page).getByRole('button').first().click();
      await expect(page.getByRole('dialog')).toHaveCount(0);

      await visit('opening_hours');
      const stay = page.getByRole('button', { name: /^(Elvetés|Discard)$/ });
      if (await stay.last().isVisible()) await stay.last().click();
      await expect(page.getByText(hours('hours.all_closed'))).toBeVisible();
      await picture(page, `point_all_closed-${name}`);
      await page
        .getByRole('button', { name: hours('hours.every_day', { open_at: '11:00', close_at: '20:00' }) })
        .click();
      await expect(page.getByText(hours('hours.all_closed'))).toHaveCount(0);
      await picture(page, `point_every_day-${name}`);
      await page.keyboard.press('Control+s');
      await expect(page.getByRole('button', { name: /^(Elvetés|Discard)$/ })).toHaveCount(0);
      await page.getByRole('tab', { name: hours('hours.tab_holiday') }).click();
      await picture(page, `point_no_holidays-${name}`);
      await page.getByRole('button', { name: hours('hours.new_holiday') }).click();
      await picture(page, `point_new_holiday-${name}`);
      await done(service.put(`${place.api}/opening-hours`, { data: { opening_hours: [] } }));
    });

    test(`the guide and empty lists ${name}`, async ({ page, visit, service, place }) => {
      const guide = say(guideHu, guideEn);
      await done(service.put(`${place.api}/opening-hours`, { data: { opening_hours: [] } }));
      await visit('getting_started');
      await expect(page.locator('.guide-list')).toBeVisible();
      await picture(page, `point_guide-${name}`);
      await into(page.locator('.guide-item').last());
      await picture(page, `point_guide_pins-${name}`);
      for (const step of ['identity', 'address', 'hours', 'food', 'menu', 'try']) {
        await visit('getting_started', step);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(guide(`guide.step_${step}`));
        await picture(page, `point_guide_${step}-${name}`);
      }
      await visit('fresh_orders');
      await expect(page.getByRole('region', { name: guide('guide.reminder') })).toBeVisible();
      await picture(page, `point_reminder-${name}`);
      for (const key of [
        CATALOGUE,
        'options',
        'couriers',
        'discounts',
        'api_keys',
        'devices',
        'media_storage',
        'terminals',
        'push_notification',
      ]) {
        await visit(key);
        await picture(page, `point_empty_${key}-${name}`);
      }
    });

    test(`an import with a column for each size ${name}`, async ({ page, visit }) => {
      const words = say(importHu, importEn);
      await visit('menu_import');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'pizzeria.csv', mimeType: 'text/csv', buffer: PIZZERIA });
      await expect(page.getByText(words('menu_imports.unused_other', { count: 2 }))).toBeVisible();
      await picture(page, `point_import_unused-${name}`);
      await page.getByRole('button', { name: words('menu_imports.columns_open'), exact: true }).click();
      await expect(
        page.getByRole('textbox', { name: words('menu_imports.column_size', { letter: 'D' }) }),
      ).toHaveValue('30cm');
      await picture(page, `point_import_columns-${name}`);
      await into(page.getByRole('textbox', { name: words('menu_imports.column_size', { letter: 'E' }) }));
      await picture(page, `point_import_sizes-${name}`);
      await page.getByRole('button', { name: words('menu_imports.apply') }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await picture(page, `point_import_counts-${name}`);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('menu_imports.apply') })
        .click();
      const undo = page.locator('#main').getByRole('button', { name: words('menu_imports.undo') });
      await expect(undo).toBeVisible();
      await picture(page, `point_import_applied-${name}`);
      await undo.click();
      await picture(page, `point_import_undo-${name}`);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('menu_imports.undo') })
        .click();
      await expect(undo).toHaveCount(0);
      await picture(page, `point_import_undone-${name}`);
    });

    test(`closed by SOS, archived and brought back ${name}`, async ({ page, visit, service, place }) => {
      const groups = say(groupsHu, groupsEn);
      const partner = say(partnerHu, partnerEn);
      const sos = say(sosHu, sosEn);
      await visit('fresh_orders');
      await page.getByRole('button', { name: sos('restaurants_close.title') }).click();
      await dialogOf(page).getByText(sos('restaurants_close.length_30')).click();
      await picture(page, `point_sos_question-${name}`);
      await dialogOf(page)
        .getByRole('button', { name: sos('restaurants_close.close') })
        .click();
      await expect(page.getByRole('alert').first()).toBeVisible();
      await picture(page, `point_sos_closed-${name}`);
      await visit('system_settings');
      await picture(page, `point_sos_settings-${name}`);
      await done(service.put(`${place.api}/close`, { data: { temp_no_orders: false } }));

      const restaurants = `/api/v3/admin/partners/${place.partner}/restaurants`;
      const other = (await rowsOf(service, restaurants)).find((row) => row.id !== place.restaurant)!;
      await archive(service, place.partner);
      await page.goto(pathOf('restaurant_groups', other.id));
      const back = page.getByRole('button', { name: partner('partner_page.bring_back_of', { name: NAME }) });
      await into(back);
      await picture(page, `point_archived-${name}`);
      await back.click();
      await expect(
        page.getByText(partner('partner_page.brought_back', { name: NAME })).first(),
      ).toBeVisible();
      await picture(page, `point_brought_back-${name}`);
      await page.getByRole('button', { name: groups('restaurant_groups.new_restaurant') }).click();
      await page.getByRole('dialog').locator('summary').click();
      await picture(page, `point_new_restaurant-${name}`);
      await close(page);
    });
  });

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

  base(`histories of records ${name}`, async ({ page, visit, service, place }) => {
    base.skip(!wanted(`point_history_kiosk-${name}`));
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

  base(`orders ${name}`, async ({ page, visit, service, place, expectConsole }) => {
    base.skip(!wanted(`point_ready_strip-${name}`));
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

  base(`found from anywhere ${name}`, async ({ page, visit, service, place }) => {
    base.skip(!wanted(`point_found_orders-${name}`));
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

  base(`the log ${name}`, async ({ page, visit, service, place }) => {
    base.skip(!wanted(`point_audit-${name}`));
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

  base(`keys ${name}`, async ({ page, visit, service, place }) => {
    base.skip(!wanted(`point_revoked_keys-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const words = say(keysHu, keysEn);
    await visit('api_keys');
    const filter = page.getByRole('combobox', { name: words('api_keys.with_revoked') });
    const hidden = !(await filter.isVisible());
    if (hidden) await page.getByRole('button', { name: /^(Szűrők|Filters)/ }).click();
    await filter.click();
    await page.getByRole('option').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    const revokedText = new RegExp(words('api_keys.revoked_at', { at: '' }));
    let revoked = page.getByText(revokedText).first();
    if (!(await revoked.isVisible({ timeout: 3000 }).catch(() => false))) {
      // Each run of other tests leaves some; here is the first.
      const made = await done(service.post(`${place.api}/api-keys`, { data: { name: 'Régi webshop' } }));
      await done(service.delete(`${place.api}/api-keys/${made.id}`));
      await page.reload();
      revoked = page.getByText(revokedText).first();
    }
    await expect(revoked).toBeVisible();
    await into(revoked);
    await picture(page, `point_revoked_keys-${name}`);
    const gone = (
      await rowsOf<Row & { revoked_at: string | null }>(service, `${place.api}/api-keys?with_revoked=true`)
    ).find((key) => key.revoked_at)!;
    await visit('api_keys', `${gone.id}/hasznalat`);
    await picture(page, `point_revoked_usage-${name}`);
    const key = await done(service.post(`${place.api}/api-keys`, { data: { name: 'Cserélt kulcs' } }));
    await visit('api_keys', key.id);
    await picture(page, `point_key-${name}`);
    await page.getByRole('button', { name: words('api_keys.rotate') }).click();
    await picture(page, `point_key_rotate-${name}`);
    await dialogOf(page)
      .getByRole('button', { name: words('api_keys.rotate') })
      .click();
    await expect(page.getByLabel(/^(API-kulcs|API key)$/).last()).toHaveValue(/^pk_/);
    await picture(page, `point_key_shown-${name}`);
    await done(service.delete(`${place.api}/api-keys/${key.id}`));
  });

  base(`the company ${name}`, async ({ page, visit, service, place }) => {
    base.skip(!wanted(`point_company_export-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const rules = say(rulesHu, rulesEn);
    await visit('company_export');
    await picture(page, `point_company_export-${name}`);
    await visit('users');
    await picture(page, `point_users-${name}`);
    await visit('users', 'uj');
    await page.locator('.perms').evaluate((element) => element.scrollIntoView());
    await picture(page, `point_user_rights-${name}`);
    await visit('sign_in_provider');
    await picture(page, `point_sign_in-${name}`);
    await into(page.getByRole('heading', { name: rules('sign_in_rules.title') }));
    await picture(page, `point_sign_in_rules-${name}`);
    await visit('payment_methods_pos');
    await picture(page, `point_payment_pos-${name}`);
    const rate = page.getByText(/^(Egy euró ára|Price of one euro)/);
    if (await rate.isVisible()) await into(rate);
    const groups = await rowsOf<Row & { restaurants: number }>(
      service,
      `/api/v3/admin/partners/${place.partner}/restaurant-groups`,
    );
    await visit('restaurant_groups', groups.find((group) => group.restaurants > 0)!.id);
    await picture(page, `point_group-${name}`);
  });

  base(`an account of one's own ${name}`, async ({ browser, service, place }) => {
    base.skip(!wanted(`point_account-${name}`) || !MAILS, 'the mails are elsewhere');
    const account = say(accountHu, accountEn);
    const { person, state } = await makeOwn(service, place, { surfaces: ['admin', 'pos'] });
    const context = await browser.newContext({ storageState: state });
    const elsewhere = await oneMore(browser, context, place);
    const page = await context.newPage();
    await nothingNew(context);
    await dress(page, look);
    await page.goto(pathOf('my_account', place.restaurant));
    await expect(page.getByLabel(account('account.tel'))).toBeVisible();
    await picture(page, `point_account-${name}`);
    await page.getByRole('button', { name: account('details.billing_add') }).click();
    await page.getByRole('button', { name: account('details.address_add') }).click();
    await into(page.getByRole('group', { name: account('details.billing') }));
    await picture(page, `point_account_billing-${name}`);
    const address = page.getByRole('group', { name: account('details.address_number', { number: 1 }) });
    await into(address);
    await picture(page, `point_account_address-${name}`);
    await address.locator('xpath=ancestor::form').getByRole('button', { name: SAVE }).click();
    await expect(page.getByText(account('details.name_short'))).toBeVisible();
    await picture(page, `point_account_errors-${name}`);
    await page.getByRole('button', { name: account('details.billing_remove') }).click();
    await page.getByRole('button', { name: account('details.address_remove') }).click();
    await page.getByRole('button', { name: account('account.till_open') }).click();
    const qr = page.getByRole('img', { name: account('account.till_qr') });
    await expect(qr).toBeVisible();
    await into(qr);
    await picture(page, `point_till_ticket-${name}`);
    await into(page.getByRole('heading', { name: account('account.sessions') }));
    await picture(page, `point_sessions-${name}`);
    await page.goto('about:blank');
    await page.goto(`${pathOf('my_account', place.restaurant)}#pin`);
    await expect(page.getByLabel(account('account.pin_new'), { exact: true })).toBeFocused();
    await picture(page, `point_pin-${name}`);
    await elsewhere.close();
    await context.close();

    // Invited again, the person has a password already; a new one has none.
    const admins = `/api/v3/admin/partners/${place.partner}/admins`;
    await done(service.delete(`${admins}/${person.id}`));
    const nobody = await browser.newContext();
    await nothingNew(nobody);
    const guest = await nobody.newPage();
    await dress(guest, look);
    const invited = async (email: string) => {
      await guest.goto('about:blank');
      const link = await linkTo(email, PUBLIC.invitation.hu);
      await guest.goto(link.replace(PUBLIC.invitation.hu, PUBLIC.invitation[english ? 'en' : 'hu']));
    };
    const noPassword = { password: undefined, password_again: undefined };
    const fresh = await makePerson(service, place, noPassword);
    await invited(fresh.email);
    await expect(guest.locator('input[type=password]').first()).toBeVisible();
    await picture(guest, `point_invitation_new-${name}`);
    await guest.locator('[type=submit]').click();
    await picture(guest, `point_invitation_errors-${name}`);
    const used = await linkTo(person.email, PUBLIC.invitation.hu);
    const again = await makePerson(service, place, { ...noPassword, email: person.email });
    await expect.poll(() => linkTo(again.email, PUBLIC.invitation.hu), { timeout: 20_000 }).not.toBe(used);
    await invited(again.email);
    await expect(guest.locator('[type=submit]')).toBeVisible();
    await expect(guest.locator('input[type=password]')).toHaveCount(0);
    await picture(guest, `point_invitation_known-${name}`);
    await guest.locator('[type=submit]').click();
    await expect(guest.locator('.pub-done')).toBeVisible();
    await picture(guest, `point_invitation_done-${name}`);
    // Who sets a password is led into the guide.
    await invited(fresh.email);
    await expect(guest.locator('input[type=password]')).toHaveCount(2);
    for (const input of await guest.locator('input[type=password]').all()) await input.fill(PASS);
    await guest.locator('[type=submit]').click();
    await guest.waitForURL(/\/r\//);
    await picture(guest, `point_invitation_inside-${name}`);
    await nobody.close();
    await removePeople(service, place);
  });

  base(`the first load ${name}`, async ({ page, place, expectConsole }) => {
    base.skip(!wanted(`point_skeleton-${name}`));
    await dress(page, look);
    // The code never comes.
    expectConsole(/ERR_FAILED/);
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(pathOf('couriers', place.restaurant));
    await expect(page.locator('.outline')).toBeVisible();
    await picture(page, `point_skeleton-${name}`);
  });

  base.describe(() => {
    base.use({ role: 'super' });
    base(`the platform ${name}`, async ({ page, visit, place }) => {
      base.skip(!wanted(`point_vat-${name}`));
      await dress(page, look);
      await visit('vats', 'uj');
      await picture(page, `point_new_vat-${name}`);
      await visit('vats');
      await page
        .getByRole('link', { name: english ? 'General rate' : 'Általános kulcs' })
        .or(page.locator('.row-link'))
        .first()
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await picture(page, `point_vat-${name}`);
      await page.getByRole('dialog').getByRole('button', { name: HISTORY }).click();
      await picture(page, `point_history_vats-${name}`);
      await close(page).catch(() => page.keyboard.press('Escape'));
      await visit('partner_page', place.partner);
      const archived = page.locator('.archived-restaurants, .list-card').last();
      await into(archived);
      await picture(page, `point_partner_archived-${name}`);
      await page.getByRole('button', { name: MORE }).first().click();
      await picture(page, `point_partner_more-${name}`);
      await page.keyboard.press('Escape');
      await visit('couriers');
      await picture(page, `point_super_strip-${name}`);
    });
  });
}

/** The button of the page, or of the drawer over it. */
async function historyOf(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: HISTORY }).last().click();
  await expect(dialogOf(page).locator('.audit, .state').first()).toBeVisible();
  await picture(page, name);
  for (let open = await page.getByRole('dialog').count(); open > 0; open -= 1)
    await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
