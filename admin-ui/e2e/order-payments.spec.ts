import type { Locator, Page } from '@playwright/test';
import { Menu } from './catalogue-menu.ts';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test as inNewRestaurant } from './new-restaurant.ts';
import { makePerson, removePeople, signedIn } from './people.ts';
import { pathOf } from './screens.ts';
import { SERVICE } from './sign-in.ts';

interface Line {
  id: string;
  reversed_quantity: number;
}

interface Order {
  id: string;
  counter: string;
  paid: number;
  due: number;
  closed_at: string | null;
  archived_at: string | null;
  items: Line[];
  payable_transactions: { value: number; rounding: number; change_given: number; status: string }[];
  refunds: { amount: number; state: string; approved_by_name: string | null }[];
}

interface Till {
  /** Two soups of 1,800 Ft and a pizza of 2,293 Ft, accepted: 5,893 Ft. */
  order: () => Promise<Order>;
  read: (id: string) => Promise<Order>;
  pay: (id: string, body: object) => Promise<void>;
}

const test = inNewRestaurant.extend<{ till: Till }>({
  till: async ({ service, place }, use) => {
    const menu = new Menu(service, place);
    const category = await menu.category('Ebéd');
    const soup = await menu.product(category.id, 'Gulyásleves', { base_price: 1800 });
    const pizza = await menu.product(category.id, 'Margherita', { base_price: 2293 });
    await menu.takes('cash', 'card', 'szep_kartya');
    const read = (id: string) => menu.get<Order>(`orders/${id}`);
    await use({
      read,
      order: async () => {
        const items = [
          { subproduct_id: soup.subproducts[0]!.id, quantity: 2 },
          { subproduct_id: pizza.subproducts[0]!.id, quantity: 1 },
        ];
        const id = await menu.order(items, { pickup: true });
        await menu.put(`orders/${id}/accept`, {});
        return read(id);
      },
      pay: (id, body) => menu.pay(id, body),
    });
    await menu.clear();
  },
});

// They share the menu and the orders of one restaurant.
test.describe.configure({ mode: 'default' });

const payments = (page: Page): Locator =>
  page.locator('section.card', { has: page.getByRole('heading', { name: 'Fizetés', exact: true }) });
const dialog = (page: Page, name: RegExp): Locator => page.getByRole('dialog', { name });
const pay = (page: Page) => payments(page).getByRole('button', { name: 'Fizetés', exact: true });
/** The service's numbers have spaces that do not break. */
const ft = (amount: string) => new RegExp(`${amount.replace(' ', '\\s')}\\sFt`);

test('an order is paid in parts: cash with its change, then a card that waits for its terminal', async ({
  page,
  visit,
  till,
  expectConsole,
}) => {
  test.setTimeout(120_000);
  // More than is left is refused.
  expectConsole(/409/);
  const order = await till.order();
  await visit('order_page', order.id);
  await expect(payments(page)).toContainText(ft('5 893'));
  await pay(page).click();
  const open = dialog(page, /^Fizetés: /);
  await expect(open.getByRole('radio', { name: 'Készpénz' })).toBeFocused();
  await settled(page);
  await expectAccessible(page, '[role=dialog]');

  await test.step('an amount in cash: round notes, the change, Enter pays once', async () => {
    await open.getByRole('radio', { name: 'Egy összeget' }).check();
    await open.getByLabel('Összeg', { exact: true }).fill('1233');
    await expect(open.locator('.pay-preview')).toContainText(ft('1 235'));
    await open.getByRole('button', { name: ft('5 000') }).click();
    await expect(open.locator('.pay-change')).toContainText(ft('3 765'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(open.locator('.receipt-change')).toContainText(ft('3 765'));
    await expect(open).toContainText(ft('4 660'));
    expect((await till.read(order.id)).payable_transactions).toMatchObject([
      { value: 1233, rounding: 2, change_given: 3765, status: 'succeeded' },
    ]);
  });

  await test.step('more than is left is refused with what is left', async () => {
    await till.pay(order.id, { payment_method: 'card', amount: 660, confirmed: false });
    await open.getByRole('button', { name: 'Következő fizetés' }).click();
    await open.getByRole('radio', { name: 'Egy összeget' }).check();
    await open.getByLabel('Összeg', { exact: true }).fill('4660');
    await open.getByRole('button', { name: 'Fizetés', exact: true }).click();
    const alert = open.getByRole('alert').filter({ hasText: 'Még fizetendő' });
    await expect(alert).toContainText(ft('4 660'));
    await expect(alert).toContainText(ft('660'));
  });

  await test.step('the rest by card, which waits', async () => {
    await open.getByRole('radio', { name: 'Mindent' }).check();
    await open.getByRole('radio', { name: 'Bankkártya' }).check();
    await open.getByRole('radio', { name: 'Még a terminálnál van' }).check();
    await open.getByRole('button', { name: 'Terminálra küldve' }).click();
    await expect(open).toContainText('A terminálra vár: Bankkártya');
    await open.getByRole('button', { name: 'Kész' }).click();
    await expect(open).toBeHidden();
    await expect(pay(page)).toBeDisabled();
    await expect(payments(page)).toContainText('Minden a terminálra vár');
  });

  await test.step('one is not paid, and says why; the other closes the order', async () => {
    await payments(page)
      .getByRole('button', { name: /^Nem sikerült: Bankkártya, 660/ })
      .click();
    const failed = dialog(page, /^Nem sikerült a fizetés/);
    await failed.getByRole('button', { name: 'Nem fizették ki' }).click();
    await expect(failed.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
    await failed.getByLabel('Miért?').fill('elutasítva');
    await page.keyboard.press('Enter');
    await expect(failed).toBeHidden();
    await payments(page)
      .getByRole('button', { name: /^Kifizették: Bankkártya, 4/ })
      .click();
    await dialog(page, /^Kifizették: /)
      .getByRole('button', { name: 'Kifizették' })
      .click();
    await expect(payments(page)).toContainText(ft('660'));
    await till.pay(order.id, { payment_method: 'cash' });
    // Paid elsewhere: the page hears of it.
    await expect(payments(page).locator('[data-state]')).toHaveAttribute('data-state', 'paid');
    await expect(pay(page)).toHaveCount(0);
    await expect(page.getByRole('listitem').filter({ hasText: 'Nem sikerült a fizetés' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'Lezárva' })).toBeVisible();
    expect((await till.read(order.id)).closed_at).not.toBeNull();
  });
  await settled(page);
  await expectAccessible(page);
});

test('money is given back in parts, at once and later; what is still to be given back stands above the board', async ({
  page,
  visit,
  till,
}) => {
  test.setTimeout(120_000);
  const order = await till.order();
  await till.pay(order.id, { payment_method: 'card' });
  await visit('order_page', order.id);
  const give = payments(page).getByRole('button', { name: /^Visszaadás: Bankkártya/ });
  await give.click();
  const open = dialog(page, /^Visszaadás ebből/);
  await expect(open.getByLabel('Visszaadott összeg')).toHaveValue(/^5\s893$/);
  // Nobody asks whoever has the right.
  await expect(open.getByLabel(/PIN-kód/)).toHaveCount(0);
  await settled(page);
  await expectAccessible(page, '[role=dialog]');
  await open.getByLabel('Visszaadott összeg').fill('6000');
  await open.getByRole('button', { name: 'Visszaadás' }).click();
  await expect(open.getByText('Ennyit nem lehet visszaadni')).toBeVisible();
  await open.getByLabel('Visszaadott összeg').fill('893');
  await open.getByLabel('Miért?').fill('hideg volt');
  await open.getByRole('button', { name: 'Visszaadás' }).click();
  await expect(open).toBeHidden();
  await expect(give).toBeFocused();
  await expect(payments(page)).toContainText('hideg volt');
  expect(await till.read(order.id)).toMatchObject({ paid: 5000, due: 893 });

  await give.click();
  await open.getByRole('radio', { name: 'Még vissza kell adni' }).check();
  await open.getByRole('button', { name: 'Visszaadás' }).click();
  await expect(open).toBeHidden();
  await expect(payments(page)).toContainText('Még vissza kell adni');
  await expect(give).toHaveCount(0);

  await visit('fresh_orders');
  // Cancelled orders of other tests may stand there too.
  const strip = page.getByRole('region', { name: /^Vissza kell adni: \d+$/ });
  const link = strip.getByRole('link', { name: new RegExp(`^${order.counter}\\.? rendelés · `) });
  await expect(link).toContainText(ft('5 000'));
  await expect(page.locator(`[data-order="${order.id}"]`)).toContainText('Fizetendő még');
  await settled(page);
  await expectAccessible(page);
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();
  await payments(page)
    .getByRole('button', { name: /^Visszaadtuk: / })
    .click();
  await dialog(page, /^Visszaadtátok/)
    .getByRole('button', { name: 'Visszaadtuk' })
    .click();
  await expect(payments(page).locator('.pay-sum-main')).toContainText(ft('5 893'));
  expect(await till.read(order.id)).toMatchObject({ paid: 0, due: 5893 });
  await visit('fresh_orders');
  await expect(page.locator('[data-order]').first()).toBeVisible();
  await settled(page);
  await expect(link).toHaveCount(0);
});

test('a waiter takes pieces back with the PIN of somebody who may; the last piece cancels the order', async ({
  browser,
  service,
  place,
  till,
}) => {
  test.setTimeout(120_000);
  const pin = String(Math.floor(10_000_000 + Math.random() * 89_999_999));
  const order = await till.order();
  await till.pay(order.id, { payment_method: 'card' });
  const rights = ['admin_login', 'fresh_order', 'order_accept'];
  const waiter = await makePerson(service, place, {}, rights);
  await makePerson(service, place, { has_pin: true, pin }, [
    'admin_login',
    'pos_storno',
    'pos_partial_storno',
  ]);
  const context = await signedIn(browser, waiter.email);
  const page = await context.newPage();
  await page.goto(`${SERVICE}${pathOf('order_page', place.restaurant)}/${order.id}`);
  await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();

  await page.getByRole('button', { name: 'Tételek visszavétele' }).click();
  const open = dialog(page, /^Tételek visszavétele/);
  await open.getByRole('button', { name: 'Több: Gulyásleves' }).click();
  await expect(open.locator('.storno-worth')).toContainText(ft('1 800'));
  await open.getByRole('radio', { name: 'Hiányzik' }).check();
  await settled(page);
  await expectAccessible(page, '[role=dialog]');
  const take = open.getByRole('button', { name: 'Visszavétel', exact: true });
  await take.click();
  await expect(open.getByText('A PIN-kód 4–8 számjegy.')).toBeVisible();
  const field = open.getByLabel(/^PIN-kód/);
  await field.fill('1111');
  await take.click();
  await expect(open.getByText('Hibás PIN-kód, vagy akié, annak nincs joga hozzá.')).toBeVisible();
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
  await field.fill(pin);
  await page.keyboard.press('Enter');
  await expect(open).toBeHidden();
  await expect(page.locator('.order-basket')).toContainText('visszavéve 1 / 2');
  await expect(payments(page)).toContainText('Vissza kell adni');
  const after = await till.read(order.id);
  expect(after).toMatchObject({ due: -1800, archived_at: null });
  expect(after.items.map(({ reversed_quantity }) => reversed_quantity)).toEqual([1, 0]);

  await test.step('the partial storno is a page that leads back', async () => {
    const stornos = page.locator('.order-stornos-card');
    await expect(stornos).toContainText('Hiányzik');
    await stornos.getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Visszavett tételek' })).toBeVisible();
    await expect(page.getByRole('button', { name: /Fizetés|visszavétele|Sztornó|Nyomtatás/ })).toHaveCount(0);
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'A rendelés megnyitása' }).click();
    await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();
  });

  await test.step('what takes everything says so, and cancels the order', async () => {
    await page.getByRole('button', { name: 'Tételek visszavétele' }).click();
    await open.getByRole('button', { name: 'Mind: Gulyásleves' }).click();
    await open.getByRole('button', { name: 'Mind: Margherita' }).click();
    await expect(open.getByText('Ez minden: a teljes rendelést sztornózod.')).toBeVisible();
    await open.getByRole('radio', { name: 'Panasz' }).check();
    await field.fill(pin);
    await open.getByRole('button', { name: 'Teljes sztornó' }).click();
    await expect(page.getByText('Ezt a rendelést sztornózták')).toBeVisible();
    expect(await till.read(order.id)).toMatchObject({ due: -5893 });
  });
  await context.close();
  await removePeople(service, place);
});

test(
  'an order is copied to a new one; on a phone everything is large enough',
  { tag: '@nightly' },
  async ({ page, visit, till }) => {
    const order = await till.order();
    await page.setViewportSize({ width: 390, height: 844 });
    await visit('order_page', order.id);
    await pay(page).click();
    await expect(dialog(page, /^Fizetés: /).getByRole('radio', { name: 'Készpénz' })).toBeVisible();
    await settled(page);
    expect(await smallTargets(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('link', { name: 'Másolás új rendelésbe' }).click();
    await expect(page.getByText('A vendég és a tételek átmásolva')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Kosár', exact: true })).toContainText('Gulyásleves');
    expect(new URL(page.url()).search, 'nothing stays in the address').toBe('');
    await page.getByRole('button', { name: 'Elölről' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Elölről' }).click();
  },
);
