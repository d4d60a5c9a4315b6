import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import { picture } from './looks.ts';

// What the pictures of points share: each state that a screen has besides the one it opens with.

export const HISTORY = /^(Előzmények|History)$/;
export const SAVE = /^(Mentés|Save)$/;

export type Row = { id: string; name: string };
export const rowsOf = async <T = Row>(service: APIRequestContext, path: string): Promise<T[]> =>
  (await service.get(path)).json();
export const done = async (answer: ReturnType<APIRequestContext['put']>): Promise<Row> => {
  const got = await answer;
  expect(got.ok(), `${got.url()} ${await got.text()}`).toBe(true);
  return (got.status() === 204 ? {} : await got.json()) as Row;
};

/** What somebody has not read yet would lie over the page. */
export const nothingNew = (context: BrowserContext) =>
  context.route(/\/admin\/announcements(\?|$)|\/release-infos\?show_only_news=true/, (route) =>
    route.fulfill({ json: [] }),
  );

export const dialogOf = (page: Page): Locator => page.getByRole('dialog').last();
export const close = async (page: Page) => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};
/** So that a picture shows what it is taken for. */
export const into = (what: Locator) =>
  what.evaluate((element) => element.scrollIntoView({ block: 'center' }));

/** The button of the page, or of the drawer over it. */
export async function historyOf(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: HISTORY }).last().click();
  await expect(dialogOf(page).locator('.audit, .state').first()).toBeVisible();
  await picture(page, name);
  for (let open = await page.getByRole('dialog').count(); open > 0; open -= 1)
    await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
