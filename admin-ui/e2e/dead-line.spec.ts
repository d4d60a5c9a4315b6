import type { Page } from '@playwright/test';
import { card, expect, test } from './fresh-orders/shop.ts';
import { onALine, started } from './line.ts';
import { pathOf } from './screens.ts';

// A dead but open connection: bytes are dropped in both directions without a notice.

const light = (page: Page, state: string, timeout = 20_000) =>
  expect(page.locator('.live')).toHaveAttribute('data-state', state, { timeout });

test(
  'a dead line is not called live for longer than 25 s, and nothing is missed',
  { tag: '@nightly' },
  async ({ browser, shop, place }) => {
    test.setTimeout(120_000);
    const { line, context } = await onALine(browser);
    const page = await context.newPage();
    await page.goto(pathOf('fresh_orders', place.restaurant));
    await started(page);
    await light(page, 'live');
    // A quiet connection stays live because of the service's heartbeat.
    await page.waitForTimeout(27_000);
    await light(page, 'live', 100);

    line.die();
    const order = await shop.send();
    await light(page, 'reconnecting', 27_000);
    expect(line.swallowed).toBeGreaterThan(0);
    await expect(card(page, order)).toHaveCount(0);
    await expect(page.getByText(/Nincs élő kapcsolat .* óta\./)).toBeVisible({ timeout: 15_000 });
    line.mend();
    await page
      .getByRole('status')
      .filter({ hasText: 'Nincs élő kapcsolat' })
      .getByRole('button', { name: 'Újra' })
      .click();
    await light(page, 'live');
    await expect(card(page, order)).toHaveCount(1);
    await context.close();
  },
);

test('a call without an answer is reported within seconds', async ({ browser, shop, place }) => {
  const { line, context } = await onALine(browser);
  const page = await context.newPage();
  const order = await shop.send();
  await page.goto(pathOf('fresh_orders', place.restaurant));
  await expect(card(page, order)).toBeVisible({ timeout: 20_000 });
  await light(page, 'live');
  line.die();
  await card(page, order)
    .getByRole('button', { name: /^Elfogad · / })
    .first()
    .click();
  await light(page, 'reconnecting', 9_000);
  await context.close();
});

test('a browser that is offline says so at once', async ({ browser, place }) => {
  const { context } = await onALine(browser);
  const page = await context.newPage();
  await page.goto(pathOf('couriers', place.restaurant));
  await light(page, 'live');
  await context.setOffline(true);
  await light(page, 'reconnecting', 1_000);
  await context.setOffline(false);
  await light(page, 'live');
  await context.close();
});
