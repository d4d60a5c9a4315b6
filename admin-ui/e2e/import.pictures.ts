import { readFileSync } from 'node:fs';
import { expect } from './fixtures.ts';
import { dress, looks, nameOf, picture, wanted } from './looks.ts';
import { test } from './new-restaurant.ts';

const BISTRO = readFileSync(new URL('../../platform/menu_import/tests/files/bistro.tsv', import.meta.url));

for (const look of looks.filter((one) => wanted(`menu_import_rehearsal-${nameOf(one)}`))) {
  const name = nameOf(look);
  test(`pictures of an import ${name}`, async ({ page, visit }) => {
    await dress(page, look);
    await visit('menu_import');
    const text = BISTRO.toString().replace('\t1390\n', '\tnapi ár\n').replace('Margherita', '');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bisztro.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await expect(
      page.locator('.page-title-line').getByText(look.language ? 'Rehearsed' : 'Próba kész'),
    ).toBeVisible();
    await picture(page, `menu_import_rehearsal-${name}`);
    await page.getByRole('button', { name: look.language ? 'Change' : 'Módosítás', exact: true }).click();
    await picture(page, `menu_import_columns-${name}`);
  });
}
