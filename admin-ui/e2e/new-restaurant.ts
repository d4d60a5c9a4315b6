import { expect, type Place, test as base } from './fixtures.ts';

const made = new Map<string, Place>();

/**
 * A restaurant that only this worker's tests of one file know: settings are changed at will. Its name stands
 * behind the demo's.
 */
export const test = base.extend({
  place: async ({ service }, use, { file }) => {
    let place = made.get(file);
    if (!place) {
      const me = await (await service.get('/api/v3/admin/me')).json();
      const partner: string = me.targets.find(
        (target: { partner_mode: string }) => target.partner_mode === 'demo',
      ).partner_id;
      const answer = await service.post(`/api/v3/admin/partners/${partner}/restaurants`, {
        data: { name: `Új étterem ${Date.now() % 100_000}` },
      });
      expect(answer.status(), await answer.text()).toBe(201);
      const restaurant = (await answer.json()).id as string;
      place = { partner, restaurant, api: `/api/v3/admin/partners/${partner}/restaurants/${restaurant}` };
      made.set(file, place);
    }
    await use(place);
  },
});
