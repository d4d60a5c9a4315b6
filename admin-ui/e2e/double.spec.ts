import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expect, type Place, type Role, settled, test } from './fixtures.ts';
import { test as own } from './new-restaurant.ts';
import { png } from './pixels.ts';

// A slow net and an impatient hand: while a call's answer is away, pressing again sends nothing more.

interface Case {
  what: string;
  screen: string;
  at?: string | ((place: Place, service: APIRequestContext) => string | Promise<string>);
  role?: Role;
  /** In a restaurant that nobody has touched. */
  fresh?: true;
  /** The call that is held back: its method, and how its path ends. */
  call: [method: string, path: RegExp];
  /** Fills in what is needed; answers what is pressed. */
  fill: (page: Page, form: Locator) => Promise<Locator>;
}

const save = (form: Locator | Page) => form.getByRole('button', { name: 'Mentés', exact: true });
const named = async (_: Page, form: Locator) => {
  await form.getByLabel('Név').fill('Türelmetlen');
  return save(form);
};
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const CASES: Case[] = [
  { what: 'an API key', screen: 'api_keys', at: 'uj', call: ['POST', /\/api-keys$/], fill: named },
  { what: 'a kiosk', screen: 'kiosk', at: 'uj', call: ['POST', /\/kiosks$/], fill: named },
  { what: 'a guest TV', screen: 'guest_tv', at: 'uj', call: ['POST', /\/restaurant-tvs$/], fill: named },
  {
    what: 'a terminal scheme',
    screen: 'terminals',
    fresh: true,
    at: 'uj',
    call: ['POST', /\/terminal-schemes$/],
    fill: async (page, form) => {
      await form.getByLabel('Felhasználó').click();
      await page.locator('.ant-select-item-option').first().click();
      await form.getByRole('combobox', { name: /^Terminál/ }).fill('POS-78');
      return save(form);
    },
  },
  {
    what: 'a push notification',
    screen: 'push_notification',
    at: 'uj',
    call: ['POST', /\/push-notifications$/],
    fill: async (_, form) => {
      await form.getByLabel('Cím').fill('Türelmetlen');
      await form.getByLabel('Szöveg').fill('Kettőt fizet');
      await form.getByLabel('Küldés ideje').fill('2099/12/24 18:00');
      await form.getByLabel('Küldés ideje').press('Enter');
      return save(form);
    },
  },
  {
    what: 'a device',
    screen: 'devices',
    at: 'uj',
    call: ['POST', /\/devices$/],
    fill: async (page, form) => {
      // There need be no TV: the device that would show it is never made.
      await page.route(/\/restaurant-tvs\/picker/, (route) =>
        route.fulfill({
          json: [{ id: '01900000-0000-7000-8000-00000000dead', name: 'Türelmes', active: true }],
          headers: { 'x-total-count': '1' },
        }),
      );
      await page.reload();
      await settled(page);
      await form.getByLabel('Név').fill('Türelmetlen');
      await form.getByLabel('Melyik vendég TV-t mutatja').click();
      await page.locator('.ant-select-item-option').first().click();
      return form.getByRole('button', { name: 'Kód készítése' });
    },
  },
  {
    what: 'a picture renamed',
    screen: 'media_storage',
    fresh: true,
    call: ['PUT', /\/images\/[\w-]+$/],
    at: async (place, service) =>
      (
        await (
          await service.post(`${place.api}/images`, {
            multipart: {
              name: 'Türelmes',
              image: {
                name: 'x.png',
                mimeType: 'image/png',
                buffer: png(64, 48, [10, 120, 60], [200, 230, 90]),
              },
            },
          })
        ).json()
      ).id,
    fill: async (_, form) => {
      await form.getByLabel('Név').fill('Türelmetlen');
      return save(form);
    },
  },
  {
    what: 'a week of opening hours',
    screen: 'opening_hours',
    call: ['PUT', /\/opening-hours$/],
    fill: async (page) => {
      await page.getByRole('switch', { name: 'Vasárnap' }).click();
      return save(page).first();
    },
  },
  {
    what: 'a holiday',
    screen: 'opening_hours',
    fresh: true,
    at: '?tab=holiday',
    call: ['POST', /\/restaurant-holidays$/],
    fill: async (page) => {
      await page.getByRole('button', { name: 'Új ünnepnap' }).click();
      await page.getByLabel('Első nap').fill('2028/12/24');
      await page.keyboard.press('Enter');
      return save(page.getByRole('tabpanel', { name: 'Ünnepnapok' }));
    },
  },
  {
    what: 'a way to pay',
    screen: 'payment_methods_web',
    call: ['PUT', /\/payment-methods$/],
    fill: async (page) => page.getByRole('switch', { name: 'SZÉP-kártya', exact: true }),
  },
  {
    what: 'the account of a provider',
    screen: 'payment_methods_web',
    call: ['PUT', /\/payment-methods$/],
    fill: async (page) => {
      const box = page.locator('details', { hasText: 'Barion' });
      await box.locator('summary').click();
      await box.getByLabel('A tárca e-mail-címe').fill('bolt@pult.example');
      return save(box);
    },
  },
  {
    what: 'the example menu',
    screen: 'getting_started',
    fresh: true,
    at: 'menu',
    call: ['POST', /\/product-categories$/],
    fill: async (page) => page.getByRole('button', { name: 'Példaétlap létrehozása' }),
  },
  {
    what: 'an import',
    screen: 'menu_import',
    fresh: true,
    call: ['POST', /\/menu-imports\/[\w-]+\/apply$/],
    at: async (place, service) => {
      const template = await service.get(`${place.api}/menu-imports/template`, {
        headers: { 'Accept-Language': 'hu' },
      });
      return (
        await (
          await service.post(`${place.api}/menu-imports`, {
            multipart: { file: { name: 'etlap.xlsx', mimeType: XLSX, buffer: await template.body() } },
          })
        ).json()
      ).id;
    },
    fill: async (page) => {
      await page.getByRole('button', { name: 'Beírás az étlapra' }).click();
      return page.getByRole('dialog').getByRole('button', { name: 'Beírás az étlapra' });
    },
  },
  {
    what: 'an export',
    screen: 'order_export',
    call: ['POST', /\/export-requests$/],
    fill: async (page) => {
      await page.getByRole('button', { name: 'Export kérése' }).click();
      await page.getByLabel('PIN-kód').fill('4711');
      return page.getByRole('dialog').getByRole('button', { name: 'Export kérése' });
    },
  },
  {
    what: 'a group of restaurants',
    screen: 'restaurant_groups',
    call: ['POST', /\/restaurant-groups$/],
    fill: async (page, form) => {
      await page.getByRole('button', { name: 'Új csoport' }).click();
      await form.getByRole('textbox').first().fill('Türelmetlen');
      return save(form);
    },
  },
  {
    what: 'a restaurant',
    screen: 'restaurant_groups',
    call: ['POST', /\/restaurants$/],
    fill: async (page, form) => {
      await page.getByRole('button', { name: 'Új étterem' }).click();
      await form.getByLabel('Név').fill('Türelmetlen');
      return save(form);
    },
  },
  {
    what: 'a partner renamed',
    screen: 'partner_page',
    role: 'super',
    at: (place) => place.partner,
    call: ['PUT', /\/partners\/[\w-]+$/],
    fill: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'További műveletek' }).click();
      await page.getByRole('menuitem', { name: 'Átnevezés' }).click();
      await page.getByLabel('Cég neve').fill('Türelmetlen Kft.');
      return page.getByRole('dialog').locator('.ant-btn-primary');
    },
  },
  {
    what: 'an announcement',
    screen: 'announcements_admin',
    at: 'uj',
    role: 'super',
    call: ['POST', /\/announcements$/],
    fill: async (_, form) => {
      await form.getByLabel('Üzenet').fill('Türelmetlen');
      return save(form);
    },
  },
  {
    what: 'a release info',
    screen: 'release_infos_admin',
    at: 'uj',
    role: 'super',
    call: ['POST', /\/release-infos$/],
    fill: async (_, form) => {
      await form.getByLabel('Verzió').fill('0.1');
      await form.getByLabel('Cím').fill('Türelmetlen');
      await form.getByLabel('Leírás').fill('<p>Most</p>');
      return save(form);
    },
  },
  {
    what: 'a document',
    screen: 'documentations_admin',
    at: 'uj',
    role: 'super',
    call: ['POST', /\/documentations$/],
    fill: async (page, form) => {
      await form.getByLabel('Cím').fill('Türelmetlen');
      const chooser = page.waitForEvent('filechooser');
      await form.getByRole('button', { name: 'PDF kiválasztása' }).click();
      await (
        await chooser
      ).setFiles({ name: 'x.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') });
      return save(form);
    },
  },
];

for (const {
  what,
  screen,
  at,
  role = 'partner',
  fresh,
  call: [method, path],
  fill,
} of CASES) {
  const run = fresh ? own : test;
  run.describe(() => {
    run.use({ role });
    run(
      `pressed again while the net is slow: ${what}`,
      async ({ page, visit, service, place, expectConsole }) => {
        expectConsole(/503/);
        let sent = 0;
        let refuse = () => undefined as void;
        const answered = new Promise<void>((resolve) => {
          refuse = resolve;
        });
        await page.route(path, async (route) => {
          if (route.request().method() !== method) return route.fallback();
          sent += 1;
          await answered;
          // Nothing is made, so nothing is left for other tests.
          return route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            json: { status: 503, code: 'UNAVAILABLE', title: 'x', keys: [] },
          });
        });
        const sub = typeof at === 'function' ? await at(place, service) : at;
        await visit(screen, sub);
        await settled(page);
        const press = await fill(page, page.getByRole('dialog').first());
        await press.dblclick({ noWaitAfter: true });
        await expect.poll(() => sent).toBe(1);
        // By the key too, and where the pointer still is.
        await page.keyboard.press('Control+s');
        await page.keyboard.press('Enter');
        await page.mouse.down();
        await page.mouse.up();
        await page.waitForTimeout(150);
        expect(sent).toBe(1);
        refuse();
        await expect(page.getByRole('alert').first()).toBeVisible();
        expect(sent, 'nothing was kept to be sent later').toBe(1);
      },
    );
  });
}
