import type { Locator, Page } from '@playwright/test';
import { Menu } from './catalogue-menu.ts';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test as inNewRestaurant } from './new-restaurant.ts';
import { makePerson, removePeople, signedIn } from './people.ts';
import { pathOf } from './screens.ts';
import { SERVICE } from './sign-in.ts';

interface Order {
  id: string;
  counter: string;
  version: number;
  total_price: number;
  delivery_price: number;
  due: number;
  message: string | null;
  pickup: boolean;
  changed_fields: string[];
  delivery_data: { street: string } | null;
  replaced_by_id: string | null;
}

interface Till {
  /** Two soups, 3,600 Ft, and 500 Ft to be brought to the Fő utca; the Távoli út costs 900 Ft. */
  order: () => Promise<Order>;
  read: (id: string) => Promise<Order>;
  put: (path: string, body: object) => Promise<unknown>;
  pay: (id: string) => Promise<void>;
}

const test = inNewRestaurant.extend<{ till: Till }>({
  till: async ({ service, place }, use) => {
    const menu = new Menu(service, place);
    const category = await menu.category('Ebéd');
    const soup = await menu.product(category.id, 'Gulyásleves', { base_price: 1800 });
    for (const [name, price, least, street] of [
      ['Belváros', 500, 0, 'Fő utca'],
      ['Külváros', 900, 8000, 'Távoli út'],
    ] as const) {
      const region = await menu.post('delivery-regions', { name, price, min_order_price: least });
      await menu.post(`delivery-regions/${region.id}/streets`, { name: street, postcode: '9021' });
    }
    const read = (id: string) => menu.get<Order>(`orders/${id}`);
    await use({
      read,
      put: (path, body) => menu.put(path, body),
      order: async () => {
        const to = { postcode: '9021', city: 'Győr', street: 'Fő utca', premise_number: '3' };
        const soups = [{ subproduct_id: soup.subproducts[0]!.id, quantity: 2 }];
        const id = await menu.order(soups, { delivery_data: to });
        return read(id);
      },
      pay: (id) => menu.pay(id, { payment_method: 'cash' }),
    });
    await menu.clear();
  },
});

// They share the menu and the regions of one restaurant.
test.describe.configure({ mode: 'serial' });

const drawer = (page: Page): Locator => page.getByRole('dialog', { name: /^Módosítás: / });
const preview = (page: Page): Locator => drawer(page).getByRole('status', { name: 'Mennyibe kerül majd' });
/** The service's numbers have spaces that do not break. */
const ft = (amount: string) => new RegExp(`${amount.replace(' ', '\\s')}\\sFt`);
const newPin = () => String(Math.floor(10_000_000 + Math.random() * 89_999_999));

test('a waiter has an order brought elsewhere, sees what it costs, and saves with a PIN', async ({
  browser,
  service,
  place,
  till,
}) => {
  test.setTimeout(180_000);
  const pin = newPin();
  const order = await till.order();
  const waiter = await makePerson(service, place, {}, ['admin_login', 'fresh_order', 'order_accept']);
  await makePerson(service, place, { has_pin: true, pin }, ['admin_login', 'pos_modify_order']);
  const context = await signedIn(browser, waiter.email);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${SERVICE}${pathOf('order_page', place.restaurant)}/${order.id}`);
  await page.getByRole('button', { name: 'Módosítás', exact: true }).click();
  const open = drawer(page);
  const save = open.getByRole('button', { name: 'Módosítás mentése' });
  await expect(save).toBeDisabled();
  await expect(open).toContainText('Még semmi sem változott.');
  await settled(page);
  await expectAccessible(page, '[role=dialog]');

  await test.step('the minimum of the other region asks for a reason', async () => {
    await open.getByLabel('Utca').fill('Távoli út');
    await expect(open.getByText(/nem éri el a minimumot/)).toBeVisible();
    await open.getByLabel('Miért szállítjuk ki mégis').fill('törzsvendég');
    await expect(preview(page)).toContainText('Külváros');
    await expect(preview(page)).toContainText(ft('4 500'));
    await settled(page);
    await expectAccessible(page, '[role=dialog]');
    expect((await till.read(order.id)).total_price, 'nothing is written').toBe(4100);
  });

  await test.step('without a PIN, and with a wrong one, nothing is saved', async () => {
    await save.click();
    await expect(open.getByText('A PIN-kód 4–8 számjegy.')).toBeVisible();
    const field = open.getByLabel(/^PIN-kód/);
    await expect(field).toBeFocused();
    await field.fill('1111');
    await page.keyboard.press('Control+Enter');
    await expect(open.getByText('Hibás PIN-kód, vagy akié, annak nincs joga hozzá.')).toBeVisible();
    await expect(field).toHaveValue('');
    await field.fill(pin);
    await page.keyboard.press('Control+Enter');
    await expect(open).toBeHidden();
  });
  expect(await till.read(order.id)).toMatchObject({ total_price: 4500, delivery_price: 900, due: 4500 });
  const told = page.locator('.order-history [data-status="changed"]');
  await expect(told).toContainText('Fő utca 3');
  await expect(told).toContainText('Távoli út 3');
  await expect(told).toContainText(ft('4 500'));
  await settled(page);
  await expectAccessible(page);

  await test.step('its items are changed: another order takes its place', async () => {
    await page.getByRole('link', { name: 'Tételek módosítása' }).click();
    const bar = page.getByRole('region', { name: 'A tételek módosítása' });
    await expect(bar.getByRole('button')).toBeDisabled();
    await page.getByRole('spinbutton', { name: 'Darabszám: Gulyásleves' }).fill('3');
    // 3 × 1,800 + 900
    await expect(bar).toContainText(ft('6 300'));
    await expect(bar, 'the old total').toContainText(ft('4 500'));
    await settled(page);
    await expectAccessible(page);
    expect(await smallTargets(page), 'small targets').toEqual([]);
    await page.getByLabel(/^PIN-kód/).fill(pin);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText(/^A tételek módosultak; eddig: /)).toBeVisible();
  });
  const { replaced_by_id: now } = await till.read(order.id);
  expect(page.url()).toContain(now!);
  expect(await till.read(now!)).toMatchObject({ total_price: 6300, delivery_price: 900, due: 6300 });
  await context.close();
  await removePeople(service, place);
});

test('the board shows what was changed elsewhere until somebody has looked', async ({
  page,
  visit,
  service,
  place,
  till,
  expectConsole,
}) => {
  test.setTimeout(120_000);
  // Somebody else was faster.
  expectConsole(/409/);
  const pin = newPin();
  await makePerson(service, place, { has_pin: true, pin }, ['admin_login', 'pos_modify_order']);
  const order = await till.order();
  await visit('fresh_orders');
  const card = page.locator(`[data-order="${order.id}"]`);
  await expect(card).toBeVisible();
  const change = async (data: object) => {
    const headers = { 'X-Pin': pin };
    const answer = await service.put(`${place.api}/orders/${order.id}`, { headers, data });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  await change({ message: 'Csengess kétszer', phone_1: '+36 20 555 0199' });
  const note = card.getByRole('note');
  await expect(note).toContainText('Telefon, Üzenet');
  await expect(card).toContainText('Csengess kétszer');
  await settled(page);
  await expectAccessible(page);
  await note.getByRole('button', { name: /^Láttam/ }).click();
  await expect(note).toHaveCount(0);
  await page.reload();
  await expect(card).toBeVisible();
  await expect(note).toHaveCount(0);

  await test.step('changed from the board, by the keyboard, while somebody else is faster', async () => {
    await card.focus();
    await page.keyboard.press('m');
    const open = drawer(page);
    await expect(open.getByRole('button', { name: 'Módosítás mentése' })).toBeVisible();
    await open.getByLabel('Üzenet').fill('Ne csengess');
    await change({ first_name: 'Anna' });
    await expect(open.getByLabel(/^PIN-kód/), 'a message needs none').toHaveCount(0);
    await page.keyboard.press('Control+Enter');
    await expect(open.getByText('Közben más is csinált valamit ezzel a rendeléssel')).toBeVisible();
    await expect(open.getByLabel('Üzenet')).toHaveValue('Ne csengess');
    await settled(page);
    await expectAccessible(page, '[role=dialog]');
    await page.keyboard.press('Control+Enter');
    await expect(open).toBeHidden();
  });
  expect(await till.read(order.id)).toMatchObject({ message: 'Ne csengess', first_name: 'Anna' });

  await test.step('fetched after all: what was paid too much is to be given back', async () => {
    await till.pay(order.id);
    await visit('order_page', order.id);
    await page.getByRole('button', { name: 'Módosítás', exact: true }).click();
    const open = drawer(page);
    await open
      .locator('label')
      .filter({ hasText: /^Elvitel$/ })
      .click();
    await expect(preview(page)).toContainText(ft('3 600'));
    await expect(preview(page)).toContainText('Visszajár');
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    expect(await smallTargets(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 720 });
    await open.getByLabel(/^PIN-kód/).fill(pin);
    await open.getByRole('button', { name: 'Módosítás mentése' }).click();
    await expect(open).toBeHidden();
    await expect(page.locator('section.card').filter({ hasText: 'Vissza kell adni' }).first()).toBeVisible();
  });
  expect(await till.read(order.id)).toMatchObject({ pickup: true, due: -500, delivery_data: null });
  await removePeople(service, place);
});
