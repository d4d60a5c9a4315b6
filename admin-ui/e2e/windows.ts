import type { Browser, BrowserContext, Cookie, Page, ViewportSize } from '@playwright/test';
import { SERVICE } from './sign-in.ts';

/** With what somebody comes. */
export interface State {
  cookies: Cookie[];
  origins: never[];
}

/** A window that tests of one role share, one after another. */
interface Window {
  context: BrowserContext;
  page: Page;
  /** Something was done to it that cannot be undone. */
  spoilt: boolean;
}

const LISTENED = ['console', 'pageerror', 'request', 'requestfinished', 'requestfailed', 'response', 'dialog', 'websocket', 'download', 'popup', 'filechooser'] as const;
/** Of the service, without a script: what was on the page before is over, and the page stays in its process. */
const NOWHERE = `${SERVICE}/favicon.svg`;

/**
 * Windows that are used again. Two thirds of what browser tests cost is pages that start, and one that starts where the
 * application has run before costs half: its code is compiled. Between tests a window gets back the cookies it had, empty
 * storage, its size and look; routes, listeners and other pages go. One in which a test did what has no way back, or that
 * a test has left without its page, is closed; after a failure Playwright begins a new worker with new windows.
 */
export class Windows {
  readonly #browser: Browser;
  readonly #kept = new Map<string, Window>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** The window of somebody, with one page. */
  async take(who: string, storageState: State, viewport: ViewportSize | null): Promise<BrowserContext> {
    const kept = this.#kept.get(who);
    if (kept) {
      if (viewport) await kept.page.setViewportSize(viewport);
      return kept.context;
    }
    const context = await this.#browser.newContext({ storageState, viewport });
    const taken: Window = { context, page: await context.newPage(), spoilt: false };
    const spoils = <T extends object>(of: T, ...names: (keyof T)[]) => {
      for (const name of names) {
        const call = (of[name] as (...words: unknown[]) => unknown).bind(of);
        of[name] = ((...words: unknown[]) => {
          taken.spoilt = true;
          return call(...words);
        }) as T[typeof name];
      }
    };
    spoils(context, 'addInitScript', 'grantPermissions', 'exposeFunction', 'exposeBinding', 'routeWebSocket', 'newCDPSession', 'setExtraHTTPHeaders');
    spoils(taken.page, 'addInitScript', 'exposeFunction', 'exposeBinding', 'routeWebSocket', 'setExtraHTTPHeaders');
    spoils(taken.page.clock, 'install');
    this.#kept.set(who, taken);
    return context;
  }

  /** After a test: ready for the next one, or closed. */
  async giveBack(who: string, { cookies }: State, close: boolean): Promise<void> {
    const window = this.#kept.get(who)!;
    const { context, page } = window;
    if (close || window.spoilt || page.isClosed()) {
      this.#kept.delete(who);
      return context.close();
    }
    for (const event of LISTENED) page.removeAllListeners(event);
    await Promise.all([context.unrouteAll({ behavior: 'ignoreErrors' }), page.unrouteAll({ behavior: 'ignoreErrors' }), context.setOffline(false)]);
    await Promise.all(context.pages().filter((one) => one !== page).map((one) => one.close()));
    await page.goto(NOWHERE);
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
    await context.clearCookies();
    await context.addCookies(cookies);
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce' });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ context }) => context.close()));
  }
}
