import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible, go } from './fixtures.ts';
import { card, expect, test } from './fresh-orders/shop.ts';
import { type Line, onALine, started } from './line.ts';
import { pathOf } from './screens.ts';

// The service is away for a moment: nothing that somebody clicks replaces the application by the browser's
// error page.

const unloaded = 'Ez a rész nem töltődött be';
const live = (page: Page) =>
  expect(page.locator('.live')).toHaveAttribute('data-state', 'live', { timeout: 20_000 });
/** What is fetched while the page is idle is there. */
const idle = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/print-.*js/.test(name)),
  );

test('a click stays in the application, and goes on when the service is back', async ({
  browser,
  shop,
  place,
}) => {
  test.setTimeout(90_000);
  // As over plain http in the house: without a service worker.
  const { line, context } = await onALine(browser);
  const page = await context.newPage();
  const order = await shop.send();
  await page.goto(pathOf('fresh_orders', place.restaurant));
  await expect(card(page, order)).toBeVisible({ timeout: 20_000 });
  await live(page);
  await idle(page);

  line.cut();
  // A screen whose code is not loaded.
  await page.getByRole('button', { name: 'Ugrás' }).first().click();
  await expect(page.locator('.unloaded-over')).toContainText(unloaded);
  await page.getByRole('navigation').getByRole('link', { name: 'Futárok' }).click();
  await expect(page.locator('#main')).toContainText(unloaded);
  await page.locator('#main').getByRole('button', { name: 'Újra' }).click();
  await page.waitForTimeout(1_000);
  await expect(page.locator('#main')).toContainText(unloaded);
  await expectAccessible(page);
  // A screen whose code was prefetched: it shows itself that its data are missing.
  await page.getByRole('navigation').getByRole('link', { name: 'Friss rendelések' }).click();
  await expect(card(page, order)).toBeVisible();
  await go(page, `${pathOf('order_page', place.restaurant)}/${order.id}`);
  await expect(page.locator('#main').getByRole('alert')).toContainText('Nincs kapcsolat a szolgáltatással', {
    timeout: 15_000,
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Futárok' }).click();
  await expect(page.locator('#main')).toContainText(unloaded);

  line.mend();
  await expect(page.getByRole('heading', { level: 1, name: 'Futárok' })).toBeVisible({ timeout: 15_000 });
  await live(page);
  await context.close();
});

test(
  'a page that starts while the service is away says so, and starts when it is back',
  { tag: '@nightly' },
  async ({ browser, place }) => {
    const { line, context } = await onALine(browser);
    const page = await context.newPage();
    // The page is there, what it begins with is not.
    await page.route(/\/assets\/start-/, (route) => route.abort());
    await page.goto(pathOf('couriers', place.restaurant));
    await expect(page.getByRole('alert')).toContainText('Nincs kapcsolat a szolgáltatással');
    line.cut();
    await page.getByRole('button', { name: 'Újra' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.unroute(/\/assets\/start-/);
    line.mend();
    await expect(page.getByRole('heading', { level: 1, name: 'Futárok' })).toBeVisible({ timeout: 20_000 });
    await context.close();
  },
);

test.describe('with the service worker', () => {
  const installed = (page: Page) =>
    page
      .evaluate(async () => (await navigator.serviceWorker.ready).active!.state)
      .then((state) => expect(['activating', 'activated']).toContain(state));
  const stored = (page: Page) =>
    page.evaluate(async () => {
      const all = await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname),
        ),
      );
      return all.flat();
    });

  async function begin(
    browser: Parameters<typeof onALine>[0],
    restaurant: string,
  ): Promise<{ line: Line; context: BrowserContext; page: Page }> {
    const { line, context } = await onALine(browser, { serviceWorkers: 'allow' });
    const page = await context.newPage();
    await page.goto(pathOf('fresh_orders', restaurant));
    await started(page);
    await installed(page);
    expect(
      await page.evaluate(() => navigator.serviceWorker.controller),
      'it takes over with the next load',
    ).toBeNull();
    await page.reload();
    await started(page);
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toMatch(/\/sw\.js$/);
    return { line, context, page };
  }

  test(
    'a reload while the service is away stays in the application; only files and the page are kept',
    { tag: '@nightly' },
    async ({ browser, place }) => {
      test.setTimeout(90_000);
      const { line, context, page } = await begin(browser, place.restaurant);
      await page.goto(pathOf('couriers', place.restaurant));
      await expect(page.getByRole('heading', { level: 1, name: 'Futárok' })).toBeVisible();
      const names = await stored(page);
      expect(names).toContain('/');
      expect(names.filter((name) => name !== '/' && !/^\/assets\/.+-[\w-]{8}\.\w+$/.test(name))).toEqual([]);
      expect(names.filter((name) => /\/tv-/.test(name))).toEqual([]);

      line.cut();
      await page.reload();
      await expect(page.getByRole('alert')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Újra' })).toBeVisible();
      expect(page.url()).toContain('/r/');
      line.mend();
      await expect(page.getByRole('heading', { level: 1, name: 'Futárok' })).toBeVisible({ timeout: 15_000 });
      await context.close();
    },
  );

  test('a dead line gets the page after three seconds', { tag: '@nightly' }, async ({ browser, place }) => {
    test.setTimeout(90_000);
    const { line, context, page } = await begin(browser, place.restaurant);
    line.die();
    const begun = Date.now();
    await page.reload({ waitUntil: 'domcontentloaded', timeout: 15_000 });
    expect(Date.now() - begun).toBeLessThan(8_000);
    await expect(page.getByRole('button', { name: 'Újra' })).toBeVisible({ timeout: 15_000 });
    line.mend();
    await expect(page.locator('.shell')).toBeVisible({ timeout: 20_000 });
    await context.close();
  });

  test('the service takes it away', { tag: '@nightly' }, async ({ browser, place }) => {
    const { context, page } = await begin(browser, place.restaurant);
    await context.route('**/api/rest', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), service_worker: false } });
    });
    await page.reload();
    await expect
      .poll(async () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
      .toBe(0);
    await expect.poll(() => stored(page)).toEqual([]);
    await context.close();
  });
});
