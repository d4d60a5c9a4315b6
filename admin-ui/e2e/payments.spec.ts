import { expect, expectAccessible, settled, test } from './fixtures.ts';

test('payment methods are switched, and taken back', async ({ page, visit }) => {
  await visit('payment_methods_web');
  const cash = page.getByRole('switch', { name: 'Készpénz' }).first();
  await expect(cash).toBeChecked();
  await expect(cash).toBeDisabled();
  // The demo restaurant has accounts at the stand-ins, so cards are taken online.
  const online = page.getByRole('switch', { name: 'Online bankkártya' });
  await expect(online).toBeChecked();
  await expect(online).toBeEnabled();
  const card = page.getByRole('switch', { name: 'Bankkártya', exact: true });
  const before = await card.isChecked();
  await card.click();
  await expect(card).toBeChecked({ checked: !before });
  await page.getByRole('button', { name: 'Visszavonás' }).first().click();
  await expect(card).toBeChecked({ checked: before });
  // The till has its own switch.
  await card.click();
  await expect(card).toBeChecked({ checked: !before });
  await settled(page);
  await visit('payment_methods_pos');
  const atTill = page.getByRole('switch', { name: 'Bankkártya', exact: true }).first();
  await expect(atTill).toBeChecked({ checked: before });
  await visit('payment_methods_web');
  await card.click();
  await expect(card).toBeChecked({ checked: before });
  await visit('payment_methods_pos');
  const balance = page.getByRole('switch', { name: 'Egyenleg' }).first();
  await expect(balance).toBeDisabled();
  await expect(balance).not.toBeChecked();
  await expectAccessible(page);
});

test(
  'the account of a provider is kept without its secret ever coming back',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    await visit('payment_methods_web');
    const box = page.locator('details', { hasText: 'SimplePay · bankkártya · HUF' });
    // The demo restaurant has one already.
    await box.locator('summary').click();
    await box.getByRole('button', { name: 'Fiók törlése' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fiók törlése' }).click();
    await expect(box).toHaveCount(0);
    await page.locator('summary', { hasText: 'Fiók hozzáadása' }).click();
    await page.getByLabel('Kereskedői azonosító').fill('PULTHUF');
    await page.getByLabel('Titkos kulcs', { exact: true }).fill('titok-4711');
    await page.getByRole('button', { name: 'Fiók hozzáadása' }).click();
    await expect(box.getByText('Elutasítva')).toBeVisible();
    await page.reload();
    await settled(page);
    await box.locator('summary').click();
    await expect(box.getByLabel('Kereskedői azonosító')).toHaveValue('PULTHUF');
    await expect(box.getByLabel('Titkos kulcs', { exact: true })).toHaveValue('');
    await expect(box.getByText('Van mentett kulcs.')).toBeVisible();
    await expectAccessible(page);
    await box.getByLabel('Titkos kulcs', { exact: true }).fill('StandInKeyHuf0123456789abcdefghi');
    await box.getByRole('button', { name: 'Mentés' }).click();
    await expect(box.getByText('Ellenőrizve')).toBeVisible();
    await expect(page.getByRole('switch', { name: 'Online bankkártya' })).toBeEnabled();
    await box.getByRole('button', { name: 'Fiók törlése' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Fiók törlése' }).click();
    await expect(box).toHaveCount(0);
  },
);

test('the rate of the euro saves itself', { tag: '@nightly' }, async ({ page, visit }) => {
  await visit('payment_methods_pos');
  const rate = page.getByLabel('Egy euró ára');
  await rate.fill('0');
  await expect(page.getByText('Nullánál nagyobb szám legyen')).toBeVisible();
  await rate.fill('397,25');
  await expect(page.getByText('Sikeres mentés')).toBeVisible();
  await page.reload();
  await settled(page);
  await expect(page.getByLabel('Egy euró ára')).toHaveValue('397,25');
  await page.getByLabel('Egy euró ára').fill('350');
  await expect(page.getByText('Sikeres mentés')).toBeVisible();
});

test('a restaurant connects, chooses a store, gives a till its terminal, and leaves', async ({
  page,
  visit,
}) => {
  await visit('terminals');
  await page.getByRole('button', { name: 'Összekapcsolás' }).click();
  // The company's page, in the same window: first somebody thinks better of it.
  await page.getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByText('nem engedélyezték a hozzáférést')).toBeVisible();
  await page.getByRole('button', { name: 'Összekapcsolás' }).click();
  // Back on our page, a reading that began before the connection was finished arrives after it.
  await page.route(/\/teya$/, async (route) => {
    const response = await route.fetch();
    await finished;
    await route.fulfill({ response }).catch(() => undefined);
  });
  const finished = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/teya/oauth'),
  );
  await page.getByRole('button', { name: 'Agree' }).click();
  await finished;
  await settled(page);
  await page.unroute(/\/teya$/);
  await expect(page.getByText('Összekapcsolva', { exact: true })).toBeVisible();
  expect(new URL(page.url()).search, 'nothing of the way back stays in the address').toBe('');
  await page.getByRole('radio', { name: /Belvárosi üzlet/ }).check();
  await page.getByRole('button', { name: 'Ez az üzlet legyen' }).click();
  await expect(page.getByText('SN-2240-1002')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Új terminálséma' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('combobox', { name: /^Terminál/ }).fill('T');
  await drawer.getByRole('button', { name: 'Mentés', exact: true }).click();
  await expect(drawer.getByText('Válassz felhasználót vagy kioszkot!')).toHaveCount(2);
  await drawer.getByLabel('Felhasználó').click();
  await page.locator('.ant-select-item-option').first().click();
  await drawer.getByLabel('Típus').click();
  await page.locator('.ant-select-item-option', { hasText: 'Teya' }).click();
  await drawer.getByRole('combobox', { name: /^Terminál/ }).fill('');
  await drawer.getByRole('combobox', { name: /^Terminál/ }).click();
  await page.locator('.ant-select-item-option', { hasText: 'Pult 2' }).click();
  await drawer.getByRole('button', { name: 'Mentés', exact: true }).click();
  const row = page.getByRole('row', { name: /Pult 2/ });
  await expect(row).toContainText('Teya');
  await row.getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'További műveletek' }).click();
  await page.getByRole('menuitem', { name: 'Törlés' }).click();
  await page
    .getByRole('dialog', { name: /^Törlöd ezt/ })
    .getByRole('button', { name: 'Törlés' })
    .click();
  await expect(row).toHaveCount(0);

  await page.getByRole('button', { name: 'Kijelentkezés' }).last().click();
  await page
    .getByRole('dialog', { name: /Kijelentkezel a Teya/ })
    .getByRole('button', { name: 'Kijelentkezés' })
    .click();
  await expect(page.getByText('Nincs összekapcsolva')).toBeVisible();
});
