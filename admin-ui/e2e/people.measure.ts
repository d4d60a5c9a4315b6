import { execFileSync } from 'node:child_process';
import { expect, settled, test } from './fixtures.ts';
import { clock, HEAD, measure, measureStep, ROWS, sql } from './measuring.ts';
import { pathOf, slugFor } from './screens.ts';

/** Restaurants of the partner, and its groups. */
const MINE = 2_000;
const OPEN = '.ant-select-dropdown:not(.ant-select-dropdown-hidden)';
const FILL = new URL('people.fill.sql', import.meta.url).pathname;

test.use({ viewport: { width: 1440, height: 900 } });
test.describe.configure({ mode: 'default' });

test('fill', ({ place }) => {
  const schema = sql(`select role from control.partner where id = '${place.partner}'`);
  execFileSync('psql', [
    process.env.PULT_MEASURE_DATABASE_URL!,
    '-qX',
    '-v',
    'ON_ERROR_STOP=1',
    '-v',
    `partner=${place.partner}`,
    '-v',
    `restaurant=${place.restaurant}`,
    '-v',
    `schema=${schema}`,
    '-f',
    FILL,
  ]);
});

test('first rows of a company', async ({ page, place }) => {
  const list = (
    key: string,
    what: string,
    rows: number,
    row = `.row-link[href*="${slugFor(key)}/"]`,
    query = '',
  ) => {
    const address = pathOf(key, place.restaurant);
    return measure(page, {
      what,
      rows,
      address: `${address}${query}`,
      row,
      from: pathOf('api_keys', place.restaurant),
    });
  };
  process.stdout.write(HEAD);
  await list('users', 'Users', ROWS);
  await list('restaurant_groups', 'Restaurant groups', MINE);
  await list('audit', 'Audit log of a restaurant', ROWS, '.audit li');
});

test('a company of many restaurants', async ({ page, place, visit }) => {
  process.stdout.write('| step | until it is painted |\n|---|--:|\n');
  await visit('restaurant_groups');
  await settled(page);
  const group = sql(`select group_id from control.restaurant where id = '${place.restaurant}'`);
  const name = sql(
    `select name from ${sql(`select role from control.partner where id = '${place.partner}'`)}.restaurant_group where id = '${group}'`,
  );
  const pathname = new URL(page.url()).pathname;
  await page.goto(`${pathname}?q=${encodeURIComponent(name)}`);
  await measureStep(
    page,
    `Group of ${MINE} restaurants opened`,
    '.group-members li',
    async () => {
      const link = page.locator(`.row-link[href*="${group}"]`);
      await link.waitFor();
      const start = await clock(page);
      await link.click();
      return start;
    },
    async () => {
      await page.goto(`${pathname}?q=${encodeURIComponent(name)}`);
      await settled(page);
    },
  );
});

for (const role of ['partner', 'super'] as const) {
  test.describe(() => {
    test.use({ role });
    test(`selector as ${role}`, async ({ page, place, visit }) => {
      process.stdout.write(`| selector (${role}) | until it is painted |\n|---|--:|\n`);
      const selector = page.getByRole('combobox', { name: 'Étterem', exact: true });
      const shown = `${OPEN} .choice`;
      const fresh = async () => {
        await visit('couriers');
        await settled(page);
      };
      await fresh();
      await measureStep(
        page,
        'opened',
        shown,
        async () => {
          const start = await clock(page);
          await selector.click();
          return start;
        },
        fresh,
      );
      await selector.click();
      await page.locator(shown).first().waitFor();
      await measureStep(
        page,
        'three letters',
        `${OPEN} [title^="Zséb"]`,
        async () => {
          const start = await clock(page);
          await page.keyboard.type('zse');
          return start;
        },
        async () => {
          for (let n = 0; n < 3; n++) await page.keyboard.press('Backspace');
          await expect(page.locator(shown).first()).not.toContainText('Zséb');
          // Typing the same text again is no new search.
          await page.waitForTimeout(800);
        },
      );
      await fresh();
      const { restaurant } = place;
      await measureStep(
        page,
        'chosen: the address names it',
        'h1',
        async () => {
          await selector.click();
          await page.keyboard.type('zseb etterem 1999');
          await expect(page.locator(shown).first()).toContainText('1999');
          const start = await clock(page);
          await page.keyboard.press('Enter');
          await page.waitForURL((url) => !url.pathname.includes(restaurant));
          return start;
        },
        fresh,
      );
    });
  });
}

test.describe(() => {
  test.use({ role: 'super' });
  test('first rows of the platform', async ({ page }) => {
    process.stdout.write(HEAD);
    const list = (key: string, what: string, row: string) =>
      measure(page, {
        what,
        rows: ROWS,
        address: `/platform/${slugFor(key)}`,
        row,
        from: pathOf(key === 'partners' ? 'jobs' : 'partners', ''),
      });
    await list('partners', 'Partners', '.row-link');
    await list('jobs', 'Jobs', '.row-link');
    await list('restaurant_switches', 'Restaurant switches', '.row-link');
    await list('audit', 'Audit log of the platform', '.audit li');
  });
});
