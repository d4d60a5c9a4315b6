import { emailOf, expect, expectAccessible, PASSWORD, test } from './fixtures.ts';
import { slugFor } from './screens.ts';

test.use({ role: 'none' });

// Nobody is signed in: the first question is answered 401, and the browser logs that.
test.beforeEach(({ expectConsole }) => expectConsole(/401/));

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `the login page is accessible, ${colorScheme}`,
    { tag: colorScheme === 'dark' ? '@nightly' : [] },
    async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto('/bejelentkezes');
        await page.getByRole('button', { name: 'Belépés' }).click();
        await expect(page.getByText('Add meg az e-mail-címedet!')).toBeVisible();
        await expect(page.getByLabel('E-mail-cím')).toBeFocused();
        await expectAccessible(page);
      }
    },
  );
}

test('is small: at most 6 requests and 130 kB before anything is touched', async ({ page }) => {
  const sizes: number[] = [];
  page.on(
    'response',
    async (response) => void sizes.push(Number((await response.allHeaders())['content-length'] ?? 0)),
  );
  await page.goto('/bejelentkezes', { waitUntil: 'networkidle' });
  expect(sizes.length).toBeLessThanOrEqual(6);
  expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(130_000);
});

test('a wrong password is an error, the right one leads to the requested page', async ({ page }) => {
  const wanted = `/r/00000000-0000-7000-8000-000000000000/${slugFor('couriers')}?q=a`;
  await page.goto(wanted);
  await expect(page).toHaveURL(/\/bejelentkezes\?to=/);
  await page.getByLabel('E-mail-cím').fill('nem-email');
  await page.getByLabel('Jelszó', { exact: true }).fill('x');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Hibás e-mail-cím.')).toBeVisible();

  await page.getByLabel('E-mail-cím').fill(emailOf('restaurant'));
  await page.getByLabel('Jelszó', { exact: true }).fill('rossz');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Hibás e-mail-cím vagy jelszó.');
  await expect(page.getByLabel('Jelszó', { exact: true })).toBeFocused();

  await page.getByLabel('Jelszó', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Jelszó megjelenítése' }).click();
  await expect(page.getByLabel('Jelszó', { exact: true })).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Belépés' }).click();
  await page.waitForURL((url) => url.pathname + url.search === wanted);
});

test("a stranger's return address is not followed", async ({ page }) => {
  await page.goto('/bejelentkezes?to=https://example.com/');
  await page.getByLabel('E-mail-cím').fill(emailOf('restaurant'));
  await page.getByLabel('Jelszó', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/r\//);
});

test('the language changes in place and keeps what was typed', { tag: '@nightly' }, async ({ page }) => {
  await page.goto('/bejelentkezes');
  await page.getByLabel('E-mail-cím').fill('a@b.hu');
  await page.getByRole('button', { name: 'EN', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByLabel('E-mail address')).toHaveValue('a@b.hu');
  const cookie = (await page.context().cookies()).find((c) => c.name === 'pult_lang');
  expect(cookie?.value).toBe('en');
});

test('sign out ends the session', async ({ page }) => {
  await page.goto('/bejelentkezes');
  await page.getByLabel('E-mail-cím').fill(emailOf('restaurant'));
  await page.getByLabel('Jelszó', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/r\//);
  const inside = page.url();
  // A visitor who is signed in is sent onward from the login page.
  await page.goto('/bejelentkezes');
  await page.waitForURL(/\/r\//);
  await page.getByRole('button', { name: /Felhasználói menü/ }).click();
  await page.getByRole('button', { name: 'Kijelentkezés' }).click();
  await page.waitForURL(/\/bejelentkezes$/);
  await page.goto(inside);
  await expect(page).toHaveURL(/\/bejelentkezes\?to=/);
});

test(
  'the page for a new password refuses short and different ones',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/uj-jelszo?token=nem-letezik');
    await expect(page).toHaveURL(/\/uj-jelszo$/);
    await expect(page.getByRole('alert')).toHaveText('A link érvénytelen vagy már lejárt.');
    await page.route('**/admins/password-reset/letezik', (route) =>
      route.fulfill({
        json: { email: 'en@pult.example', has_password: true, partners: [], password_min_length: 6 },
      }),
    );
    await page.goto('/uj-jelszo?token=letezik');
    await page.getByLabel('Új jelszó', { exact: true }).fill('rövid');
    await page.getByLabel('Új jelszó még egyszer').fill('más');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Legalább 6 karakter legyen.')).toBeVisible();
    await expect(page.getByText('A két jelszó nem egyezik.')).toBeVisible();
    await expectAccessible(page);
  },
);
