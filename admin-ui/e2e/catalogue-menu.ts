import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expect, type Place, test } from './fixtures.ts';
import { leave } from './windows.ts';

export const CATALOGUE = 'categories_and_products';
export const unique = () => `Próba${Math.random().toString(36).slice(2, 8)}`;

export interface Row {
  id: string;
  name: string;
  active: boolean;
  version: number;
}
export interface Size extends Row {
  price: number;
  name_sec_lang: string | null;
  allergenic_ids: string[];
  option_group_ids: string[];
  sellable_quantity: number | null;
}
export interface Product extends Row {
  product_category_id: string;
  description: string | null;
  subproducts: Size[];
}

/**
 * Makes over the service what a test needs, and removes it again: tests run side by side in one restaurant.
 */
export class Menu {
  readonly service: APIRequestContext;
  readonly place: Place;
  readonly #made: string[] = [];
  readonly #orders: string[] = [];

  constructor(service: APIRequestContext, place: Place) {
    this.service = service;
    this.place = place;
  }

  async post<T extends Row>(path: string, data: object): Promise<T> {
    const answer = await this.service.post(`${this.place.api}/${path}`, { data });
    expect(answer.status(), await answer.text()).toBe(201);
    const row = (await answer.json()) as T;
    this.made(`${path}/${row.id}`);
    return row;
  }

  /** Also removed at the end. */
  made(path: string): void {
    this.#made.unshift(path);
  }

  async get<T>(path: string): Promise<T> {
    const answer = await this.service.get(`${this.place.api}/${path}`);
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()) as T;
  }

  async put(path: string, data: object): Promise<void> {
    const answer = await this.service.put(`${this.place.api}/${path}`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
  }

  /** The ways to pay that the restaurant takes, by their keys. */
  async takes(...keys: string[]): Promise<void> {
    const methods = await this.get<{ id: string; payment_key: string }[]>('payment-methods');
    const taken = methods.filter(({ payment_key }) => keys.includes(payment_key));
    await this.put('payment-methods', { payment_method_ids: taken.map(({ id }) => id) });
  }

  async #postOnce(path: string, data: object): Promise<string> {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const answer = await this.service.post(path, { headers, data });
    expect(answer.status(), await answer.text()).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  }

  /** The id of an order that staff take for somebody new, to be paid in cash; cancelled at the end. */
  async order(items: readonly { subproduct_id: string; quantity: number }[], rest: object): Promise<string> {
    const { partner, restaurant } = this.place;
    const id = await this.#postOnce(`/api/v3/partners/${partner}/restaurants/${restaurant}/orders`, {
      platform: 'phone',
      first_name: 'Réka',
      last_name: 'Próba',
      phone_1: `+3630${Math.random().toString().slice(2, 9)}`,
      payment_method: 'cash',
      items,
      ...rest,
    });
    this.#orders.push(id);
    return id;
  }

  /** Money for an order. */
  async pay(order: string, data: object): Promise<void> {
    await this.#postOnce(`${this.place.api}/orders/${order}/payments`, data);
  }

  category = (name: string, rest: object = {}) => this.post<Row>('product-categories', { name, ...rest });
  product = (category: string, name: string, rest: object = {}) =>
    this.post<Product>(`product-categories/${category}/products`, { name, base_price: 1000, ...rest });
  group = (name: string, rest: object = {}) =>
    this.post<Row>('option-groups', { name, type: 'exclusive', ...rest });
  option = (group: string, name: string, rest: object = {}) =>
    this.post<Row>(`option-groups/${group}/options`, { name, ...rest });
  productOf = (category: string, id: string) =>
    this.get<Product>(`product-categories/${category}/products/${id}`);

  async clear(): Promise<void> {
    for (const id of this.#orders)
      await this.service.put(`${this.place.api}/orders/${id}/archive`, { data: { reason: 'test' } });
    for (const path of this.#made) await this.service.delete(`${this.place.api}/${path}`);
  }
}

export const it = test.extend<{ menu: Menu }>({
  menu: async ({ service, place, page }, use) => {
    const menu = new Menu(service, place);
    await use(menu);
    await leave(page);
    await menu.clear();
  },
});

export const region = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name });
export const saved = (page: Page) => expect(page.getByText('Sikeres mentés').first()).toBeVisible();
