import { expect, expectAccessible, go, settled } from '../fixtures.ts';
import { pathOf } from '../screens.ts';
import { card, ready, test } from './shop.ts';

/** When there is much to do: longer times, filters, and orders that nobody accepts. */
export function rush(): void {
  test('busy: set, told to every window and to the next acceptance, and ended', async ({
    page,
    context,
    visit,
    shop,
    place,
    service,
  }) => {
    await service.delete(`${place.api}/busy`);
    await visit('fresh_orders');
    await ready(page);
    const order = await shop.send();
    const usual = await card(page, order).locator('.accept-main').textContent();
    const other = await context.newPage();
    await other.goto(page.url());
    await ready(other);
    await page.getByRole('button', { name: 'Torlódás…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Most mennyivel tart tovább egy rendelés?' });
    await dialog.getByText('+20 perc').click();
    await dialog.getByRole('radio', { name: 'Megadott időpontig' }).check();
    await settled(page);
    await expectAccessible(page);
    await dialog.getByRole('radio', { name: '90 percig' }).check();
    await dialog.getByRole('button', { name: 'Beállítás', exact: true }).click();
    const minutes = Number(/\d+/.exec(usual ?? '')![0]) + 20;
    for (const window of [page, other]) {
      await expect(window.getByRole('region', { name: 'Torlódás' })).toContainText('Még 90 perc.');
      await expect(card(window, order).locator('.accept-main')).toHaveText(`Elfogad · ${minutes} perc`);
    }
    await settled(page);
    await expectAccessible(page);
    await card(page, order).locator('.accept-main').click();
    await expect.poll(async () => (await shop.order(order.id)).delivery_time_minute).toBe(minutes);
    await other.getByRole('button', { name: 'Vége a torlódásnak' }).click();
    await expect(page.getByRole('region', { name: 'Torlódás' })).toHaveCount(0);
    await other.close();
  });

  test(
    'filters stand in the address, hide cards, and are cleared by one click',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
      await visit('fresh_orders');
      await ready(page);
      const [one, two] = [await shop.send(), await shop.send({ message: 'Különleges kérés' })];
      await expect(card(page, two)).toBeVisible();
      await page.getByRole('textbox', { name: 'Szám, vendég, cím, tétel' }).fill('kulonleges');
      await expect(card(page, one)).toHaveCount(0);
      await expect(card(page, two)).toBeVisible();
      await expect(page).toHaveURL(/q=kulonleges/);
      await expect(page.locator('.fresh-filter-note')).toContainText('elfogadásra vár: 1');
      await page.getByRole('textbox', { name: 'Szám, vendég, cím, tétel' }).fill('');
      await expect(page).not.toHaveURL(/q=/);
      await expect(card(page, one)).toBeVisible();
      await page.getByRole('combobox', { name: 'Átadás' }).click();
      await settled(page);
      await page.getByTitle('Kiszállítás', { exact: true }).click();
      await expect(page).toHaveURL(/way=/);
      await page.keyboard.press('Escape');
      await expect(page.getByText('Egy rendelés sem felel meg a szűrőnek')).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      // Whoever comes back, or gets the link, sees the same.
      await page.reload();
      await expect(page.getByText('Egy rendelés sem felel meg a szűrőnek')).toBeVisible();
      // A new order is counted though it is hidden.
      const three = await shop.send();
      await expect(page.locator('.fresh-filter-note')).toContainText('elfogadásra vár: 3');
      await page.getByRole('button', { name: 'Szűrők törlése' }).first().click();
      for (const order of [one, two, three]) await expect(card(page, order)).toBeVisible();
      await expect(page).not.toHaveURL(/way=/);
    },
  );

  test(
    'an order that nobody accepts is said on every other screen until somebody does',
    { tag: '@nightly' },
    async ({ page, visit, shop, place }) => {
      test.setTimeout(180_000);
      await shop.setting({ escalate_after_minutes: 1 });
      const order = await shop.send();
      await visit('couriers');
      const alert = page.getByRole('region', { name: 'Senki nem fogadja el' });
      await expect(alert).toBeVisible({ timeout: 120_000 });
      await expect(
        alert.getByRole('link', { name: new RegExp(`^${order.counter}\\.? rendelés ·`) }),
      ).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      // The board itself shows it on its card.
      await alert.getByRole('link', { name: 'Friss rendelések megnyitása' }).click();
      await expect(card(page, order)).toContainText('Senki nem fogadja el (2. szint)');
      await expect(alert).toHaveCount(0);
      await settled(page);
      await expectAccessible(page);
      await go(page, pathOf('couriers', place.restaurant));
      await expect(alert).toBeVisible();
      await shop.accept(order.id);
      await expect(alert).toHaveCount(0);
      await shop.setting({ escalate_after_minutes: 5 });
    },
  );
}
