import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { settled } from './fixtures.ts';
import { shrink } from './shrink.ts';

/**
 * A folder to look at pictures in: then every width comes in both themes and languages, and for fingers where
 * they are used.
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

/** How each screen is pictured: desk in both themes, tablet, phone. */
export const looks: readonly [Look, ...Look[]] = LOOK
  ? [
      { colorScheme: 'light', width: 1440, height: 900 },
      { colorScheme: 'dark', width: 1440, height: 900, language: 'en' },
      { colorScheme: 'light', width: 1024, height: 768, language: 'en', touch: true },
      { colorScheme: 'dark', width: 1024, height: 768 },
      { colorScheme: 'light', width: 390, height: 844 },
      { colorScheme: 'dark', width: 390, height: 844, language: 'en', touch: true },
    ]
  : [
      { colorScheme: 'light', width: 1440, height: 900 },
      { colorScheme: 'dark', width: 1440, height: 900 },
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

/**
 * A picture of the stable page. Inputs that come with files of their own are waited for.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (!wanted(name)) return;
  await settled(page);
  await page.waitForTimeout(200);
  await settled(page);
  writeFileSync(`${out}${name}.png`, shrink(await page.screenshot()));
}
