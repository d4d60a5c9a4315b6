import { expect, expectAccessible, PASSWORD, settled, test } from './fixtures.ts';

test.describe.configure({ mode: 'serial' });

const PIN = String(Math.floor(10_000_000 + Math.random() * 89_999_999));

test('orders are exported behind the PIN', async ({ page, visit, service, place, expectConsole }) => {
  expectConsole(/403/);
  const own = `/api/v3/admin/partners/${place.partner}/pin`;
  expect((await service.put(own, { data: { pin: PIN, password: PASSWORD } })).status()).toBe(204);
  try {
    await visit('order_export');
    const mail = page.getByLabel('Kinek küldjük a linket');
    await expect(mail).not.toHaveValue('');
    await mail.fill('nem cím');
    await page.getByRole('button', { name: 'Export kérése' }).click();
    await expect(page.getByText('Ez nem e-mail-cím.')).toBeVisible();
    await expect(mail).toBeFocused();
    await mail.fill('konyvelo@example.invalid');
    // Days as pickers write them, and as other clients do.
    const first = async (day: string) => {
      await page.getByLabel('Első nap').fill(day);
      await page.keyboard.press('Enter');
    };
    await expect(page.getByLabel('Utolsó nap')).toHaveValue(/^\d{4}\/\d\d\/\d\d$/);
    await first('2020/01/01');
    await expect(page.getByLabel('Első nap')).toHaveValue('2020/01/01');
    await page.getByRole('button', { name: 'Export kérése' }).click();
    await expect(page.getByText('Legfeljebb 12 hónap exportálható egyszerre.')).toBeVisible();
    await first(new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10));
    await page.getByRole('button', { name: 'Export kérése' }).click();
    const ask = page.getByRole('dialog', { name: 'Rendelések exportja' });
    await expect(ask.getByText(/konyvelo@example.invalid/)).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    const pin = ask.getByLabel('PIN-kód');
    await pin.fill('1234');
    await page.keyboard.press('Enter');
    await expect(ask.getByText('Hibás PIN-kód')).toBeVisible();
    await expect(pin).toHaveValue('');
    await pin.fill(PIN);
    await page.keyboard.press('Enter');
    await expect(ask).toBeHidden();
    await expect(page.getByText('Elküldve').first()).toBeVisible({ timeout: 20_000 });
    await settled(page);
    await expectAccessible(page);
    // The tray of the top bar has it too.
    const tray = page.getByRole('button', { name: /^Háttérműveletek/ });
    await tray.click();
    const list = page.getByRole('list', { name: 'Háttérműveletek' });
    await expect(list.getByText(/^Elküldve ide: konyvelo@example\.invalid/).first()).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await expect(tray).toBeFocused();
  } finally {
    await service.delete(own);
  }
});

test(
  'all customers need no dates; without a PIN the page says where to set it',
  { tag: '@nightly' },
  async ({ page, visit, expectConsole }) => {
    expectConsole(/403/);
    await visit('customer_export');
    await page.getByRole('checkbox', { name: /Minden vendég/ }).check();
    await expect(page.getByLabel('Első nap')).toHaveCount(0);
    await page.getByRole('button', { name: 'Export kérése' }).click();
    const ask = page.getByRole('dialog', { name: 'Vendégek exportja' });
    await ask.getByLabel('PIN-kód').fill('4711');
    await page.keyboard.press('Enter');
    await expect(ask.getByText(/^Még nincs PIN-kódod\. /)).toBeVisible();
    await expect(ask.getByRole('link', { name: 'Állítsd be a fiókodban' })).toBeVisible();
    await settled(page);
    await expectAccessible(page);
  },
);
