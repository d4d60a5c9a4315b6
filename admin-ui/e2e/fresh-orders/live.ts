import type { Page } from '@playwright/test';
import { cuttable } from '../cut.ts';
import { expect, settled } from '../fixtures.ts';
import { accepted, card, ready, test, waiting } from './shop.ts';

/** What comes by itself: events, a second window, a cut connection, the bell. */
export function live(): void {
  test('two windows stay in step', async ({ page, context, visit, shop }) => {
    await visit('fresh_orders');
    const other = await context.newPage();
    await other.goto(page.url());
    await ready(other);
    const order = await shop.send();
    await expect(card(page, order)).toBeVisible();
    await expect(card(other, order)).toBeVisible();
    await card(other, order)
      .getByRole('button', { name: /^Elfogad · / })
      .first()
      .click();
    await expect(accepted(page).locator(card(page, order))).toBeVisible();
    await expect(accepted(other).locator(card(other, order))).toBeVisible();
  });

  test(
    'a wrong ready taken back in one window is on the board of the other',
    { tag: '@nightly' },
    async ({ page, context, visit, shop }) => {
      const order = await shop.send();
      await shop.accept(order.id);
      await visit('fresh_orders');
      const other = await context.newPage();
      await other.goto(page.url());
      await expect(card(other, order)).toBeVisible();
      await card(page, order)
        .getByRole('button', { name: `Elkészült: ${order.counter}` })
        .click();
      await expect(card(other, order)).toHaveCount(0);
      await other.getByText('Elkészült az utolsó két órában').click();
      const back = (tab: Page) =>
        tab.getByRole('button', { name: new RegExp(`^Mégis készül: ${order.counter}\\.? rendelés$`) });
      await back(other).click();
      for (const tab of [page, other]) await expect(accepted(tab).locator(card(tab, order))).toBeVisible();
      await expect(back(other)).toHaveCount(0);
      await other.close();
    },
  );

  test('the second user gets a message and sees the present state', async ({
    page,
    visit,
    shop,
    expectConsole,
  }) => {
    expectConsole(/409/);
    // This window hears nothing.
    await page.routeWebSocket(/fresh-orders/, () => undefined);
    const order = await shop.send();
    await visit('fresh_orders');
    await expect(card(page, order)).toBeVisible();
    expect(await shop.accept(order.id)).toBe(200);
    await card(page, order)
      .getByRole('button', { name: /^Elfogad · / })
      .first()
      .click();
    await expect(page.getByText(`Ezt közben más intézte: ${order.counter}`)).toBeVisible();
    await expect(accepted(page).locator(card(page, order))).toBeVisible();
  });

  test('a cut connection misses nothing and doubles nothing', async ({ page, visit, shop }) => {
    const line = await cuttable(page);
    await visit('fresh_orders');
    await ready(page);
    const before = await shop.send();
    await expect(card(page, before)).toBeVisible();

    await line.cut();
    const during = [await shop.send(), await shop.send()];
    await shop.accept(before.id);
    await line.mend();
    for (const order of during) await expect(waiting(page).locator(card(page, order))).toHaveCount(1);
    await expect(accepted(page).locator(card(page, before))).toHaveCount(1);
    expect(line.urls.at(-1)).toMatch(/last_event_id=\d+/);
  });

  test(
    'an order between the first reading and the first word of the connection is not missed',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
      let connect: () => void = () => undefined;
      const wanted = new Promise<void>((resolve) => (connect = resolve));
      await page.routeWebSocket(/fresh-orders/, async (socket) => {
        await wanted;
        const server = socket.connectToServer();
        server.onMessage((message) => socket.send(message));
      });
      await visit('fresh_orders');
      await ready(page);
      const order = await shop.send();
      connect();
      await expect(card(page, order)).toBeVisible();
    },
  );

  test(
    'an order during the first reading is not missed',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
      let answer: () => void = () => undefined;
      const wanted = new Promise<void>((resolve) => (answer = resolve));
      let requests = 0;
      await page.route(/\/orders\/fresh\?/, async (route) => {
        const first = requests++ === 0;
        const response = await route.fetch();
        if (first) await wanted;
        // The page may have given it up.
        await route.fulfill({ response }).catch(() => undefined);
      });
      const frames: string[] = [];
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => frames.push(String(payload))),
      );
      await visit('fresh_orders');
      await expect.poll(() => frames.some((text) => text.includes('TASK_HELLO'))).toBe(true);
      await expect.poll(() => requests).toBeGreaterThan(0);
      const order = await shop.send();
      await expect.poll(() => frames.some((text) => text.includes(order.id))).toBe(true);
      answer();
      await expect(card(page, order)).toBeVisible();
    },
  );

  test('a preorder is a quiet line when it comes, and is announced when it is due', async ({
    page,
    visit,
    shop,
  }) => {
    const order = await shop.send();
    let say: (data: object) => void = () => undefined;
    await page.routeWebSocket(/fresh-orders/, (socket) => {
      socket.send(JSON.stringify({ event: 'TASK_HELLO', id: 1 }));
      say = (data) =>
        socket.send(
          JSON.stringify({
            event: 'TASK_ORDERS_RELOAD',
            id: 2,
            data: { order_id: order.id, counter: order.counter, status: 'succeeded', ...data },
          }),
        );
    });
    await visit('couriers');
    await expect(page.locator('.live')).toHaveAttribute('data-state', 'live');
    await settled(page);
    const line = page.locator('.ant-message').getByText(new RegExp(`Előrendelés érkezett.*${order.guest}`));
    const popup = page.locator('.order-popup').filter({ hasText: order.guest });
    say({ change: 'created', due: false });
    await expect(line).toBeVisible();
    await expect(popup).toHaveCount(0);
    say({ change: 'due' });
    await expect(popup).toBeVisible();
    // On the board it is a card like any other; one that was accepted before says that it is time.
    await page.getByRole('navigation').getByRole('link', { name: 'Friss rendelések' }).click();
    await expect(card(page, order)).toBeVisible();
    await settled(page);
    say({ change: 'due', status: 'processed' });
    await expect(
      page.locator('.ant-message').getByText(new RegExp(`Ideje elkezdeni.*${order.guest}`)),
    ).toBeVisible();
  });

  test('new orders wait while one has scrolled away', { tag: '@nightly' }, async ({ page, visit, shop }) => {
    await page.setViewportSize({ width: 390, height: 500 });
    await shop.send();
    await shop.send();
    await visit('fresh_orders');
    await expect(page.locator('[data-order]').nth(1)).toBeVisible();
    await page.evaluate(() => scrollTo(0, 500));
    await page.waitForFunction(() => scrollY > 300);
    const order = await shop.send();
    const bar = page.getByRole('button', { name: '1 új rendelés betöltése' });
    await expect(bar).toBeVisible();
    await expect(card(page, order)).toHaveCount(0);
    await bar.click();
    await expect(card(page, order)).toHaveCount(1);
    await expect(bar).toBeHidden();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test(
    'the bell: one of two tabs rings, and none when it is off',
    { tag: '@nightly' },
    async ({ page, context, visit, shop }) => {
      // Counts what is struck instead of listening.
      await context.addInitScript(() => {
        const strikes = AudioContext.prototype.createOscillator;
        Object.assign(window, { struck: 0 });
        AudioContext.prototype.createOscillator = function () {
          (window as unknown as { struck: number }).struck++;
          return strikes.call(this);
        };
      });
      const struck = (tab: Page) => tab.evaluate(() => (window as unknown as { struck: number }).struck);
      await visit('fresh_orders');
      const other = await context.newPage();
      await other.goto(page.url());
      await ready(other);
      // Both tabs have been touched, so both may sound.
      for (const tab of [page, other]) await tab.getByRole('heading', { level: 1 }).click();
      const order = await shop.send();
      await expect(card(page, order)).toBeVisible();
      await expect(card(other, order)).toBeVisible();
      await expect.poll(async () => (await struck(page)) + (await struck(other))).toBeGreaterThan(0);
      await page.waitForTimeout(300);
      expect([await struck(page), await struck(other)].filter((n) => n > 0)).toHaveLength(1);
      await other.close();

      await page.getByRole('button', { name: 'Hang: be', exact: true }).click();
      await page.reload();
      await expect(
        page.getByRole('button', { name: 'Hang: ki', exact: true }),
        'kept on the device',
      ).toBeVisible();
      await expect(card(page, order)).toBeVisible();
      const second = await shop.send();
      await expect(card(page, second)).toBeVisible();
      expect(await struck(page)).toBe(0);
    },
  );
}
