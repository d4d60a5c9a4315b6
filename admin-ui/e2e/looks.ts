import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, findings, settled } from './fixtures.ts';
import { shrink } from './shrink.ts';

/**
 * A folder to look at pictures in: then every width comes in both themes and languages, some for fingers, and
 * what is pictured is checked too.
 */
const LOOK = process.env.PULT_PICTURES;

/** Where pictures of screens are kept. */
const docs = new URL('../../docs/', import.meta.url);
const out = LOOK ? `${LOOK}/` : new URL('screens/', docs).pathname;
mkdirSync(out, { recursive: true });

/** Whether somebody looks at this picture: one of the documentation is there when a page of that shows it. */
const pages = LOOK
  ? ''
  : ['screens.md', 'onboarding.md'].map((page) => readFileSync(new URL(page, docs), 'utf8')).join('\n');
export const wanted = (name: string) => Boolean(LOOK) || pages.includes(`(screens/${name}.png)`);

export interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
  height: number;
  language?: 'en';
  touch?: true;
}

const DESK: Look = { colorScheme: 'light', width: 1440, height: 900 };
const sizes = [
  { width: DESK.width, height: DESK.height },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** Each language, width and theme with each other; for fingers in one theme of each width that knows them. */
const everyLook = (): Look[] =>
  ([undefined, 'en'] as const).flatMap((language) =>
    sizes.flatMap((size) =>
      (['light', 'dark'] as const).map((colorScheme): Look => {
        const touch = colorScheme === (size.width === 1024 ? 'light' : size.width === 390 && 'dark');
        return { colorScheme, ...size, ...(language && { language }), ...(touch && { touch }) };
      }),
    ),
  );

/** How each screen is pictured: desk in both themes, tablet, phone. */
export const looks: readonly [Look, ...Look[]] = LOOK
  ? [DESK, ...everyLook().slice(1)]
  : [
      DESK,
      { ...DESK, colorScheme: 'dark' },
      { colorScheme: 'light', width: 1024, height: 768 },
      { colorScheme: 'light', width: 390, height: 844 },
    ];

export const nameOf = (look: Look) =>
  [look.colorScheme, look.width, look.language, look.touch && 'touch'].filter(Boolean).join('-');

/** Makes a page look so. Before the first address is opened. */
export async function dress(page: Page, look: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: look.width, height: look.height });
  if (look.language) {
    const cookies = (await page.context().cookies()).filter((one) => one.name === 'pult_lang');
    await page.context().addCookies(cookies.map((one) => ({ ...one, value: look.language! })));
  }
  if (look.touch) await page.addInitScript(() => localStorage.setItem('pult.look', '{"density":"touch"}'));
}

/** The language's words of a screen; `{{name}}` in them stands for the value of that name. */
export const wordsOf =
  (look: Look, hu: Record<string, string>, en: Record<string, string>) =>
  (key: string, values: Record<string, string | number> = {}): string => {
    const text = (look.language === 'en' ? en : hu)[key];
    if (text === undefined) throw new Error(`no text ${key}`);
    return text.replace(/{{(\w+)}}/g, (_, name: string) => String(values[name]));
  };

/**
 * A picture of the stable page. Inputs that come with files of their own are waited for. Where all looks are
 * looked at, what is wrong with this one is told, and the walk goes on.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (!wanted(name)) return;
  await settled(page);
  await page.waitForTimeout(200);
  await settled(page);
  const shot = await page.screenshot();
  writeFileSync(`${out}${name}.png`, LOOK ? shot : shrink(shot));
  if (!LOOK) return;
  // What a bar that stays lies over comes into sight by scrolling.
  const found = (await findings(page)).filter(
    (text) => !/^target-size: [^|]*partially obscured[^|]*$/.test(text),
  );
  expect.soft(found, `${name}: axe`).toEqual([]);
  expect.soft(await tooWide(page), `${name}: wider than the window, or cut`).toEqual([]);
}

/** What is wider than the window, texts that something cuts, and words that do not fit their button. */
const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>();
    const over = document.documentElement.scrollWidth - innerWidth;
    if (over > 0) found.add(`the page by ${over} px`);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const OPENS = '.bar, .cat-under, .release-points';
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement!;
      const text = texts.currentNode.textContent!.trim();
      if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // Read out only, or with a way of its own to be read whole: by its title, or by what it opens.
      if (element.closest(`style, script, .sr-only, [aria-hidden=true], [title], ${OPENS}`)) continue;
      range.selectNodeContents(texts.currentNode);
      const box = range.getBoundingClientRect();
      if (box.width <= 1) continue;
      for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at);
        const edge = at.getBoundingClientRect();
        // Read out only.
        if (edge.width <= 1 && /hidden|clip/.test(overflowX)) break;
        const across = box.left < edge.left - 1 || box.right > edge.right + 1;
        const down = box.top < edge.top - 2 || box.bottom > edge.bottom + 2;
        if (/auto|scroll/.test(overflowX + overflowY)) {
          if (across && at.scrollWidth > at.clientWidth + 1)
            found.add(`scrolls sideways: ${at.className} (${text.slice(0, 60)})`);
          break;
        }
        if (/hidden|clip/.test(overflowX + overflowY) ? across || down : at.matches('button') && across) {
          found.add(`cut: ${text.slice(0, 60)} (in ${at.tagName} ${at.className})`);
          break;
        }
        if (position === 'fixed') break;
      }
    }
    return [...found];
  });
