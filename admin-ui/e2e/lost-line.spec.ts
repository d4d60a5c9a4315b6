import type { APIRequestContext } from '@playwright/test';
import { cuttable } from './cut.ts';
import { expect, type Place, test } from './fixtures.ts';
import { unique } from './people.ts';

// What came while the connection was cut stands on the screen once it is back: nothing missed, nothing twice.

interface Case {
  screen: string;
  path: string;
  body: (name: string, tv: string) => object;
  /** Whether an event follows at once. Notifications have their event when they are sent. */
  immediate?: true;
}

const CASES: Case[] = [
  {
    screen: 'devices',
    path: 'devices',
    immediate: true,
    body: (name, restaurant_tv_id) => ({ name, kind: 'guest_tv', restaurant_tv_id }),
  },
  {
    screen: 'push_notification',
    path: 'push-notifications',
    body: (notification_title) => ({
      notification_title,
      notification_body: 'Kettőt fizet',
      scheduled_at: '2099-12-24T17:00:00Z',
    }),
  },
];

async function make(service: APIRequestContext, place: Place, path: string, body: object): Promise<string> {
  const answer = await service.post(`${place.api}/${path}`, { data: body });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).id;
}

for (const { screen, path, body, immediate } of CASES) {
  test(
    `${screen}: a cut connection misses nothing and doubles nothing`,
    { tag: '@nightly' },
    async ({ page, visit, service, place }) => {
      const line = await cuttable(page);
      const tv = await make(service, place, 'restaurant-tvs', { name: unique() });
      const [deleted, fresh, later] = [1, 2, 3].map(() => `Próba ${unique()}`) as [string, string, string];
      const ids = [await make(service, place, path, body(deleted, tv))];
      await visit(screen);
      await line.live();
      const row = (name: string) => page.getByRole('link', { name, exact: true });
      await expect(row(deleted)).toHaveCount(1);

      await line.cut();
      ids.push(await make(service, place, path, body(fresh, tv)));
      expect((await service.delete(`${place.api}/${path}/${ids[0]}`)).status()).toBe(204);
      await line.mend();
      await expect(row(fresh)).toHaveCount(1);
      await expect(row(deleted)).toHaveCount(0);
      expect(line.urls.length).toBeGreaterThan(1);

      if (immediate) {
        // And it hears again.
        ids.push(await make(service, place, path, body(later, tv)));
        await expect(row(later)).toHaveCount(1);
      }
      await expect(row(fresh)).toHaveCount(1);
      for (const id of ids.slice(1)) await service.delete(`${place.api}/${path}/${id}`);
      await service.delete(`${place.api}/restaurant-tvs/${tv}`);
    },
  );
}
