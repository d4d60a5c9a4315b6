import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expect, type Place, settled, test } from './fixtures.ts';
import { test as own } from './new-restaurant.ts';

// A slow net and an impatient hand: while a call's answer is away, pressing again sends nothing more. Forms
// are tested by src/lib/form; these send without one.

interface Case {
  what: string;
  screen: string;
  at?: string | ((place: Place, service: APIRequestContext) => string | Promise<string>);
  /** In a restaurant that nobody has touched. */
  fresh?: true;
  /** The call that is held back: its method, and how its path ends. */
  call: [method: string, path: RegExp];
  /** Fills in what is needed; answers what is pressed. */
  fill: (page: Page) => Promise<Locator>;
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const CASES: Case[] = [
  {
    what: 'a way to pay',
    screen: 'payment_methods_web',
    call: ['PUT', /\/payment-methods$/],
    fill: async (page) => page.getByRole('switch', { name: 'SZÉP-kártya', exact: true }),
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
];

for (const {
  what,
  screen,
  at,
  fresh,
  call: [method, path],
  fill,
} of CASES) {
  const run = fresh ? own : test;
  run(
    `pressed again while the net is slow: ${what}`,
    { tag: '@nightly' },
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
      const press = await fill(page);
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
}
