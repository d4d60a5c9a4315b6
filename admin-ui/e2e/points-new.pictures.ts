import { readFileSync } from 'node:fs';
import type { APIRequestContext } from '@playwright/test';
import guideEn from '../src/features/getting-started/en.ts';
import guideHu from '../src/features/getting-started/hu.ts';
import importEn from '../src/features/menu-import/en.ts';
import importHu from '../src/features/menu-import/hu.ts';
import hoursEn from '../src/features/opening-hours/en.ts';
import hoursHu from '../src/features/opening-hours/hu.ts';
import partnerEn from '../src/features/partner-page/en.ts';
import partnerHu from '../src/features/partner-page/hu.ts';
import generalEn from '../src/features/restaurant-general/en.ts';
import generalHu from '../src/features/restaurant-general/hu.ts';
import groupsEn from '../src/features/restaurant-groups/en.ts';
import groupsHu from '../src/features/restaurant-groups/hu.ts';
import sosEn from '../src/features/sos-close/en.ts';
import sosHu from '../src/features/sos-close/hu.ts';
import { CATALOGUE } from './catalogue-menu.ts';
import { expect, test as base } from './fixtures.ts';
import { dress, looks, nameOf, picture, wanted, wordsOf } from './looks.ts';
import { demoPartner, makeRestaurant, placeIn } from './places.ts';
import { pathOf } from './screens.ts';
import { SAVE, rowsOf, done, dialogOf, close, into, nothingNew } from './points.ts';

/** A price list with a column for each size: the file of the service's own tests. */
const PIZZERIA = readFileSync(
  new URL('../../platform/menu_import/tests/files/pizzeria.csv', import.meta.url),
);
const NAME = 'Kapualj Kifőzde';

/** A restaurant without anything, the same one in each run: found, brought back from the archive, or made. */
async function emptyRestaurant(service: APIRequestContext, partner: string): Promise<string> {
  const root = `/api/v3/admin/partners/${partner}`;
  const find = async (path: string) =>
    (await rowsOf(service, `${root}/${path}`)).find((row) => row.name === NAME)?.id;
  const there = await find('restaurants');
  if (there) return there;
  const archived = await find('archived-restaurants');
  if (archived) await done(service.post(`${root}/archived-restaurants/${archived}/restore`));
  return archived ?? makeRestaurant(service, partner, NAME);
}

const archive = async (service: APIRequestContext, partner: string) => {
  const id = await emptyRestaurant(service, partner);
  await done(
    service.delete(`/api/v3/admin/partners/${partner}/restaurants/${id}`, { data: { confirm: NAME } }),
  );
};

const test = base.extend({
  place: async ({ service }, use) => {
    const partner = await demoPartner(service);
    const restaurant = await emptyRestaurant(service, partner);
    await use(placeIn(partner, restaurant));
    // On the pictures of other screens it would stand in lists.
    await archive(service, partner);
  },
});

base.beforeEach(({ context }) => nothingNew(context));

for (const look of looks) {
  const name = nameOf(look);
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
}
