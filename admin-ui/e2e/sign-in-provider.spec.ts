import type { Page } from '@playwright/test';
import { expect, expectAccessible, settled, test } from './fixtures.ts';
import { makePerson, removePeople, signedIn, unique } from './people.ts';
import { slugFor } from './screens.ts';

/** The rules of signing in have a button of the same name. */
const saveOfProvider = (page: Page) =>
  page
    .locator('section', { has: page.getByRole('heading', { name: 'Kapcsolat' }) })
    .getByRole('button', { name: 'Mentés' });

/** The stand-in provider of the installation under test, which believes everybody. */
const PROVIDER = process.env.PULT_E2E_PROVIDER;

// One provider per partner: one test after the other, and none is left behind.
test.describe.configure({ mode: 'default' });
test.beforeEach(async ({ service, place }) => {
  await service.delete(`/api/v3/admin/partners/${place.partner}/sign-in-provider`);
});
test.afterEach(async ({ service, place }) => {
  await service.delete(`/api/v3/admin/partners/${place.partner}/sign-in-provider`);
  await removePeople(service, place);
});

test(
  'the rules of signing in: saved, refused out of range, with their history',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const path = `/api/v3/admin/partners/${place.partner}/sign-in-rules`;
    await service.put(path, { data: { password_min_length: 6, idle_minutes: null } });
    await visit('sign_in_provider');
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'A belépés szabályai' }) });
    await card.getByLabel('A jelszavak legkisebb hossza').fill('65');
    await page.keyboard.press('Enter');
    await expect(card.getByText('6 és 64 közötti egész szám.')).toBeVisible();
    await card.getByLabel('A jelszavak legkisebb hossza').fill('10');
    await card.getByLabel('Kiléptetés tétlenség után').click();
    await page.getByTitle('14 nap után').click();
    await settled(page);
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Mentés' }).click();
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
    expect(await (await service.get(path)).json()).toMatchObject({
      password_min_length: 10,
      idle_minutes: 20_160,
    });
    await page.getByRole('button', { name: 'Előzmények' }).click();
    const history = page.getByRole('dialog', { name: 'Előzmények: Bejelentkezés' });
    await expect(history.getByText('A jelszavak legkisebb hossza').first()).toBeVisible();
    await service.put(path, { data: { password_min_length: 6, idle_minutes: null } });
  },
);

test(
  'a provider is set up, its secret kept and never shown, switched off and removed',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const path = `/api/v3/admin/partners/${place.partner}/sign-in-provider`;
    await visit('sign_in_provider');
    await page.getByRole('button', { name: 'Beállítás' }).click();
    await page.getByLabel('Név', { exact: true }).fill('Céges fiók');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Ezt a mezőt ki kell tölteni!').first()).toBeVisible();
    await expect(page.getByLabel('Kibocsátó címe')).toBeFocused();
    await page.keyboard.type('https://belepes.pult.example');
    await page.getByLabel('Ügyfél-azonosító').fill('pult');
    await page.getByLabel('Ügyféltitok').fill('nagyon-titkos');
    await page.getByLabel('E-mail-tartományok').fill('Bisztro.example, ');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'bisztro.example' })).toBeVisible();
    await expect(page.getByText(/El van mentve, és nem látható/)).toBeVisible();
    await expect(page.getByLabel('Ügyféltitok')).toHaveValue('');
    expect(await (await service.get(path)).json()).toMatchObject({
      name: 'Céges fiók',
      issuer: 'https://belepes.pult.example',
      client_id: 'pult',
      has_client_secret: true,
      domains: ['bisztro.example'],
      active: true,
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Inherited colours apply a frame later.
      await expect(page.locator('h1')).toHaveCSS(
        'color',
        colorScheme === 'dark' ? 'rgb(241, 239, 233)' : 'rgb(29, 37, 33)',
      );
      for (const width of [1440, 768, 360]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        await expectAccessible(page);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          `scrolls sideways at ${width}`,
        ).toBeLessThanOrEqual(0);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });

    // The secret stays when other fields are saved, and is required again with another client.
    await page.getByRole('switch', { name: 'Aktív' }).click();
    await saveOfProvider(page).click();
    await expect(page.getByText('Inaktív')).toBeVisible();
    expect(await (await service.get(path)).json()).toMatchObject({ active: false, has_client_secret: true });
    // The save is over once nothing is under way: until then its key does nothing.
    await settled(page);
    await page.getByLabel('Ügyfél-azonosító').fill('masik');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
    await page.getByRole('navigation').getByRole('link', { name: 'Futárok' }).click();
    await page
      .getByRole('dialog', { name: 'Nem mentett változások' })
      .getByRole('button', { name: 'Elvetés' })
      .click();
    await expect(page).toHaveURL(new RegExp(slugFor('couriers')));

    await visit('sign_in_provider');
    await page.getByRole('button', { name: 'Eltávolítás' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Eltávolítás' }).click();
    await expect(page.getByText('Nincs beállítva belépési szolgáltató')).toBeVisible();
  },
);

test(
  "two who edit the provider see each other's version",
  { tag: '@nightly' },
  async ({ page, visit, service, place, expectConsole }) => {
    expectConsole(/409/);
    const path = `/api/v3/admin/partners/${place.partner}/sign-in-provider`;
    const stored = {
      name: 'Céges fiók',
      issuer: 'https://belepes.pult.example',
      client_id: 'pult',
      domains: [],
    };
    expect((await service.put(path, { data: { ...stored, client_secret: 'x' } })).status()).toBe(200);
    await visit('sign_in_provider');
    const conflict = page.getByRole('dialog', { name: 'Közben más is módosította' });
    const edit = async (mine: string, theirs: string) => {
      await service.put(path, { data: { ...stored, name: theirs } });
      await page.getByLabel('Név', { exact: true }).fill(mine);
      await page.keyboard.press('Control+s');
      await expect(conflict.getByRole('cell', { name: theirs })).toBeVisible();
      await settled(page);
      await expectAccessible(page);
    };
    await edit('Enyém', 'Övé');
    await conflict.getByRole('button', { name: 'Az ő változata' }).click();
    await expect(page.getByLabel('Név', { exact: true })).toHaveValue('Övé');
    await expect(saveOfProvider(page)).toBeDisabled();
    await edit('Enyém', 'Megint övé');
    await conflict.getByRole('button', { name: 'Az én változatom' }).click();
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
    expect(await (await service.get(path)).json()).toMatchObject({ name: 'Enyém', has_client_secret: true });
  },
);

test('a domain is proven by a file: its content, and checking again', async ({
  page,
  visit,
  service,
  place,
}) => {
  const path = `/api/v3/admin/partners/${place.partner}/sign-in-provider`;
  const stored = {
    name: 'Céges fiók',
    issuer: 'https://belepes.pult.example',
    client_id: 'pult',
    client_secret: 'x',
    domains: ['bisztro.example'],
  };
  expect((await service.put(path, { data: stored })).status()).toBe(200);
  // A development installation asks no proof of names that belong to nobody (.example).
  let proven = false;
  await page.route(/\/sign-in-provider(\/proof)?$/, async (route) => {
    if (route.request().url().endsWith('/proof')) proven = true;
    const row = await (await service.get(path)).json();
    await route.fulfill({
      json: { ...row, proofs: row.proofs.map((proof: object) => ({ ...proof, proven })) },
    });
  });
  await visit('sign_in_provider');
  await expect(page.getByText('Még nincs igazolva')).toBeVisible();
  await expect(page.getByText('Tedd elérhetővé ezt a fájlt:')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Ellenőrzés most' }).click();
  await expect(page.getByText('Igazolva: bisztro.example')).toBeVisible();
  await expect(page.getByText('Még nincs igazolva')).toHaveCount(0);
});

test(
  'is not for admins of single restaurants: absent, and the address shows the missing right',
  { tag: '@nightly' },
  async ({ service, place, browser }) => {
    const person = await makePerson(service, place, {}, ['admin_login', 'user', 'courier']);
    const context = await signedIn(browser, person.email);
    const page = await context.newPage();
    await page.goto(`/r/${place.restaurant}/${slugFor('sign_in_provider')}`);
    await expect(page.getByText('Ehhez nincs jogosultságod').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Belépési szolgáltató' })).toHaveCount(0);
    expect(
      (
        await context.request.get(`/api/v3/admin/partners/${place.partner}/sign-in-provider`, {
          headers: { 'X-Pult-UI': '1' },
        })
      ).status(),
    ).toBe(403);
    await context.close();
  },
);

test('signing in with the company account leads to the requested page', async ({
  service,
  place,
  browser,
}) => {
  test.skip(!PROVIDER, 'no provider runs beside this installation');
  const answer = await service.put(`/api/v3/admin/partners/${place.partner}/sign-in-provider`, {
    data: {
      name: 'Céges fiók',
      issuer: PROVIDER,
      client_id: 'pult',
      client_secret: 'x',
      domains: ['bisztro.example'],
    },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  const mark = unique();
  const person = await makePerson(service, place, { email: `proba-${mark}@bisztro.example` });
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  const wanted = `/r/${place.restaurant}/${slugFor('my_account')}`;
  await page.goto(wanted);
  // The provider knows this one, the product does not.
  for (const email of [`senki-${mark}@bisztro.example`, person.email]) {
    await page.getByLabel('E-mail-cím').fill(email);
    await page.getByRole('button', { name: 'Tovább céges fiókkal' }).click();
    await page.waitForURL((url) => url.href.startsWith(PROVIDER!));
    await page.locator('input[name=email]').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    if (email === person.email) break;
    await expect(page.getByRole('alert')).toContainText('A belépés a cég fiókjával nem sikerült.');
    await page.goto(wanted);
  }
  await page.waitForURL((url) => url.pathname === wanted);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fiókom');
  await expect(page.getByRole('main').getByText(person.email)).toBeVisible();
  // The provider's code does not stay in the history.
  await page.goBack();
  expect(page.url()).not.toContain('code=');
  await context.close();
});
