import { readFileSync } from 'node:fs';
import {
  type APIRequestContext,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
  test as base,
} from '@playwright/test';
import axeCore, { type RunOnly } from 'axe-core';
import { demoPartner, type Place, placeIn } from './places.ts';
import { pathOf } from './screens.ts';
import { API_HEADERS, emailOf, PASSWORD, type Role, SERVICE, stateFile } from './sign-in.ts';
import { go, isLoaded, type State, type Window, Windows } from './windows.ts';

export { emailOf, go, PASSWORD, type Place, type Role };

interface Fixtures {
  /** The signed-in person; `test.use({ role: 'super' })`. */
  role: Role | 'none';
  /** In a new window, as at a person's first visit: for measuring and for pictures. */
  alone: boolean;
  place: Place;
  /** The service as the signed-in person, for making and removing what a test needs. */
  service: APIRequestContext;
  /** Opens a screen by its key and waits for its heading. */
  visit: (screen: string, sub?: string) => Promise<void>;
  /** Console messages that a test expects; everything else of the kinds error and warning fails it. */
  expectConsole: (pattern: RegExp) => void;
}

/** Requests of each page without an answer. */
const underWay = new WeakMap<Page, Set<Request>>();

function watch(page: Page): Set<Request> {
  const open = new Set<Request>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  underWay.set(page, open);
  return open;
}

export const test = base.extend<Fixtures & { tab: Window }, { windows: Windows }>({
  role: ['partner', { option: true }],
  alone: [false, { option: true }],
  storageState: async ({ role }, use) =>
    use(role === 'none' ? { cookies: [], origins: [] } : JSON.parse(readFileSync(stateFile(role), 'utf8'))),

  windows: [
    async ({ browser }, use) => {
      const windows = new Windows(browser);
      await use(windows);
      await windows.close();
    },
    { scope: 'worker' },
  ],

  tab: async ({ windows, role, storageState, alone }, use) => {
    const state = storageState as State;
    await use(await windows.take(role, state));
    await windows.giveBack(role, state, alone);
  },

  context: async ({ tab }, use) => use(tab.context),

  page: async ({ tab: { page } }, use) => {
    watch(page);
    await use(page);
  },

  service: async ({ playwright, storageState }, use) => {
    const context = await playwright.request.newContext({
      baseURL: SERVICE,
      extraHTTPHeaders: API_HEADERS,
      storageState,
    });
    await use(context);
    await context.dispose();
  },

  place: async ({ service }, use) => {
    const partner = await demoPartner(service);
    const rows = await (await service.get(`/api/v3/admin/partners/${partner}/restaurants`)).json();
    await use(placeIn(partner, rows[0].id));
  },

  visit: async ({ page, place, tab }, use) => {
    await use(async (screen, sub) => {
      const path = `${pathOf(screen, place.restaurant)}${sub ? `/${sub}` : ''}`;
      // Where all looks are pictured, a load for each screen would take most of the time.
      const walks = process.env.PULT_PICTURES && (await page.locator('.shell').count()) > 0;
      const inside = walks || isLoaded(tab);
      await (inside ? go(page, path) : page.goto(path));
      await expect(page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible();
      // As after a load: what the screen asks for first is there.
      if (inside) await settled(page);
    });
  },

  expectConsole: [
    async ({ page }, use) => {
      // Playwright reports this itself.
      const allowed: RegExp[] = [/Service Worker registration blocked/];
      const seen: string[] = [];
      page.on('console', (message: ConsoleMessage) => {
        if (['error', 'warning'].includes(message.type()))
          seen.push(`${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => seen.push(String(error)));
      await use((pattern) => void allowed.push(pattern));
      expect(
        seen.filter((text) => !allowed.some((pattern) => pattern.test(text))),
        'console',
      ).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

const WCAG: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] };

/** No serious or critical finding of axe on the page as it stands, or in a part of it. */
export const expectAccessible = (page: Page, part?: string) => axe(page, WCAG, part);

/** These findings, for who goes on in spite of them. */
export const findings = (page: Page) => violations(page, WCAG);

/** The part of it that colours decide. */
export const expectContrast = (page: Page) => axe(page, { type: 'rule', values: ['color-contrast'] });

async function axe(page: Page, runOnly: RunOnly, part?: string): Promise<void> {
  expect(await violations(page, runOnly, part)).toEqual([]);
}

/** What axe finds serious or critical. */
async function violations(page: Page, runOnly: RunOnly, part = 'html'): Promise<string[]> {
  // Into a page once: its source takes longer to read than most pages to look through.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source);
  const found = await page.evaluate(
    async ([where, only]) =>
      // What it would load besides (sheets' sources, sounds) is a fifth of the work, and no rule of these
      // needs it here.
      (
        await (window as unknown as { axe: typeof axeCore }).axe.run(where, {
          runOnly: only,
          resultTypes: ['violations'],
          preload: false,
        })
      ).violations,
    [part, runOnly] as const,
  );
  return found
    .filter((v) => ['serious', 'critical'].includes(v.impact ?? ''))
    .map(
      (v) =>
        `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? n.failureSummary})`).join(' | ')}`,
    );
}

/** Waits until the page is stable: data are shown, no skeleton, no transition. */
export async function settled(page: Page): Promise<void> {
  let open = underWay.get(page);
  if (!open) {
    // A second window, opened by the test itself.
    open = watch(page);
    await page.waitForLoadState('networkidle');
  }
  let quiet = 0;
  await expect
    .poll(() => (quiet = open.size === 0 ? quiet + 1 : 0), { intervals: [50], message: 'requests under way' })
    .toBeGreaterThan(2);
  // What waits until the page stands (the guide's reminder, announcements) comes after its mark. Devices have
  // none, and where a test holds the clock it does not come.
  await page
    .waitForFunction(
      () => !document.querySelector('.shell') || performance.getEntriesByName('pult.standing').length > 0,
      undefined,
      { polling: 50, timeout: 3_000 },
    )
    .catch(() => undefined);
  await expect(page.locator('.ant-skeleton, .ant-spin-spinning')).toHaveCount(0);
  await page.evaluate(async () => {
    // Transitions begin with the next frame.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const animations = document
      .getAnimations()
      .filter((one) => one.effect?.getTiming().iterations !== Infinity);
    await Promise.all(animations.map((one) => one.finished.catch(() => undefined)));
  });
}

/** Interactive elements smaller than WCAG 2.5.8 asks (24 px), or than `least`. */
export async function smallTargets(page: Page, least = 24): Promise<string[]> {
  return page.evaluate((px) => {
    const inline = (el: Element) => el.tagName === 'A' && getComputedStyle(el).display === 'inline';
    return [...document.querySelectorAll('a, button, input, select, [role=switch], [role=combobox]')]
      .filter(
        (el) =>
          el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
          !el.closest('.sr-only, [inert]') &&
          !el.classList.contains('sr-only') &&
          !inline(el),
      )
      .map((el) => ({
        el,
        box: (
          el.closest('label, .ant-select, .ant-picker, .ant-input-affix-wrapper') ?? el
        ).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 0 && (box.width < px || box.height < px))
      .map(
        ({ el, box }) => `${el.tagName}.${el.className} ${Math.round(box.width)}x${Math.round(box.height)}`,
      );
  }, least);
}
