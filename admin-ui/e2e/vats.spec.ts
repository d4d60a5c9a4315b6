import { expect, expectAccessible, settled, test } from './fixtures.ts';

test.use({ role: 'super' });

test(
  'a VAT rate is added, renamed, looked up in its history and archived',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    const name = `Próbakulcs ${Math.random().toString(36).slice(2, 8)}`;
    await visit('vats');
    await expect(page.getByRole('link', { name: 'Általános kulcs' })).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Új áfakulcs' }).click();
    const drawer = page.getByRole('dialog', { name: 'Új áfakulcs' });
    await drawer.getByLabel('Helyi név').fill(name);
    await drawer.getByLabel('Angol név').fill('Trial rate');
    await drawer.getByLabel('Százalék').fill('3,5');
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole('row', { name: new RegExp(`${name}.*3,5`) })).toBeVisible();

    await page.getByRole('link', { name }).click();
    const editor = page.getByRole('dialog', { name });
    await expect(editor.getByLabel('Százalék')).toBeDisabled();
    await editor.getByLabel('Angol név').fill('Trial rate 2');
    await page.keyboard.press('Control+s');
    await expect(editor).toHaveCount(0);

    await page.getByRole('link', { name }).click();
    await editor.getByRole('button', { name: 'Előzmények' }).click();
    await expect(page.getByRole('dialog').getByText('Trial rate 2')).toBeVisible();
    await page.keyboard.press('Escape');
    await editor.getByRole('button', { name: 'További' }).click();
    await page.getByRole('menuitem', { name: 'Kivezetés' }).click();
    await page
      .getByRole('dialog', { name: /Kivezeted/ })
      .getByRole('button', { name: 'Kivezetés' })
      .click();
    await expect(page.getByText(`Kivezetve: ${name}`)).toBeVisible();
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  },
);
