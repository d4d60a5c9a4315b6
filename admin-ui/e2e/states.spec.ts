import type { Page, Route } from '@playwright/test';
import { expect, settled, test } from './fixtures.ts';
import { test as own } from './new-restaurant.ts';
import { makePerson, removePeople, sessionOf } from './people.ts';
import { pathOf, type Screen, screens } from './screens.ts';

// What every screen shows while it reads, when reading fails, and to somebody who may not see it.

/** Goes on inside of the application, as its own links do: nothing is loaded anew but what the screen reads. */
const go = (page: Page, path: string) => page.evaluate((to) => {
  history.pushState(null, '', to);
  dispatchEvent(new PopStateEvent('popstate'));
}, path);

/** What the frame around the screens reads by itself, at any time. */
const FRAME = /\/(me|my-announcements|release-infos\/unread|orders\/counts?)$/;

const PARTS = 3;
for (let part = 0; part < PARTS; part++) {
  for (const platform of [false, true]) {
    const some = screens.filter((s) => !s.needsPath && s.platform === platform).filter((_, at) => at % PARTS === part);
    own.describe(() => {
      own.use({ role: platform ? 'super' : 'partner' });
      own(`${platform ? 'platform' : 'restaurant'} ${part + 1}: reading is shown, a failure too, and trying again helps`, async ({ page, visit, place, expectConsole }) => {
        own.setTimeout(120_000);
        expectConsole(/503/);
        await visit(platform ? 'jobs' : 'knowledge_repository');
        await settled(page);
        for (const screen of some) await own.step(screen.key, () => fails(page, screen, place.restaurant));
      });
    });
  }
}

async function fails(page: Page, screen: Screen, restaurant: string): Promise<void> {
  const main = page.getByRole('main');
  const held: Route[] = [];
  let refuse = false;
  const answer = (route: Route) => route.fulfill({ status: 503, contentType: 'application/problem+json', json: { status: 503, code: 'UNAVAILABLE_SERVER', title: 'x', keys: [], request_id: 'a1b2' } });
  const handler = (route: Route) => {
    if (route.request().method() !== 'GET' || FRAME.test(new URL(route.request().url()).pathname)) return route.fallback();
    if (refuse) return answer(route);
    held.push(route);
    return undefined;
  };
  await page.route('**/api/v3/**', handler);
  await go(page, pathOf(screen.key, restaurant));
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => held.length, `${screen.key} reads something`).toBeGreaterThan(0);
  await expect(main.locator('.ant-skeleton, .ant-spin-spinning').first(), `${screen.key} is loading`).toBeVisible();
  refuse = true;
  await Promise.all(held.map(answer));
  const failed = main.locator('.state-error, .ant-alert-error').first();
  await expect(failed, `${screen.key} says that it failed`).toBeVisible();
  await expect(failed).toContainText('a1b2');
  await page.unroute('**/api/v3/**', handler);
  await failed.getByRole('button', { name: 'Újra' }).click();
  await expect(main.locator('.state-error, .ant-alert-error')).toHaveCount(0);
  await settled(page);
}

test('who may nothing is shown nothing, and nothing is asked for', async ({ browser, service, place }) => {
  test.setTimeout(60_000);
  const person = await makePerson(service, place, {}, ['admin_login']);
  const context = await browser.newContext({ storageState: await sessionOf(person.email) });
  const page = await context.newPage();
  await page.goto(pathOf('knowledge_repository', place.restaurant));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settled(page);
  const refused: string[] = [];
  page.on('response', (response) => { if (response.status() === 403) refused.push(response.url()); });
  for (const screen of screens.filter((s) => s.rights && !s.needsPath)) {
    await go(page, pathOf(screen.key, place.restaurant));
    await expect(page.getByRole('main').getByText('Ehhez nincs jogosultságod'), screen.key).toBeVisible();
    await expect(page.getByRole('navigation').locator(`a[href$="/${screen.slug}"]`), screen.key).toHaveCount(0);
  }
  expect(refused).toEqual([]);
  await context.close();
  await removePeople(service, place);
});
