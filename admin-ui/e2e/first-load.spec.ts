import { expect, type Role, test } from './fixtures.ts';
import { NOBODY } from './people.ts';
import { pathOf } from './screens.ts';
import { stateFile } from './sign-in.ts';

// The first load of a page, as the browser sees it: page, scripts, styles, fonts and calls, until the screen
// stands. What is fetched ahead begins after that.

const MOST = 20;
/** A list, forms, a map, a calendar, and those that share most with others. */
const SCREENS: [Role, string, string[]][] = [
  ['partner', 'couriers', []],
  ['partner', 'fresh_orders', []],
  ['partner', 'restaurant_general', ['@nightly']],
  ['partner', 'opening_hours', ['@nightly']],
  ['partner', 'discounts', ['@nightly']],
  ['super', 'audit', ['@nightly']],
];

for (const [role, key, tag] of SCREENS)
  test(`${key} stands after ${MOST} requests at most`, { tag }, async ({ browser, place }) => {
    const context = await browser.newContext({ storageState: stateFile(role) });
    const page = await context.newPage();
    await page.addInitScript(() => {
      new PerformanceObserver((_, observer) => {
        observer.disconnect();
        const main = document.getElementById('main');
        const stands = main?.querySelector('h1') && !main.querySelector('.ant-skeleton, .ant-spin-spinning');
        document.documentElement.dataset.first = stands ? 'stands' : 'empty';
      }).observe({ type: 'mark' });
    });
    await page.goto(pathOf(key, place.restaurant));
    await expect(page.locator('html')).toHaveAttribute('data-first', 'stands');
    const requests = await page.evaluate(() => {
      const [standing] = performance.getEntriesByName('pult.standing');
      const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ startTime }) => startTime < standing!.startTime)
        .map(({ name }) => new URL(name).pathname);
      // What another test changes meanwhile is read again.
      return [...new Set(all)];
    });
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(MOST);
    // The page itself, its entry and the call for the rows were seen.
    expect(requests.length).toBeGreaterThan(10);
    await context.close();
  });

/** Slow 3G as browsers' own tools have it. */
const SLOW = { offline: false, latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000 };

for (const [who, role, tag] of [
  ['a stranger', 'none', []],
  ['a person who is signed in', 'partner', ['@nightly']],
] as [string, Role | 'none', string[]][])
  test(`on slow 3G ${who} sees something of the page within 3 s`, { tag }, async ({ browser, place }) => {
    const context = await browser.newContext({ storageState: role === 'none' ? NOBODY : stateFile(role) });
    const page = await context.newPage();
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', SLOW);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await page.goto(pathOf('couriers', place.restaurant), { waitUntil: 'commit' });
    const painted = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    expect(await painted.jsonValue()).toBeLessThan(3000);
    await expect(page.locator('.outline')).toHaveCount(1);
    if (role === 'none') {
      // The way to the form is short: a stranger loads nothing of the application.
      await expect(page.getByLabel('E-mail-cím')).toBeVisible({ timeout: 15_000 });
      await expect(page).toHaveURL(/\/bejelentkezes\?to=/);
      expect(scripts.filter((path) => /\/(start|vendor)-/.test(path))).toEqual([]);
    }
    await context.close();
  });
