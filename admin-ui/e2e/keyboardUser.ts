import type { APIRequestContext, ElementHandle, Locator, Page } from '@playwright/test';
import { expect, type Place, type Role, settled, test as fixtures } from './fixtures.ts';

/** More than the longest way to a control. */
const MOST_TABS = 150;
const UNSAVED = 'Nem mentett változások';

/** How an element and what frames it look. */
const look = (target: ElementHandle<Element>) =>
  target.evaluate((el) => {
    const frames = [el, el.parentElement, el.parentElement?.parentElement].filter(
      (one) => one !== null && one !== undefined,
    );
    return frames
      .map((one) => getComputedStyle(one))
      .map((style) =>
        [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.top].join(),
      )
      .join('|');
  });

/** A user without a mouse. */
export class KeyboardUser {
  readonly page: Page;
  readonly service: APIRequestContext;
  readonly place: Place;

  constructor(page: Page, service: APIRequestContext, place: Place) {
    this.page = page;
    this.service = service;
    this.place = place;
  }

  press = (key: string) => this.page.keyboard.press(key);
  type = (text: string) => this.page.keyboard.type(text);
  button = (name: string | RegExp, exact = false) => this.page.getByRole('button', { name, exact });
  box = (name: string) => this.page.getByRole('textbox', { name, exact: true });
  dialog = (name?: string | RegExp) => this.page.getByRole('dialog', name === undefined ? {} : { name });

  /**
   * Tab until it has the focus, which is seen: at itself, or around it (the box of a radio button is its
   * label's).
   */
  async to(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    // Looked up again only after a new rendering, because finding an element by name costs more than the key
    // presses.
    let element = await target.elementHandle();
    const there = async (): Promise<boolean> => {
      const state = await element!.evaluate((el) =>
        el.isConnected ? el === document.activeElement : 'gone',
      );
      if (state !== 'gone') return state;
      element = await target.elementHandle();
      return there();
    };
    if (await there()) return;
    const before = await look(element!);
    for (let tabs = 0; tabs < MOST_TABS && !(await there()); tabs++) await this.press(key);
    await expect.poll(there, `Tab reaches ${String(target)}`).toBe(true);
    expect(await look(element!), `the focus is seen at ${String(target)}`).not.toBe(before);
  }

  /** Goes to a control and presses it. */
  async use(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.to(target);
    await this.press(key);
  }

  /** Goes to a box and replaces its text. */
  async write(target: Locator, text: string): Promise<void> {
    await this.to(target);
    await this.press('Control+a');
    await this.type(text);
  }

  /** Chooses from a list: opened, walked down to what is called so, taken. */
  async choose(list: Locator, name: string): Promise<void> {
    await this.use(list);
    await expect(list).toHaveAttribute('aria-expanded', 'true');
    const rows = this.page.locator(
      '.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option',
    );
    const wanted = rows.filter({ hasText: name }).first();
    await expect(wanted).toBeVisible();
    for (
      let steps = await rows.count();
      steps >= 0 && !(await wanted.evaluate((el) => el.classList.contains('ant-select-item-option-active')));
      steps--
    )
      await this.press('ArrowDown');
    await expect(wanted).toHaveClass(/ant-select-item-option-active/);
    await this.press('Enter');
    await expect(list).toHaveAttribute('aria-expanded', 'false');
  }

  /** A file through a button; the system's own dialog is not ours. */
  async file(button: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    // Before the way there: the browser needs a moment until it hands the dialog over.
    const chooser = this.page.waitForEvent('filechooser');
    await this.use(button);
    await (await chooser).setFiles(file);
  }

  /**
   * Opens a layer from a control, does something in it, closes it with Escape: the control has the focus
   * again.
   */
  async layer(
    opener: Locator,
    inside: (layer: Locator) => Promise<unknown> = async () => undefined,
    key = 'Enter',
  ): Promise<void> {
    await this.to(opener);
    await this.press(key);
    const layer = this.dialog().first();
    await expect(layer).toBeVisible();
    await expect
      .poll(
        () => layer.evaluate((el) => el.parentElement!.parentElement!.contains(document.activeElement)),
        'the focus is in the layer',
      )
      .toBe(true);
    await inside(layer);
    await this.press('Escape');
    await expect(layer).toBeHidden();
    await expect(opener).toBeFocused();
  }

  /**
   * Unsaved input in a layer asks for confirmation; Escape closes only the question, Enter on its button
   * discards.
   */
  async discard(layer: Locator): Promise<void> {
    const ask = this.dialog(UNSAVED);
    await this.press('Escape');
    await expect(ask).toBeVisible();
    await this.press('Escape');
    await expect(ask).toBeHidden();
    await expect(layer).toBeVisible();
    await this.press('Escape');
    await this.to(ask.getByRole('button', { name: 'Elvetés' }), 'Shift+Tab');
    await this.press('Enter');
    await expect(layer).toBeHidden();
  }

  /** Tab leaves nothing for good: it comes round to where it began. */
  async comesRound(): Promise<void> {
    await settled(this.page);
    await this.page.evaluate(() => {
      const seen = window as unknown as { round: boolean };
      seen.round = false;
      document.addEventListener('focusin', ({ target }) => {
        if ((target as Element).matches('.skip-link')) seen.round = true;
      });
    });
    // Lists grow while they are walked down.
    const state = () =>
      this.page.evaluate(() => ({
        round: (window as unknown as { round: boolean }).round,
        stops: document.querySelectorAll(
          'a[href], button:not(:disabled), input:not(:disabled), textarea, summary, [tabindex="0"]',
        ).length,
      }));
    for (let tabs = 1, most = Infinity; tabs <= most; tabs++) {
      await this.press('Tab');
      if (tabs % 25 > 0) continue;
      const { round, stops } = await state();
      if (round) return;
      most = stops + 5;
    }
    expect((await state()).round, 'Tab comes round').toBe(true);
  }
}

export interface Walk {
  screen: string;
  role: Role;
  /** Behind the screen's slug. */
  at?: (place: Place) => string;
  walk: (user: KeyboardUser) => Promise<void>;
}

/** One test per screen, each night: past the menu, its walk, and round. */
export function walkAll(test: typeof fixtures, walks: readonly Walk[]): void {
  for (const { screen, role, at, walk } of walks) {
    test.describe(screen, { tag: '@nightly' }, () => {
      test.use({ role });
      test(`${screen} by keyboard alone`, async ({ page, visit, service, place }) => {
        // Whether a provider is there is up to other tests.
        if (screen === 'sign_in_provider')
          await page.route('**/sign-in-provider', (route) => route.fulfill({ json: null }));
        await visit(screen, at?.(place));
        await settled(page);
        const user = new KeyboardUser(page, service, place);
        // Past the menu in one step.
        const skip = page.locator('.skip-link');
        await user.to(skip);
        await user.press('Enter');
        await expect(page.locator('#main')).toBeFocused();
        await walk(user);
        await user.comesRound();
      });
    });
  }
}
