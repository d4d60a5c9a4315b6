import { test as base } from './fixtures.ts';
import { demoPartner, makeRestaurant, type Place, placeIn } from './places.ts';

const made = new Map<string, Place>();

/**
 * A restaurant that only this worker's tests of one file know: settings are changed at will. Its name stands
 * behind the demo's.
 */
export const test = base.extend({
  place: async ({ service }, use, { file }) => {
    let place = made.get(file);
    if (!place) {
      const partner = await demoPartner(service);
      const name = `Új étterem ${Date.now() % 100_000}`;
      place = placeIn(partner, await makeRestaurant(service, partner, name));
      made.set(file, place);
    }
    await use(place);
  },
});
