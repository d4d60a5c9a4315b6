import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { settled } from './fixtures.ts';

/** A list of 10,000 rows shows its first content within a second. */
export const ROWS = 10_000;
const TIMES = 5;

/** Runs statements as the database's owner; answers what the last one says. */
export function sql(text: string): string {
  const url = process.env.PULT_MEASURE_DATABASE_URL;
  if (!url)
    throw new Error(
      'PULT_MEASURE_DATABASE_URL: the database as its owner, for example postgres://postgres@127.0.0.1:5432/pult',
    );
  return execFileSync('psql', [url, '-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', text], {
    encoding: 'utf8',
  }).trim();
}

const median = (times: number[]) =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!);

/** Ms from `start` in the page's clock until the first row is painted. */
const firstRow = (page: Page, row: string, start: number) =>
  page.evaluate(
    ([selector, from]) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!document.querySelector(selector)) return false;
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
          return true;
        };
        if (look()) return;
        const observer = new MutationObserver(() => look() && observer.disconnect());
        observer.observe(document, { childList: true, subtree: true });
      }),
    [row, start] as const,
  );

/** One line of the table. */
interface Screen {
  what: string;
  rows: number;
  address: string;
  /** Selector of a row. */
  row: string;
  /** Another page, which has a link to the address. */
  from: string;
}

export const HEAD = '| list | rows | page opened | chosen by its link |\n|---|--:|--:|--:|\n';

/** Prints how long it takes until the first row is painted. */
export async function measure(page: Page, { what, rows, address, row, from }: Screen): Promise<void> {
  const [opened, chosen]: [number[], number[]] = [[], []];
  for (let n = 0; n <= TIMES; n++) {
    await page.goto(address, { waitUntil: 'commit' });
    const whole = await firstRow(page, row, 0);
    await settled(page);
    // From another screen, by its link: code and restaurant are there.
    await page.goto(from);
    await settled(page);
    const link = page.locator(`a[href$="${address.split('?')[0]}"]`).first();
    await link.waitFor();
    const start = await link.evaluate((el) => {
      const now = performance.now();
      (el as HTMLElement).click();
      return now;
    });
    const step = await firstRow(page, row, start);
    // The first round warms caches up.
    if (n > 0) {
      opened.push(whole);
      chosen.push(step);
    }
  }
  process.stdout.write(
    `| ${what} | ${rows.toLocaleString('en')} | ${median(opened)} ms | ${median(chosen)} ms |\n`,
  );
}

/**
 * Does something `TIMES` times and prints how long it took until `row` was painted; `act` answers when it
 * began, `again` goes back.
 */
export async function measureStep(
  page: Page,
  what: string,
  row: string,
  act: () => Promise<number>,
  again: () => Promise<void>,
): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n <= TIMES; n++) {
    const time = await firstRow(page, row, await act());
    if (n > 0) times.push(time);
    await again();
  }
  process.stdout.write(`| ${what} | ${median(times)} ms |\n`);
}

/** The page's clock. */
export const clock = (page: Page): Promise<number> => page.evaluate(() => performance.now());
