import type { Page } from '@playwright/test';
import { cuttable } from './cut.ts';
import { expectAccessible, settled, smallTargets } from './fixtures.ts';
import { expect, type Shop, test } from './fresh-orders/shop.ts';

// They share the orders of one restaurant, and send some themselves.
test.describe.configure({ mode: 'default' });

/** A guest whom no other test knows. */
const guest = () => `Régi${Math.random().toString(36).slice(2, 9)}`;
const rows = (page: Page) => page.locator('.previous-list .row-link');
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const tags = (page: Page) => page.getByRole('list', { name: 'Amire szűrtél:' }).getByRole('button');

async function filterByName(page: Page, name: string) {
  await field(page, 'Keresés a rendelésekben').fill(name);
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('button', { name: `Szűrő törlése: Keresés a rendelésekben: ${name}` }),
  ).toBeVisible();
}

/** A key may call twenty times in a second. */
const PAUSE_MS = 60;

async function sendMany(shop: Shop, number: number, name: string) {
  const sent: Awaited<ReturnType<Shop['send']>>[] = [];
  while (sent.length < number) {
    sent.push(await shop.send({ last_name: name }));
    await new Promise((over) => setTimeout(over, PAUSE_MS));
  }
  return sent;
}

test('orders are found page by page, opened, and the list is where it was left', async ({
  page,
  visit,
  shop,
}) => {
  test.setTimeout(120_000);
  const name = guest();
  const sent = await sendMany(shop, 43, name);
  const sum = sent.reduce((all, order) => all + order.total_price, 0);
  await visit('previous_orders');
  await filterByName(page, name);
  await expect(page.getByText('40 / 43')).toBeVisible();
  // Who a guest is stands in no address.
  expect(page.url()).not.toContain(name);
  const sums = page.getByRole('region', { name: 'Összesítés' });
  await expect(sums.getByText('43', { exact: true })).toBeVisible();
  await expect(sums.getByText(`${new Intl.NumberFormat('hu-HU').format(sum)} Ft`)).toBeVisible();

  await page.getByRole('button', { name: 'Továbbiak' }).click();
  await expect(page.getByText('43 / 43')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Továbbiak' })).toHaveCount(0);
  // The first of those that it brought has the focus, which a component test proves: here orders of other tests may
  // come in the same moment.
  await rows(page).nth(40).focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(41)).toBeFocused();
  const number = await rows(page).nth(41).innerText();
  const top = await page.evaluate(() => scrollY);
  expect(top).toBeGreaterThan(500);

  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(number);
  await page.getByRole('button', { name: 'Vissza', exact: true }).click();
  await expect(page.getByText('43 / 43')).toBeVisible();
  await expect(rows(page).nth(41)).toBeFocused();
  expect(Math.abs((await page.evaluate(() => scrollY)) - top)).toBeLessThan(3);

  await page.getByRole('button', { name: 'Alaphelyzet' }).click();
  await expect(tags(page)).toHaveCount(0);
  await expect(field(page, 'Keresés a rendelésekben')).toHaveValue('');
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect(tags(page)).toHaveCount(0);
});

test(
  'a link shows what it says, tags go one by one, and faults stand at their fields',
  { tag: '@nightly' },
  async ({ page, visit, shop, expectConsole }) => {
    expectConsole(/422/);
    const name = guest();
    const { id } = await shop.send({ last_name: name });
    await visit('previous_orders');
    const bare = page.url();
    await page.goto(`${bare}?id=${id}&storno=except&from=2020-01-01&till=2020-01-31`);
    await expect(page.getByText('Nincs találat')).toBeVisible();
    await expect(tags(page)).toHaveText([
      'Rendelés ideje: 2020/01/01 – 2020/01/31',
      `Azonosító: …${id.slice(-6)}`,
      'Sztornó: Sztornózottak nélkül',
    ]);
    await page.getByRole('button', { name: /^Szűrő törlése: Rendelés ideje/ }).click();
    await expect(page.getByText('1 / 1')).toBeVisible();
    await expect(page).toHaveURL(`${bare}?id=${id}&storno=except`);
    await expect(field(page, 'Első nap')).toHaveValue('');

    // Kept for the next time.
    await page.goto(bare);
    await expect(page).toHaveURL(`${bare}?id=${id}&storno=except`);
    await expect(page.getByText('1 / 1')).toBeVisible();
    const more = page.getByRole('button', { name: 'Szűrők (2)' });
    await more.click();
    await expect(more).toHaveAttribute('aria-expanded', 'true');
    await expect(page.locator('.previous-more').getByText('Sztornózottak nélkül')).toBeVisible();

    await field(page, 'Telefonszám').fill('12');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'Legalább 4' })).toBeVisible();
    await expect(field(page, 'Telefonszám')).toBeFocused();
    await expect(page.getByText('1 / 1')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await field(page, 'Telefonszám').fill('');
    await page.getByRole('button', { name: 'Ma', exact: true }).click();
    await expect(tags(page)).toHaveCount(3);
    await page.getByRole('switch', { name: 'Időponttal' }).click();
    await expect(field(page, 'Mikortól')).toHaveValue(/^\d{4}\/\d\d\/\d\d \d\d:\d\d$/);
    await page.getByRole('button', { name: 'Keresés', exact: true }).click();
    await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\dT/);
    await expect(page.getByText('1 / 1')).toBeVisible();

    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.locator('.list-cards')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Szűrők (3)' })).toHaveAttribute('aria-expanded', 'false');
    await settled(page);
    await expectAccessible(page);
    expect(await smallTargets(page)).toEqual([]);
  },
);

test(
  'what happens meanwhile changes rows in place, and new orders wait',
  { tag: '@nightly' },
  async ({ page, visit, shop, service, place }) => {
    const name = guest();
    const [first, second] = await sendMany(shop, 2, name);
    await visit('previous_orders');
    await filterByName(page, name);
    await expect(rows(page)).toHaveCount(2);
    const before = await rows(page).allInnerTexts();

    const third = await shop.send({ last_name: name });
    const news = page.getByRole('button', { name: '1 új sor – megmutatom' });
    await expect(news).toBeVisible();
    const refused = { data: { reason: 'test' } };
    expect((await service.put(`${place.api}/orders/${first!.id}/archive`, refused)).status()).toBe(200);
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="${first!.id}"]`) });
    await expect(row.getByText('Sztornó', { exact: true })).toBeVisible();
    expect((await rows(page).allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(before);
    await expect(page.getByText('Ebből sztornó')).toBeVisible();

    await news.click();
    await expect(rows(page)).toHaveCount(3);
    await expect(rows(page).first()).toHaveAttribute('href', new RegExp(third.id));
    await page
      .getByRole('button', { name: new RegExp(`^Műveletek: ${second!.counter}\\.? rendelés$`) })
      .click();
    await page.getByRole('menuitem', { name: 'Elutasítás…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Próbarendelés' }).check();
    await dialog.getByRole('button', { name: 'Elutasítás' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('row').getByText('Sztornó', { exact: true })).toHaveCount(2);
  },
);

test(
  'a cut connection misses nothing and doubles nothing',
  { tag: '@nightly' },
  async ({ page, visit, shop }) => {
    const line = await cuttable(page);
    const name = guest();
    const { id } = await shop.send({ last_name: name });
    await visit('previous_orders');
    await filterByName(page, name);
    await expect(rows(page)).toHaveCount(1);
    await line.live();

    await line.cut();
    await shop.send({ last_name: name });
    await shop.accept(id);
    await shop.send({ last_name: name });
    await line.mend();
    await page.getByRole('button', { name: '2 új sor – megmutatom' }).click();
    await expect(rows(page)).toHaveCount(3);
    await expect(page.getByRole('button', { name: /^Műveletek: / })).toHaveCount(3);
  },
);

test(
  'a filter is kept under a name, renamed, picked, and deleted with a way back',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const name = `Szűrő ${guest()}`;
    const menu = () => page.getByRole('button', { name: 'Mentett szűrők' }).click();
    await visit('previous_orders');
    await page.goto(`${page.url()}?storno=only&from=2020-01-01`);
    await menu();
    await page.getByRole('menuitem', { name: 'A mostani mentése…' }).click();
    await page.getByLabel('A szűrő neve').fill(name);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('button', { name: 'Alaphelyzet' }).click();
    await expect(tags(page)).toHaveCount(0);
    await menu();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await expect(tags(page)).toHaveText(['Rendelés ideje: 2020/01/01 – …', 'Sztornó: Csak sztornózottak']);

    await menu();
    await page.getByRole('menuitem', { name: 'Átnevezés, törlés…' }).click();
    await page.getByRole('button', { name: `Átnevezés: ${name}` }).click();
    await page.getByLabel('A szűrő neve').fill(`${name} 2`);
    await page.keyboard.press('Enter');
    const remove = page.getByRole('button', { name: `Törlés: ${name} 2` });
    await settled(page);
    await expectAccessible(page);
    await remove.click();
    await expect(remove).toHaveCount(0);
    await page.getByRole('button', { name: 'Visszavonás' }).click();
    await expect(remove).toBeVisible();
    const mine = (await (await service.get(`${place.api}/order-filters`)).json()) as {
      id: string;
      name: string;
    }[];
    for (const one of mine.filter((row) => row.name.startsWith(name)))
      await service.delete(`${place.api}/order-filters/${one.id}`);
  },
);
