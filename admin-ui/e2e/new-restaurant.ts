import { expect, type Place, test as base } from './fixtures.ts';

let made: Place | undefined;

/** A restaurant that only this worker's tests know: settings are changed at will. Its name stands behind the demo's. */
export const test = base.extend({
  place: async ({ service }, use) => {
    if (!made) {
      const me = await (await service.get('/api/v3/admin/me')).json();
      const partner: string = me.targets.find((target: { partner_mode: string }) => target.partner_mode === 'demo').partner_id;
      const answer = await service.post(`/api/v3/admin/partners/${partner}/restaurants`, { data: { name: `Új étterem ${Date.now() % 100_000}` } });
      expect(answer.status(), await answer.text()).toBe(201);
      const restaurant = (await answer.json()).id as string;
      made = { partner, restaurant, api: `/api/v3/admin/partners/${partner}/restaurants/${restaurant}` };
    }
    await use(made);
  },
});


