import type { Page } from '@playwright/test';
import { type Menu, Menu as MenuMaker } from './catalogue-menu.ts';
import { expect } from './fixtures.ts';
import { test as inNewRestaurant } from './new-restaurant.ts';

export const SCREEN = 'phone_orders';

export interface Taken {
  id: string;
  counter: string;
  platform: string;
  pickup: boolean;
  last_name: string;
  message: string | null;
  total_price: number;
  delivery_price: number;
  delivery_override_reason?: string | null;
  items: {
    name: string;
    quantity: number;
    message: string | null;
    item_options: { option: { name: string } }[];
  }[];
}

interface Fixtures {
  menu: Menu;
  /** The orders of the restaurant, the newest last. */
  orders: () => Promise<Taken[]>;
}

export const test = inNewRestaurant.extend<Fixtures>({
  menu: async ({ service, place }, use) => {
    const menu = new MenuMaker(service, place);
    await use(menu);
    await menu.clear();
  },
  orders: async ({ service, place }, use) => {
    const read = async () => {
      const till = encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
      const rows = (await (await service.get(`${place.api}/orders/fresh?till=${till}`)).json()) as Taken[];
      return Promise.all(
        rows.map(async ({ id }) => (await (await service.get(`${place.api}/orders/${id}`)).json()) as Taken),
      );
    };
    await use(read);
    for (const { id } of await read())
      await service.put(`${place.api}/orders/${id}/archive`, { data: { reason: 'test' } });
  },
});

/** A number that nobody else has: a known one would lead to its customer. */
export const number = () =>
  `+36 30 ${Math.floor(100 + Math.random() * 900)} ${Math.floor(1000 + Math.random() * 9000)}`;

/** A pizza of two sizes whose dough must be chosen, a drink, and what the phone does not sell. */
export async function fill(menu: Menu): Promise<void> {
  const pizza = await menu.category('Pizza');
  const drinks = await menu.category('Italok');
  const dough = await menu.group('Tészta', { type: 'exclusive' });
  await menu.option(dough.id, 'Vékony');
  await menu.option(dough.id, 'Vastag', { price: 200 });
  const toppings = await menu.group('Feltét', { type: 'min_max', min_no_options: 0, max_no_options: 2 });
  await menu.option(toppings.id, 'Sonka', { price: 300 });
  await menu.option(toppings.id, 'Kukorica', { price: 250 });
  await menu.product(pizza.id, 'Margherita', {
    base_price: undefined,
    subproducts: [
      { name: '32 cm', price: 2000, option_group_ids: [dough.id, toppings.id] },
      { name: '45 cm', price: 3500, option_group_ids: [dough.id] },
    ],
  });
  await menu.product(drinks.id, 'Limonádé', { base_price: 900 });
  await menu.product(drinks.id, 'Forró tea', {
    base_price: undefined,
    subproducts: [{ name: 'Forró tea', price: 500, visible_phone: false }],
  });
}

export const search = (page: Page) => page.getByRole('combobox', { name: 'Keresés az étlapon' });
export const cart = (page: Page) => page.getByRole('list', { name: 'Kosár', exact: true });
/** antd's radio buttons are labels; the input itself is not seen. */
export const pickup = (page: Page) =>
  page
    .locator('label')
    .filter({ hasText: /^Elvitel$/ })
    .click();
export const send = (page: Page) => page.getByRole('button', { name: 'Rendelés felvétele' });
export const priced = (page: Page) =>
  expect(page.locator('.taking-total')).toHaveAttribute('data-stale', 'false');

/** Seven orders that nobody accepts, and an order of many lines: what takes the most room. */
export async function crowd(page: Page, menu: Menu, visit: (screen: string) => Promise<void>): Promise<void> {
  const waiting_since = new Date(Date.now() - 3_600_000).toISOString();
  const escalated = Array.from({ length: 7 }, (_, at) => ({
    order_id: `00000000-0000-7000-8000-00000000000${at}`,
    counter: `HOSSZU-${100 + at}`,
    escalation_level: 2,
    waiting_since,
  }));
  await page.route('**/orders/waiting', (route) =>
    route.fulfill({ json: { count: 7, escalated: escalated.slice(0, 5), escalated_total: 7 } }),
  );
  const soups = await menu.category('Levesek');
  for (let at = 0; at < 12; at++) await menu.product(soups.id, `Leves ${at}`, { base_price: 1000 + at });
  await fill(menu);
  await visit(SCREEN);
  await expect(page.locator('.escalations')).toBeVisible();
  for (let at = 0; at < 9; at++) {
    await search(page).fill(`leves ${at}`);
    await search(page).press('Enter');
  }
  await priced(page);
}
