import { readFileSync } from 'node:fs';
import { expect, expectAccessible, settled } from './fixtures.ts';
import { test } from './new-restaurant.ts';

// One after the other: they write into one menu.
test.describe.configure({ mode: 'serial' });

/**
 * Old Excel, with other headings, merged titles and prices as people write them: the file of the service's
 * own tests.
 */
const WINTER = readFileSync(new URL('../../platform/sheets/tests/files/winter.xls', import.meta.url));
/** A price list with a column for each size: the file of the service's own tests. */
const PIZZERIA = readFileSync(
  new URL('../../platform/menu_import/tests/files/pizzeria.csv', import.meta.url),
);
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const csv = (text: string) => ({ name: 'javitando.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('a real xlsx: the template is rehearsed, applied and undone', async ({
  page,
  visit,
  service,
  place,
}) => {
  const template = await service.get(`${place.api}/menu-imports/template`, {
    headers: { 'Accept-Language': 'hu' },
  });
  expect(template.status()).toBe(200);
  await visit('menu_import');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'etlap-minta.xlsx', mimeType: XLSX, buffer: await template.body() });
  await expect(page.getByRole('heading', { level: 1, name: 'etlap-minta.xlsx' })).toBeVisible();
  await expect(page.getByText('Próba kész')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Gulyásleves' })).toBeVisible();
  expect(await (await service.get(`${place.api}/product-categories`)).json()).toEqual([]);
  await settled(page);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Beírás az étlapra' }).click();
  const ask = page.getByRole('dialog', { name: 'Beírod az étlapra?' });
  await expect(
    ask.getByText('5 új termék, 9 új méret, 5 új kategória, 2 új opciócsoport, 4 új opció.'),
  ).toBeVisible();
  await ask.getByRole('button', { name: 'Beírás az étlapra' }).click();
  await expect(page.getByText('Beírva', { exact: true })).toBeVisible();
  expect(await (await service.get(`${place.api}/product-categories`)).json()).toHaveLength(5);
  await settled(page);
  await expectAccessible(page);

  await page.reload();
  await page.getByRole('button', { name: 'Visszavonás' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Visszavonás' }).click();
  await expect(page.getByText('Visszavonva', { exact: true })).toBeVisible();
  expect(await (await service.get(`${place.api}/product-categories`)).json()).toEqual([]);
});

test('faulty rows are shown, downloaded, and left out on purpose only', async ({ page, visit }) => {
  await visit('menu_import');
  await page
    .locator('input[type=file]')
    .setInputFiles(
      csv(
        'Kategória;Név;Ár;Áfa\nLevesek;Bableves;900;27\nLevesek;Lencse;sok;26\n;;;\nLevesek;Bableves;1200;27\n',
      ),
    );
  await expect(page.getByRole('heading', { name: '3 hiba 2 sorban' })).toBeVisible();
  await expect(page.getByRole('row', { name: /3 C Ár sok/ })).toBeVisible();
  await expect(page.getByText('Ugyanez áll ebben a sorban is: 2.')).toBeVisible();
  const write = page.getByRole('button', { name: 'Beírás az étlapra' });
  await expect(write).toBeDisabled();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Hibák letöltése' }).click(),
  ]);
  expect(readFileSync((await file.path())!, 'utf8')).toContain('"3";"C";"Ár";"sok"');
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: /hibás sorok maradjanak ki/ }).click();
  await expect(write).toBeEnabled();
});

test(
  'other headings and merged titles are understood; columns can be changed',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    await visit('menu_import');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'teli.xls', mimeType: 'application/vnd.ms-excel', buffer: WINTER });
    await expect(page.getByRole('cell', { name: '1 490 Ft' })).toBeVisible();
    await page.getByRole('button', { name: 'Módosítás' }).click();
    await expect(page.getByText('Húsleves · Gyümölcsleves · Túrógombóc')).toBeVisible();
    // Typed, because a long list shows only what fits around the choice.
    await page.getByRole('combobox', { name: 'D oszlop tartalma' }).fill('Kimarad');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Próba ezekkel az oszlopokkal' }).click();
    await expect(page.getByText('Nem ismertük fel, melyik oszlop ez: Ár.')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
  },
);

test(
  'prices by size in columns, and columns that are left out, named',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    await visit('menu_import');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'pizzeria.csv', mimeType: 'text/csv', buffer: PIZZERIA });
    await expect(page.getByText('20 új termék, 45 új méret, 3 új kategória.')).toBeVisible();
    await expect(page.getByRole('row', { name: /Margherita · 30cm 2 190 Ft/ })).toBeVisible();
    const unused = page.getByRole('alert').filter({ hasText: '2 oszlop kimarad.' });
    await expect(unused).toContainText('C · Feltét: paradicsomszósz, mozzarella, bazsalikom');
    await expect(unused).toContainText('H · Megjegyzés a konyhának');
    // The toppings are the description; another name for a size.
    await page.getByRole('button', { name: 'Módosítás' }).click();
    await page.getByRole('combobox', { name: 'C oszlop tartalma' }).fill('Leírás');
    await page.keyboard.press('Enter');
    const size = page.getByRole('textbox', { name: 'D oszlop mérete' });
    await expect(size).toHaveValue('30cm');
    await size.fill('30 cm');
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Próba ezekkel az oszlopokkal' }).click();
    await expect(page.getByText('Egy oszlop kimarad.')).toBeVisible();
    await page.getByRole('button', { name: 'Beírás az étlapra' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Beírás az étlapra' }).click();
    await expect(page.getByText('Beírva', { exact: true })).toBeVisible();
    const menu = await (await service.get(`${place.api}/product-categories?all_products=true`)).json();
    expect(menu[0].products[0]).toMatchObject({
      name: 'Margherita',
      description: 'paradicsomszósz, mozzarella, bazsalikom',
      subproducts: [
        { name: '30 cm', price: 2190 },
        { name: '40cm', price: 3290 },
        { name: '50cm', price: 4990 },
      ],
    });
    await page.getByRole('button', { name: 'Visszavonás' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Visszavonás' }).click();
    await expect(page.getByText('Visszavonva', { exact: true })).toBeVisible();
    expect(await (await service.get(`${place.api}/product-categories`)).json()).toEqual([]);
  },
);

test(
  'options alone are rehearsed, written and taken back',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    await visit('menu_import');
    await page
      .locator('input[type=file]')
      .setInputFiles(csv('Opciócsoport;Választható;Opció;Felár\nSzósz;egy;Ketchup;0\n;;Mustár;sok\n'));
    await expect(page.getByText(/csak opciókat hoz/)).toBeVisible();
    await expect(page.getByRole('row', { name: /3 D Ár sok/ })).toBeVisible();
    let opened: () => void = () => undefined;
    const open = new Promise<void>((resolve) => (opened = resolve));
    await page.route(/menu-imports\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT') await open;
      await route.continue();
    });
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('checkbox', { name: /hibás sorok maradjanak ki/ }).click();
    await page.getByRole('button', { name: 'Módosítás' }).click();
    opened();
    await saved;
    await settled(page);
    await expect(page.getByRole('combobox', { name: 'C oszlop tartalma' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Beírás az étlapra' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Beírás az étlapra' }).click();
    await expect(page.getByText('Beírva', { exact: true })).toBeVisible();
    expect(await (await service.get(`${place.api}/option-groups`)).json()).toMatchObject([{ name: 'Szósz' }]);
    await page.getByRole('button', { name: 'Visszavonás' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Visszavonás' }).click();
    await expect(page.getByText('Visszavonva', { exact: true })).toBeVisible();
    expect(await (await service.get(`${place.api}/option-groups`)).json()).toEqual([]);
  },
);

test(
  'a file that is no table is refused with a reason',
  { tag: '@nightly' },
  async ({ page, visit, expectConsole }) => {
    expectConsole(/415/);
    await visit('menu_import');
    await page.locator('input[type=file]').setInputFiles({
      name: 'kep.xlsx',
      mimeType: XLSX,
      buffer: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    });
    await expect(page.getByRole('alert').first()).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    await expectAccessible(page);
  },
);
