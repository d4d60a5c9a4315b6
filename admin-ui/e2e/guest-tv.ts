import type { APIRequestContext, Page } from '@playwright/test';
import { expect, type Place } from './fixtures.ts';

/** Other files run at the same time: each removes its own. */
const made: string[] = [];
const unique = () => `Próba${Math.random().toString(36).slice(2, 8)}`;

type Sub = { id: string; available: boolean; option_group_ids: string[] };
type Category = { children?: Category[]; products: { subproducts: Sub[] }[] };

export async function makeTv(service: APIRequestContext, place: Place, more: object = {}) {
  const answer = await service.post(`${place.api}/restaurant-tvs`, { data: { name: unique(), ...more } });
  expect(answer.status(), await answer.text()).toBe(201);
  const tv = (await answer.json()) as { id: string; tv_url: string };
  made.push(tv.id);
  return tv;
}

/** An order at the till, accepted. */
export async function accepted(service: APIRequestContext, place: Place) {
  const shop = place.api.replace('/admin', '');
  const menu = await (await service.get(`${shop}/menu?channel=online`)).json();
  const all = (categories: Category[]): Sub[] =>
    categories.flatMap((c) => [...c.products.flatMap((p) => p.subproducts), ...all(c.children ?? [])]);
  const item = all(menu.categories).find((one) => one.available && one.option_group_ids.length === 0)!;
  const order = await service.post(`${shop}/orders`, {
    data: {
      platform: 'take_away',
      pickup: true,
      last_name: 'Titkos',
      phone_1: '+36 1 555 0100',
      items: [{ subproduct_id: item.id, quantity: 1 }],
    },
  });
  expect(order.status(), await order.text()).toBe(201);
  const { id, counter } = await order.json();
  expect((await service.put(`${place.api}/orders/${id}/accept`, { data: {} })).status()).toBe(200);
  return { id: id as string, counter: counter as string };
}

export const ready = (service: APIRequestContext, place: Place, id: string) =>
  service.put(`${place.api}/orders/${id}/prepared`, { data: { prepared: true } });
export const list = (page: Page, kind: 'preparing' | 'ready') => page.locator(`.tv-${kind} li`);
export const open = async (page: Page, url: string) => {
  await page.goto(`/tv#${url.split('#')[1]}`);
  await expect(page.getByRole('heading', { level: 2, name: 'Átvehető' })).toBeVisible();
};

export async function removeTvs(service: APIRequestContext, place: Place): Promise<void> {
  for (const id of made.splice(0)) await service.delete(`${place.api}/restaurant-tvs/${id}`);
}
