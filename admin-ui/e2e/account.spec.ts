import type { APIRequestContext, Browser } from '@playwright/test';
import { expect, expectAccessible, type Place, settled, smallTargets, test } from './fixtures.ts';
import {
  aliveStatus,
  linkTo,
  MAILS,
  makeOwn,
  makePerson,
  oneMore,
  PASS,
  type Person,
  removePeople,
  sessionOf,
  signedIn,
} from './people.ts';
import { slugFor } from './screens.ts';
import { API_HEADERS, codeOf, SERVICE, stateFile } from './sign-in.ts';

// One after the other: they share a person.
test.describe.configure({ mode: 'default' });
let shared: { person: Person; state: Awaited<ReturnType<typeof sessionOf>> } | undefined;

/** Somebody with an account of their own, signed in once for all tests that do not end that session. */
async function somebody(browser: Browser, service: APIRequestContext, place: Place) {
  test.skip(!MAILS, 'the mails are elsewhere');
  shared ??= await makeOwn(service, place, { surfaces: ['admin', 'pos'] });
  return { person: shared.person, context: await browser.newContext({ storageState: shared.state }) };
}

test.afterAll(async ({ playwright }) => {
  const service = await playwright.request.newContext({
    baseURL: SERVICE,
    extraHTTPHeaders: API_HEADERS,
    storageState: stateFile('partner'),
  });
  const partner = (await (await service.get('/api/v3/admin/me')).json()).targets[0].partner_id;
  await removePeople(service, { partner, restaurant: '', api: '' });
  await service.dispose();
});

const NEW = 'uj-kiflivel-sokkal-jobb';

test('the user menu leads to the account: name, phone, guarded while unsaved', async ({
  browser,
  service,
  place,
}) => {
  const { context } = await somebody(browser, service, place);
  const page = await context.newPage();
  await page.goto(`/r/${place.restaurant}`);
  await page.getByRole('button', { name: /Felhasználói menü/ }).click();
  await page.getByRole('link', { name: 'Fiókom' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fiókom');
  await page.getByLabel('Telefonszám').fill('abc');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Csak számok, szóköz')).toBeVisible();
  await page.getByLabel('Telefonszám').fill('+36 1 234 5678');
  await page.getByRole('navigation').getByRole('link', { name: 'Futárok' }).click();
  const ask = page.getByRole('dialog', { name: 'Nem mentett változások' });
  await ask.getByRole('button', { name: 'Maradok' }).click();
  await expect(ask).toBeHidden();
  await page.getByLabel('Telefonszám').press('Enter');
  await expect(page.getByText('Sikeres mentés')).toBeVisible();
  const me = await (await context.request.get('/api/v3/admin/me', { headers: API_HEADERS })).json();
  expect(me.tel).toBe('+36 1 234 5678');
  await context.close();
});

test('changing the password: a wrong one is an error at its field, the right one ends other sessions', async ({
  browser,
  service,
  place,
}) => {
  const person = await makePerson(service, place, { surfaces: ['admin', 'pos'] });
  const context = await signedIn(browser, person.email);
  const other = await oneMore(browser, context, place);
  const page = await context.newPage();
  await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
  // An admin set the password: of the account nothing else can be changed.
  await expect(page.getByText('A jelszavadat egy adminisztrátor állította be.')).toBeVisible();
  await expect(page.getByLabel('Telefonszám')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Kétlépcsős belépés' })).toHaveCount(0);
  await expectAccessible(page);
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Jelszó', exact: true }) });
  await card.getByLabel('Mostani jelszó').fill('nem ez az');
  await card.getByLabel('Új jelszó', { exact: true }).fill(NEW);
  await card.getByLabel('Új jelszó még egyszer').fill(`${NEW}!`);
  await page.keyboard.press('Enter');
  await expect(card.getByText('A két jelszó nem egyezik.')).toBeVisible();
  await card.getByLabel('Új jelszó még egyszer').fill(NEW);
  await page.keyboard.press('Enter');
  await expect(card.getByText('Hibás jelszó.')).toBeVisible();
  await expect(card.getByLabel('Mostani jelszó')).toBeFocused();
  await card.getByLabel('Mostani jelszó').fill(PASS);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Az új jelszó elmentve')).toBeVisible();
  expect(await aliveStatus(other)).toBe(401);
  await other.close();
  // The new one holds.
  const again = await context.request.put('/api/v3/admin/me/password', {
    headers: API_HEADERS,
    data: { password_now: NEW, password: PASS, password_again: PASS },
  });
  expect(again.status()).toBe(204);
  await context.close();
});

test('sessions: the others are seen and ended', { tag: '@nightly' }, async ({ browser, service, place }) => {
  const { context } = await somebody(browser, service, place);
  const other = await oneMore(browser, context, place);
  const third = await oneMore(browser, context, place);
  const page = await context.newPage();
  await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Munkamenetek' }) });
  await expect(card.getByRole('listitem')).toHaveCount(3);
  await expect(card.getByText('ez a munkamenet')).toHaveCount(1);
  await card
    .getByRole('button', { name: /Munkamenet befejezése/ })
    .first()
    .click();
  await expect(card.getByRole('listitem')).toHaveCount(2);
  await card.getByRole('button', { name: 'Minden más befejezése' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Minden más befejezése' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(1);
  for (const gone of [other, third]) {
    expect(await aliveStatus(gone)).toBe(401);
    await gone.close();
  }
  await context.close();
});

test('time zone, billing details and addresses', { tag: '@nightly' }, async ({ browser, service, place }) => {
  const { context } = await somebody(browser, service, place);
  const page = await context.newPage();
  await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
  const card = page.locator('section', {
    has: page.getByRole('heading', { name: 'Időzóna, számlázás és címek' }),
  });
  await card.getByLabel('Időzóna').fill('Vienna');
  await page.keyboard.press('Enter');
  await card.getByRole('button', { name: 'Számlázási adatok megadása' }).click();
  await expect(card.getByLabel('Név a számlán')).toBeFocused();
  await card.getByRole('button', { name: 'Cím hozzáadása' }).click();
  await expect(card.getByRole('group', { name: '1. cím' }).getByLabel('Ország')).toBeFocused();
  await settled(page);
  await expectAccessible(page);
  expect(await smallTargets(page)).toEqual([]);
  await card.getByRole('button', { name: 'Mentés' }).click();
  await expect(card.getByText('Legalább 3 karakter.')).toBeVisible();
  await expect(card.getByLabel('Név a számlán')).toBeFocused();
  const billing = card.getByRole('group', { name: 'Számlázási adatok' });
  await billing.getByLabel('Név a számlán').fill('Mintafalat Kft.');
  await billing.getByLabel('Adószám').fill('12345678-2-41');
  const address = card.getByRole('group', { name: '1. cím' });
  for (const group of [billing, address]) {
    await group.getByLabel('Irányítószám').fill('6720');
    await group.getByLabel('Város').fill('Szeged');
    await group.getByLabel('Utca').fill('Fő tér');
    await group.getByLabel('Házszám').fill('1');
  }
  await address.getByLabel('Kapucsengő').fill('7');
  await card.getByRole('button', { name: 'Mentés' }).click();
  await expect(page.getByText('Sikeres mentés')).toBeVisible();
  const me = await (await context.request.get('/api/v3/admin/me', { headers: API_HEADERS })).json();
  expect(me).toMatchObject({
    timezone: 'Europe/Vienna',
    billing_details: { company_name: 'Mintafalat Kft.', address: { city: 'Szeged' } },
    addresses: [{ country: 'HU', doorbell: '7' }],
  });
  await context.close();
});

test(
  'the till opens on another device by a one-time address',
  { tag: '@nightly' },
  async ({ browser, service, place }) => {
    const { context } = await somebody(browser, service, place);
    const page = await context.newPage();
    await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Kassza', exact: true }) });
    await card.getByRole('button', { name: 'Megnyitás másik készüléken' }).click();
    await expect(card.getByRole('img', { name: /QR/ })).toBeVisible();
    await expect(card.getByRole('timer')).toContainText('másodpercig');
    await settled(page);
    await expectAccessible(page);
    const url = await card.locator('code').innerText();
    expect(url).toContain('/pos-login?token=');
    await card.getByRole('button', { name: 'Új cím készítése' }).click();
    await expect(card.locator('code')).not.toHaveText(url);
    const other = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const till = await other.newPage();
    await till.goto(`/pos-login${new URL(await card.locator('code').innerText()).search}`);
    await till.waitForURL(/\/r\//);
    await other.close();
    await context.close();
  },
);

test('the own PIN needs the password', { tag: '@nightly' }, async ({ browser, service, place }) => {
  const { person, context } = await somebody(browser, service, place);
  const page = await context.newPage();
  await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'PIN' }) });
  await card.getByLabel('Új PIN').fill('12');
  await card.getByLabel('A fiókod jelszava').fill(PASS);
  await page.keyboard.press('Enter');
  await expect(card.getByText('4–8 számjegy legyen.')).toBeVisible();
  const pin = String(Math.floor(10_000_000 + Math.random() * 89_999_999));
  await card.getByLabel('Új PIN').fill(pin);
  await card.getByLabel('A fiókod jelszava').fill('nem ez az');
  await page.keyboard.press('Enter');
  await expect(card.getByLabel('A fiókod jelszava')).toBeFocused();
  await card.getByLabel('A fiókod jelszava').fill(PASS);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Az új PIN elmentve')).toBeVisible();
  const row = `/api/v3/admin/partners/${place.partner}/admins/${person.id}`;
  expect((await (await service.get(row)).json()).has_pin).toBe(true);
  await card.getByRole('button', { name: 'PIN törlése' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'PIN törlése' }).click();
  await expect(page.getByText('A PIN törölve')).toBeVisible();
  expect((await (await service.get(row)).json()).has_pin).toBe(false);
  await context.close();
});

test('second factor: set up, signed in with, a recovery code, off', async ({ browser, service, place }) => {
  test.setTimeout(120_000);
  test.skip(!MAILS, 'the mails are elsewhere');
  const { person, state } = await makeOwn(service, place);
  const context = await browser.newContext({ storageState: state });
  const page = await context.newPage();
  await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Kétlépcsős belépés' }) });
  await card.getByRole('button', { name: 'Bekapcsolás' }).click();
  await expect(card.getByRole('img', { name: /QR/ })).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  const secret = (await card.locator('code').innerText()).replace(/\s/g, '');
  await card.getByLabel('Hatjegyű kód').fill('000000');
  await page.keyboard.press('Enter');
  await expect(card.getByText('Ez a kód nem jó, vagy már felhasználtad.')).toBeVisible();
  await card.getByLabel('Hatjegyű kód').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  const codes = card.getByRole('list', { name: 'Helyreállító kódok' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = await codes.first().innerText();
  await settled(page);
  await expectAccessible(page);
  // They are seen once: leaving asks.
  await page.getByRole('navigation').getByRole('link', { name: 'Futárok' }).click();
  await page
    .getByRole('dialog', { name: 'Nem mentett változások' })
    .getByRole('button', { name: 'Maradok' })
    .click();
  await card.getByRole('button', { name: 'Eltettem' }).click();
  await expect(card.getByText('10 fel nem használt helyreállító kódod maradt.')).toBeVisible();
  await page.getByRole('button', { name: /Felhasználói menü/ }).click();
  await page.getByRole('button', { name: 'Kijelentkezés' }).click();

  await page.waitForURL(/\/bejelentkezes$/);
  await page.getByLabel('E-mail-cím').fill(person.email);
  await page.getByLabel('Jelszó', { exact: true }).fill(PASS);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Második lépés' })).toBeVisible();
  await expect(page.getByLabel('Kód')).toBeFocused();
  await settled(page);
  await expectAccessible(page);
  await page.getByLabel('Kód').fill('123456');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText(/Hibás kód/);
  await page.getByLabel('Kód').fill(recovery);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/r\//);

  await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
  await expect(card.getByText('9 fel nem használt helyreállító kódod maradt.')).toBeVisible();
  await card.getByRole('button', { name: 'Kikapcsolás' }).click();
  await card.getByLabel('Kód').fill(codeOf(secret, Date.now() + 30_000));
  await page.keyboard.press('Enter');
  await expect(card.getByText('Kikapcsolva')).toBeVisible();
  await context.close();
});

test.describe('without a session', () => {
  test('a forgotten password: the answer reveals nothing, the link works once', async ({
    browser,
    service,
    place,
  }) => {
    const person = await makePerson(service, place);
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const page = await context.newPage();
    await page.goto('/bejelentkezes');
    await page.getByRole('link', { name: 'Elfelejtett jelszó' }).click();
    await page.getByLabel('E-mail-cím').fill('senki-sem@pult.example');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Ha a címhez tartozik fiók')).toBeVisible();
    await page.goto('/elfelejtett-jelszo');
    await expectAccessible(page);
    await page.getByLabel('E-mail-cím').fill(person.email);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Ha a címhez tartozik fiók')).toBeVisible();
    if (MAILS) {
      // An admin had set the password: the link makes the account the person's own, and signs in.
      const trap = await signedIn(browser, person.email);
      const link = await linkTo(person.email, '/uj-jelszo');
      await page.goto(link);
      await expect(page.getByText(person.email)).toBeVisible();
      const elsewhere = page.getByRole('group', { name: 'Itt már van hozzáférésed. Kilépsz valahonnan?' });
      await expect(elsewhere.getByRole('checkbox', { name: 'Kilépek innen: Pult Demó' })).not.toBeChecked();
      await settled(page);
      await expectAccessible(page);
      expect(await smallTargets(page)).toEqual([]);
      await page.getByRole('button', { name: 'EN', exact: true }).click();
      await expect(page.getByRole('checkbox', { name: 'Leave: Pult Demó' })).toBeVisible();
      await page.getByRole('button', { name: 'HU', exact: true }).click();
      expect(await aliveStatus(trap), 'looking changes nothing').toBe(200);
      await page.getByLabel('Új jelszó', { exact: true }).fill(NEW);
      await page.getByLabel('Új jelszó még egyszer').fill(NEW);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/r\//);
      expect(await aliveStatus(trap)).toBe(401);
      await trap.close();
      await context.clearCookies();
      // Nothing of the page that was signed in goes on, to its sign-in or elsewhere.
      await page.goto('about:blank');
      await page.goto(link);
      await expect(page.getByRole('alert')).toHaveText('A link érvénytelen vagy már lejárt.');
      await (await signedIn(browser, person.email, NEW)).close();
    }
    await context.close();
  });

  test(
    "the till's ticket opens a session once; without one, sign-in",
    { tag: '@nightly' },
    async ({ browser, service, place }) => {
      const ticket = await (
        await service.post('/api/v3/admin/me/tickets', {
          data: { purpose: 'pos', restaurant_id: place.restaurant },
        })
      ).json();
      const token = new URL(ticket.url).searchParams.get('token');
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
      const page = await context.newPage();
      await page.goto('/pos-login');
      await expect(page).toHaveURL(/\/bejelentkezes$/);
      await page.goto(`/pos-login?token=${token}`);
      await page.waitForURL(/\/r\//);
      // On about:blank no page of ours reacts to the end of the session.
      await page.goto('about:blank');
      await context.clearCookies();
      await page.goto(`/pos-login?token=${token}`);
      await expect(page.getByRole('alert')).toContainText('A link érvénytelen');
      await expect(page).toHaveURL(/\/pos-login$/);
      await context.close();
    },
  );

  test(
    'company sign-in: an address without a provider gets a message; pages for refusals',
    { tag: '@nightly' },
    async ({ browser }) => {
      test.setTimeout(90_000);
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
      const page = await context.newPage();
      await page.goto('/bejelentkezes');
      await page.getByRole('button', { name: 'Tovább céges fiókkal' }).click();
      await expect(page.getByText('Add meg az e-mail-címedet!')).toBeVisible();
      await page.getByLabel('E-mail-cím').fill('valaki@nincs-szolgaltato.example');
      await page.getByRole('button', { name: 'Tovább céges fiókkal' }).click();
      await expect(page.getByRole('alert')).toContainText('nincs céges belépés');
      for (const [path, heading] of [
        ['/sso', 'Belépés céges fiókkal'],
        ['/nem-engedelyezett', 'Ehhez nincs jogosultságod'],
        ['/meghivas?token=nem-letezik', 'Meghívás'],
        ['/elfelejtett-jelszo', 'Elfelejtett jelszó'],
      ] as const) {
        for (const [width, colorScheme] of [
          [1440, 'light'],
          [768, 'dark'],
          [360, 'light'],
        ] as const) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
          await settled(page);
          await expectAccessible(page);
          expect(await smallTargets(page), `small targets of ${path} at ${width}`).toEqual([]);
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
            `${path} scrolls sideways at ${width}`,
          ).toBeLessThanOrEqual(0);
        }
      }
      await page.goto('/nem-engedelyezett');
      await page.getByRole('button', { name: 'EN', exact: true }).click();
      await expect(page).toHaveURL(/\/unauthorized$/);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('You may not do this');
      await context.close();
    },
  );
});

test.describe('a super admin without a second factor', () => {
  test('is led to set it up, and gets nowhere else', { tag: '@nightly' }, async ({ page, place }) => {
    await page.route('**/api/v3/admin/me', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), second_factor: false, second_factor_required: true },
      });
    });
    await page.route('**/api/v3/admin/me/second-factor', (route) =>
      route.fulfill({
        json: {
          secret: 'PULTDEMO2PULTDEMO3',
          uri: 'otpauth://totp/Pult:a?secret=PULTDEMO2PULTDEMO3&issuer=Pult',
        },
      }),
    );
    await page.goto(`/r/${place.restaurant}/${slugFor('couriers')}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Állítsd be a kétlépcsős belépést');
    await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Mégsem' })).toHaveCount(0);
    await expectAccessible(page);
  });
});

test(
  'a session that ended is opened again with the second factor',
  { tag: '@nightly' },
  async ({ browser, service, place }) => {
    const { context } = await somebody(browser, service, place);
    const page = await context.newPage();
    await page.goto(`/r/${place.restaurant}/${slugFor('my_account')}`);
    await expect(page.getByLabel('Telefonszám')).toBeVisible();
    let requests = 0;
    await page.route('**/api/v3/admins/sign_in', async (route) => {
      const { admin } = route.request().postDataJSON();
      requests += 1;
      if (!admin.code)
        return route.fulfill({
          status: 401,
          contentType: 'application/problem+json',
          json: { status: 401, code: 'SECOND_FACTOR_REQUIRED', title: 'x' },
        });
      return route.continue({ postData: JSON.stringify({ admin: { ...admin, code: undefined } }) });
    });
    await context.clearCookies({ name: /pult_dev|__Host-pult/ });
    await page.getByLabel('Telefonszám').fill('+36 1 111');
    await page.getByLabel('Telefonszám').press('Enter');
    const again = page.getByRole('dialog', { name: 'Lejárt a munkamenet' });
    await again.getByRole('textbox', { name: 'Jelszó' }).fill(PASS);
    await page.keyboard.press('Enter');
    await expect(again.getByLabel('A hitelesítő alkalmazás kódja')).toBeFocused();
    await page.keyboard.type('123456');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
    expect(requests).toBe(2);
    await context.close();
  },
);
