import type { Locator, Page } from '@playwright/test';
import { expect, test as base } from '../fixtures.ts';
import { SERVICE } from '../sign-in.ts';

export { expect };

/** Orders are sent to a second instance of the service if there is one; events must still arrive. */
const OTHER_INSTANCE = process.env.PULT_E2E_URL_2 ?? SERVICE;

export interface Sent {
  id: string;
  counter: string;
  total_price: number;
  /** Last name: no other order on the board has it. */
  guest: string;
}

export interface Shop {
  send: (part?: object) => Promise<Sent>;
  order: (id: string) => Promise<Record<string, unknown>>;
  accept: (id: string, minutes?: number) => Promise<number>;
  setting: (change: object) => Promise<void>;
}

type Sub = { id: string; price: number; available: boolean; option_group_ids: string[] };
type Category = { children?: Category[]; products: { subproducts: Sub[] }[] };

/**
 * A web shop of the restaurant that is open now, with an API key of its own. Its orders are cancelled
 * afterwards.
 */
export const test = base.extend<{ shop: Shop }>({
  place: async ({ service }, use) => {
    const me = await (await service.get('/api/v3/admin/me')).json();
    const partner = me.targets[0].partner_id;
    for (const { id } of await (await service.get(`/api/v3/admin/partners/${partner}/restaurants`)).json()) {
      const menu = await (
        await service.get(`/api/v3/partners/${partner}/restaurants/${id}/menu?channel=online`)
      ).json();
      if (menu.restaurant.open_now)
        return use({ partner, restaurant: id, api: `/api/v3/admin/partners/${partner}/restaurants/${id}` });
    }
    throw new Error('no restaurant of the demo partner is open');
  },

  shop: async ({ playwright, service, place }, use) => {
    const orders = `/api/v3/partners/${place.partner}/restaurants/${place.restaurant}`;
    const made = await (
      await service.post(`${place.api}/api-keys`, {
        data: { name: `E2E ${Date.now()}`, scopes: ['menu:read', 'orders:write', 'orders:read'] },
      })
    ).json();
    const client = await playwright.request.newContext({
      baseURL: OTHER_INSTANCE,
      extraHTTPHeaders: { Authorization: `Bearer ${made.api_key}` },
    });
    const menu = await (await client.get(`${orders}/menu?channel=online`)).json();
    const all = (categories: Category[]): Sub[] =>
      categories.flatMap((c) => [...c.products.flatMap((p) => p.subproducts), ...all(c.children ?? [])]);
    const item = all(menu.categories).find(
      (s) => s.available && s.option_group_ids.length === 0 && s.price > 1000,
    )!;
    const sent: string[] = [];
    const before = await (await service.get(place.api)).json();

    await use({
      send: async (part = {}) => {
        // A phone of its own: of one, only some orders may wait.
        const guest = `Próba${Math.random().toString(36).slice(2, 8)}`;
        const answer = await client.post(`${orders}/orders`, {
          headers: { 'Idempotency-Key': crypto.randomUUID() },
          data: {
            platform: 'browser',
            pickup: true,
            first_name: 'Réka',
            last_name: guest,
            email: 'reka@pult.example',
            phone_1: `+3630${Math.random().toString().slice(2, 9)}`,
            payment_method: 'cash',
            items: [{ subproduct_id: item.id, quantity: 3, message: 'kapor nélkül' }],
            ...part,
          },
        });
        expect(answer.status(), await answer.text()).toBe(201);
        const order = await answer.json();
        sent.push(order.id);
        return { ...order, guest };
      },
      order: async (id) => (await service.get(`${place.api}/orders/${id}`)).json(),
      accept: async (id, minutes) =>
        (
          await service.put(`${place.api}/orders/${id}/accept`, {
            data: minutes ? { delivery_time_minute: minutes } : {},
          })
        ).status(),
      setting: async (change) =>
        void expect((await service.put(`${place.api}/system`, { data: change })).status()).toBe(200),
    });

    if (before.order_accept_on_open !== undefined)
      await service.put(`${place.api}/system`, {
        data: { order_accept_on_open: before.order_accept_on_open },
      });
    for (const id of sent)
      await service.put(`${place.api}/orders/${id}/archive`, { data: { reason: 'test' } });
    await service.delete(`${place.api}/api-keys/${made.id}`);
    await client.dispose();
  },
});

export const card = (page: Page, order: Sent): Locator => page.locator(`[data-order="${order.id}"]`);
export const waiting = (page: Page) => page.getByRole('region', { name: /^Elfogadásra vár/ });
export const accepted = (page: Page) => page.getByRole('region', { name: /^Elfogadva/ });
/** The board is read: either cards or the text of the empty list. */
export const ready = (page: Page) => expect(page.locator('[data-order], .state').first()).toBeVisible();
