import { expect, expectAccessible, settled } from './fixtures.ts';
import { crowd, fill, number, pickup, priced, SCREEN, send, type Taken, test } from './phone-order.ts';

// One after the other: they share the menu and the orders of one restaurant.
test.describe.configure({ mode: 'serial' });

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [1024, 768],
  [820, 1180],
  [768, 600],
] as const)
  test(
    `the button stays in a window of ${width} × ${height} with the strip of waiting orders`,
    { tag: width === 1280 ? [] : '@nightly' },
    async ({ page, visit, menu, expectConsole }) => {
      test.setTimeout(90_000);
      expectConsole(/404/);
      await page.setViewportSize({ width, height });
      await crowd(page, menu, visit);
      await expect(send(page)).toBeInViewport({ ratio: 1 });
      // What is missing and refused makes the bar higher.
      await send(page).click();
      await expect(page.getByText(/^Hiányzik vagy javítandó: /)).toBeVisible();
      await expect(send(page)).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThan(2);
      const guest = await page.locator('.phone-columns > :first-child').boundingBox();
      const list = await page.locator('.taking-menu').boundingBox();
      expect(list!.x, 'the menu is beside the guest').toBeGreaterThanOrEqual(guest!.x + guest!.width);
      expect(list!.y, 'and begins where the guest does').toBeLessThan(guest!.y + 80);
      if (width === 1024) {
        await settled(page);
        await expectAccessible(page);
      }
    },
  );

test('only the menu of the phone is read', { tag: '@nightly' }, async ({ page, visit, menu }) => {
  await fill(menu);
  const read: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/menu')) read.push(searchParams.get('channel') ?? '');
  });
  await visit(SCREEN);
  await expect(page.getByRole('button', { name: /^Margherita, 32 cm/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(read).toEqual(['phone']);
});

test('sizes are buttons of one tile, cash is announced, and the order is accepted at once', async ({
  page,
  visit,
  menu,
  orders,
  service,
  place,
  expectConsole,
}) => {
  test.setTimeout(90_000);
  expectConsole(/404/);
  await fill(menu);
  const put = async (accept_at_once: boolean) => {
    const answer = await service.put(`${place.api}/pos/configs`, { data: { accept_at_once } });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  await put(true);
  try {
    await visit(SCREEN);
    await page.getByLabel('Telefonszám').fill(number());
    await page.getByLabel('Telefonszám').press('Enter');
    await page.getByLabel('Vezetéknév').fill('Aprós');
    await pickup(page);
    await expect(page.locator('.taking-tile').filter({ hasText: 'Margherita' })).toHaveCount(1);
    const large = page.getByRole('button', { name: /^Margherita, 45 cm/ });
    await large.focus();
    await page.keyboard.press('Shift+Enter');
    const dialog = page.getByRole('dialog', { name: 'Margherita, 45 cm' });
    await dialog.getByRole('radio', { name: /Vékony/ }).check();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    // A long press asks although nothing must be chosen.
    await page.getByRole('button', { name: /^Italok$/ }).click();
    const drink = page.getByRole('button', { name: /^Limonádé/ });
    await drink.hover();
    await page.mouse.down();
    await expect(page.getByRole('dialog', { name: 'Limonádé' })).toBeVisible();
    await page.mouse.up();
    await page.keyboard.press('Escape');
    await priced(page);
    await page.getByRole('radio', { name: 'Készpénz' }).check();
    await page.getByLabel('Mivel fizet').fill('3000');
    await expect(page.getByText(/^Kevesebb, mint a fizetendő: 3\s500\sFt$/)).toBeVisible();
    await page.getByLabel('Mivel fizet').fill('5000');
    await expect(page.getByText(/^Visszajár: 1\s500\sFt$/)).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Felvétel és elfogadás' }).click();
    await expect(page.getByText(/^Felvéve és elfogadva: /)).toBeVisible();
    expect(await orders()).toMatchObject([{ status: 'processed', pays_with: 5000, change_due: 1500 }]);
    const [{ id }] = (await orders()) as [Taken];
    await visit('order_page', id);
    await expect(page.locator('.pay-sums')).toContainText(
      /Mivel fizet\s*5\s000\sFt\s*Visszajáró\s*1\s500\sFt/,
    );
  } finally {
    await put(false);
  }
});
