import { readFileSync } from 'node:fs';
import { Menu } from './catalogue-menu.ts';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test as inNewRestaurant } from './new-restaurant.ts';

interface Order {
  id: string;
  archive_reason_name: string | null;
  archive_reason_text: string | null;
  items: { id: string }[];
}
interface Till {
  menu: Menu;
  /** Two soups of 1,800 Ft. */
  order: (accepted: boolean) => Promise<Order>;
  read: (id: string) => Promise<Order>;
}

const test = inNewRestaurant.extend<{ till: Till }>({
  till: async ({ service, place }, use) => {
    const menu = new Menu(service, place);
    const category = await menu.category('Ebéd');
    const soup = await menu.product(category.id, 'Gulyásleves', { base_price: 1800 });
    await menu.takes('cash');
    const read = (id: string) => menu.get<Order>(`orders/${id}`);
    await use({
      menu,
      read,
      order: async (accepted) => {
        const id = await menu.order([{ subproduct_id: soup.subproducts[0]!.id, quantity: 2 }], {
          pickup: true,
        });
        if (accepted) await menu.put(`orders/${id}/accept`, {});
        return read(id);
      },
    });
    await menu.clear();
  },
});

/** The service's numbers have spaces that do not break. */
const ft = (amount: string) => new RegExp(`${amount.replace(' ', '\\s')}\\sFt`);

test('own reasons are offered and kept, and the report counts them by person and reason', async ({
  page,
  visit,
  till,
  expectConsole,
}) => {
  test.setTimeout(180_000);
  // A reason that is gone is refused.
  expectConsole(/422/);
  await visit('storno_report');
  await expect(page.getByText('Ezeken a napokon nem volt sztornó')).toBeVisible();
  await settled(page);
  await expectAccessible(page);

  const reason = (name: string, part: object) => till.menu.post('storno-reasons', { name, ...part });
  await reason('Elromlott a kemence', { used_for: 'refusal', name_sec_lang: 'The oven is broken' });
  await reason('Rossz tétel ment ki', { used_for: 'pieces', text_required: true });
  await reason('Elment a vendég', { used_for: 'storno', text_required: true });
  const [refused, stornoed] = [await till.order(false), await till.order(true)];

  await test.step('an order is refused for an own reason', async () => {
    await visit('order_page', refused.id);
    await page.getByRole('button', { name: 'Elutasítás' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('radio')).toHaveCount(1);
    await settled(page);
    await expectAccessible(page, '[role=dialog]');
    await dialog.getByRole('radio', { name: 'Elromlott a kemence' }).check();
    await dialog.getByRole('button', { name: 'Elutasítás' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('alert').filter({ hasText: 'Elromlott a kemence' })).toBeVisible();
    expect(await till.read(refused.id)).toMatchObject({ archive_reason_name: 'Elromlott a kemence' });
  });

  await test.step('pieces are taken back for one that asks for words', async () => {
    await visit('order_page', stornoed.id);
    await page.getByRole('button', { name: 'Tételek visszavétele' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Rossz tétel ment ki' }).check();
    await dialog.getByRole('button', { name: 'Több: Gulyásleves' }).click();
    await dialog.getByRole('button', { name: 'Visszavétel' }).click();
    await expect(dialog.getByText('Írd le, mi az oka!')).toBeVisible();
    await dialog.getByLabel('Megjegyzés').fill('Halászlé kellett volna');
    await dialog.getByRole('button', { name: 'Visszavétel' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Rossz tétel ment ki: Halászlé kellett volna')).toBeVisible();
  });

  await test.step('a reason that was archived meanwhile', async () => {
    const gone = await reason('Mégsem ez', { used_for: 'storno' });
    await visit('order_page', stornoed.id);
    await page.getByRole('button', { name: 'Sztornó', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Mégsem ez' }).check();
    await till.menu.put(`storno-reasons/${gone.id}`, { active: false });
    await dialog.getByRole('button', { name: 'Sztornó' }).click();
    await expect(dialog.getByText('Ezt az okot közben kivették. Válassz másikat!')).toBeVisible();
    await expect(dialog.getByRole('radio', { name: 'Mégsem ez' })).toHaveCount(0);
    await expect(dialog.getByRole('radio', { name: 'Rossz tétel ment ki' }), 'one of pieces').toHaveCount(0);
    await dialog.getByRole('radio', { name: 'Elment a vendég' }).check();
    await dialog.getByLabel('Megjegyzés').fill('Nem várt tovább');
    await dialog.getByRole('button', { name: 'Sztornó' }).click();
    await expect(dialog).toBeHidden();
  });

  await visit('storno_report');
  const sums = page.getByRole('region', { name: 'Összesítés' });
  await expect(sums).toContainText(ft('7 200'));
  await expect(sums).toContainText('3 alkalom');
  const turns = page.locator('.storno-report-turn');
  await expect(turns).toHaveCount(1);
  await turns.focus();
  await page.keyboard.press('Enter');
  await expect(turns).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('row', { name: /^Elromlott a kemence/ })).toContainText(ft('3 600'));
  await settled(page);
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Letöltés (CSV)' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(file.split('\r\n')).toHaveLength(4);
  expect(file).toContain('"Tételek visszavéve";"Rossz tétel ment ki";"1";"1800"');

  await page.getByRole('button', { name: 'Okonként' }).click();
  await expect(turns).toHaveText(['Elromlott a kemence', 'Elment a vendég', 'Rossz tétel ment ki']);
  await page.getByRole('button', { name: 'Ma', exact: true }).click();
  await expect(page).toHaveURL(/by=reason&from=(\d{4}-\d\d-\d\d)&till=\1$/);
  const address = page.url();
  await page.reload();
  await expect(turns).toHaveText(['Elromlott a kemence', 'Elment a vendég', 'Rossz tétel ment ki']);
  await expect(page.getByRole('button', { name: 'Ma', exact: true })).toHaveAttribute('aria-pressed', 'true');

  await page.getByRole('link', { name: /^Ezeknek a napoknak a sztornózott rendelései: Elromlott/ }).click();
  await expect(page.getByRole('list', { name: 'Amire szűrtél:' })).toContainText('Csak sztornózottak');
  // The pieces of the cancelled order are a row of their own.
  await expect(page.locator('.previous-list .row-link')).toHaveCount(3);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(turns.first()).toBeVisible();

  for (const width of [768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await expectAccessible(page);
    expect(await smallTargets(page)).toEqual([]);
  }
  await turns.first().click();
  await expect(page.locator('.storno-report-parts')).toContainText(ft('3 600'));

  await page.getByLabel('Utolsó nap').fill('2020/01/01');
  await page.getByLabel('Utolsó nap').press('Enter');
  await expect(page.getByText('A vége nem lehet az eleje előtt.')).toBeVisible();
});
