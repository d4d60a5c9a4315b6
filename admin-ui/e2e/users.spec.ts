import { expect, expectAccessible, settled, test } from './fixtures.ts';
import {
  aliveStatus,
  linkTo,
  MAILS,
  makePerson,
  PASS,
  removeNamed,
  removePeople,
  signedIn,
  unique,
} from './people.ts';
import { pathOf, slugFor } from './screens.ts';
import { expectSound } from './sound.ts';

// One after the other: they share the list of people.
test.describe.configure({ mode: 'default' });
test.afterEach(async ({ service, place }) => removePeople(service, place));

const box = (page: import('@playwright/test').Page, name: string) =>
  page.getByRole('checkbox', { name, exact: true });

test(
  'the preview is the menu of this restaurant, without missing features',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    await page.route('**/restaurants/*/features', (route) => route.fulfill({ json: [{ feature: 'tv' }] }));
    await visit('users', 'uj');
    const menu = page.getByRole('group', { name: 'Mit lát?' });
    const warning = page.getByRole('alert').filter({ hasText: 'Az adminfelületre nem tud belépni' });
    await box(page, 'Belépés az adminba').uncheck();
    await expect(warning).toBeVisible();
    await page.getByRole('combobox', { name: 'Szerepkör szerint' }).click();
    await page.getByTitle('Tulajdonos', { exact: true }).click();
    await expect(warning).toHaveCount(0);
    await expect(menu).toContainText('Vendég TV');
    await expect(menu).not.toContainText('Kioszk');
    // A right that no call needs has no effect, and its box says so.
    await expect(page.locator('#perm-depot_supplier-text')).toContainText('Még nincs hatása');
    await expect(page.locator('#perm-courier-text')).not.toContainText('Még nincs hatása');
  },
);

test('a waiter is invited, accepts by mail and sees the granted screens', async ({
  page,
  browser,
  visit,
  place,
  service,
}) => {
  const mark = unique();
  const email = `proba-${mark}@pult.example`;
  await visit('users', 'uj');
  await expect(page.getByLabel('Vezetéknév')).toBeFocused();
  await page.keyboard.type('Próba');
  await page.getByLabel('Keresztnév').fill(mark);
  await page.getByLabel('E-mail-cím').fill(email);
  await page.getByRole('combobox', { name: 'Szerepkör szerint' }).click();
  await page.getByTitle('Felszolgáló', { exact: true }).click();
  await expect(box(page, 'Friss rendelések')).toBeChecked();
  await expect(page.getByRole('group', { name: 'Mit lát?' })).toContainText('Friss rendelések');
  await page.getByLabel('Jog keresése').fill('futarok kezel');
  await expect(box(page, 'Friss rendelések')).toHaveCount(0);
  await box(page, 'Futárok').check();
  await expect(page.getByRole('group', { name: 'Mit lát?' })).toContainText('Futárok');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('A meghívó elment ide:')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Próba ${mark}`);
  await expect(page.getByText('Meghívva').first()).toBeVisible();
  if (!MAILS) return removeNamed(service, place, mark);

  const guest = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const other = await guest.newPage();
  await other.goto(await linkTo(email, '/meghivas'));
  await expect(other).toHaveURL(/\/meghivas$/);
  await expect(other.getByText(email)).toBeVisible();
  await expectAccessible(other);
  await expect(other.getByLabel('Vezetéknév')).toHaveValue('Próba');
  await expect(other.getByLabel('Keresztnév')).toHaveValue(mark);
  await other.getByLabel('Új jelszó', { exact: true }).fill(PASS);
  await other.getByLabel('Új jelszó még egyszer').fill(PASS);
  await other.keyboard.press('Enter');
  // The password is theirs, so they are in.
  await other.waitForURL(/\/r\//);
  const menu = other.getByRole('navigation');
  await expect(menu.getByRole('link', { name: 'Futárok' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Felhasználók' })).toHaveCount(0);
  await other.goto(`/r/${place.restaurant}/${slugFor('users')}`);
  await expect(other.getByText('Ehhez nincs jogosultságod').first()).toBeVisible();
  await guest.close();
  await removeNamed(service, place, mark);
});

test('boxes: a child brings its parent, a parent takes its children, by keyboard', async ({
  page,
  visit,
}) => {
  await visit('users', 'uj');
  const parent = box(page, 'Rendelések és étlap');
  const child = box(page, 'Rendelés elfogadása');
  await child.focus();
  await page.keyboard.press('Space');
  await expect(child).toBeChecked();
  expect(await parent.evaluate((el: HTMLInputElement) => el.indeterminate)).toBe(true);
  await page.getByRole('button', { name: 'Minden jog itt: Rendelések és étlap' }).click();
  await expect(parent).toBeChecked();
  await parent.focus();
  await page.keyboard.press('Space');
  await expect(child).not.toBeChecked();
  await expect(parent).not.toBeChecked();
  // The discount belongs to its right and goes with it.
  await box(page, 'Kedvezmény adása').check();
  await page.getByLabel('Legnagyobb kedvezmény').fill('15');
  await box(page, 'Kasszaműveletek').click();
  await expect(page.getByLabel('Legnagyobb kedvezmény')).toHaveCount(0);
  await settled(page);
  await expectAccessible(page);
});

test(
  'PIN: the service chooses it and shows it once',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const person = await makePerson(service, place);
    const row = `/api/v3/admin/partners/${place.partner}/admins/${person.id}`;
    await visit('users', person.id);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'PIN', exact: true }) });
    await expect(card.getByText('Nincs beállítva')).toBeVisible();
    await expect(page.locator('#field-pin')).toHaveCount(0);
    const given = page.getByRole('dialog');
    await card.getByRole('button', { name: 'Új PIN adása' }).click();
    const first = await given.locator('.users-pin').innerText();
    expect(first).toMatch(/^\d{6}$/);
    await given.getByRole('button', { name: 'Átadtam' }).click();
    await expect(card.getByText('Beállítva', { exact: true })).toBeVisible();
    expect((await (await service.get(row)).json()).has_pin).toBe(true);
    await card.getByRole('button', { name: 'Új PIN adása' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Új PIN adása' }).click();
    expect(await page.locator('.users-pin').innerText()).not.toBe(first);
  },
);

test(
  "another user's rights are copied, unsaved ones are guarded",
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const from = await makePerson(service, place, { surfaces: ['admin', 'pos'] }, [
      'admin_login',
      'order',
      'order_accept',
      'courier',
    ]);
    const to = await makePerson(service, place);
    await visit('users', to.id);
    await page.getByRole('combobox', { name: 'Másolás más felhasználóról' }).click();
    await page.getByTitle(from.name, { exact: true }).click();
    await expect(box(page, 'Rendelés elfogadása')).toBeChecked();
    await expect(
      page.getByRole('group', { name: 'Felületek' }).getByRole('checkbox', { name: 'Kassza' }),
    ).toBeChecked();
    await page.getByRole('navigation').getByRole('link', { name: 'Futárok' }).click();
    const ask = page.getByRole('dialog', { name: 'Nem mentett változások' });
    await expect(ask).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await ask.getByRole('button', { name: 'Mentés és tovább' }).click();
    await expect(page).toHaveURL(new RegExp(slugFor('couriers')));
    const saved = await (await service.get(`/api/v3/admin/partners/${place.partner}/admins/${to.id}`)).json();
    expect(saved.permissions).toEqual(expect.arrayContaining(['order', 'order_accept', 'courier']));
    expect(saved.surfaces).toEqual(['admin', 'pos']);
  },
);

test(
  "one's own row: name and phone only, and no deleting",
  { tag: '@nightly' },
  async ({ page, visit, service }) => {
    const me = await (await service.get('/api/v3/admin/me')).json();
    await visit('users', me.targets[0].admin_id);
    await expect(page.getByText('Ez a te sorod.')).toBeVisible();
    await expect(page.getByLabel('Telefonszám')).toBeEnabled();
    await expect(page.getByLabel('E-mail-cím')).toBeDisabled();
    await expect(page.getByRole('switch', { name: 'Teljes hozzáférés' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Törlés' })).toHaveCount(0);
    // Nothing in the side takes the focus but what the menu shows.
    await settled(page);
    await expectAccessible(page);
    await page.getByLabel('Telefonszám').fill(`+36 1 ${Math.floor(Math.random() * 9_000_000 + 1_000_000)}`);
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
  },
);

test(
  'an invitation is sent again, a locked person is unlocked',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const invited = await makePerson(service, place, { password: undefined, password_again: undefined });
    await visit('users', invited.id);
    await page.getByRole('button', { name: 'Meghívó újraküldése' }).click();
    await expect(page.getByText(`Új meghívó ment ide: ${invited.email}`)).toBeVisible();

    // Guessing would lock this address out of the tests after it.
    const person = await makePerson(service, place);
    let status = 'locked';
    await page.route(new RegExp(`/admins/${person.id}$`), async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), status } });
    });
    await page.route(new RegExp(`/admins/${person.id}/unlock$`), (route) => {
      status = 'active';
      return route.continue();
    });
    await visit('users', person.id);
    await expect(page.getByText('Zárolva').first()).toBeVisible();
    await page.getByRole('button', { name: 'Feloldás' }).click();
    await expect(page.getByText('A zárolás feloldva')).toBeVisible();
    await expect(page.getByText('Zárolva')).toHaveCount(0);
  },
);

test(
  'staff of the till only are told to sign in there',
  { tag: '@nightly' },
  async ({ browser, service, place }) => {
    test.skip(!MAILS, 'the mails are elsewhere');
    const { email } = await makePerson(service, place, {
      surfaces: ['pos'],
      password: undefined,
      password_again: undefined,
    });
    const guest = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const page = await guest.newPage();
    await page.goto(await linkTo(email, '/meghivas'));
    await page.getByLabel('Vezetéknév').fill('Próba');
    await page.getByLabel('Keresztnév').fill('Pénztáros');
    await page.getByLabel('Új jelszó', { exact: true }).fill(PASS);
    await page.getByLabel('Új jelszó még egyszer').fill(PASS);
    await page.keyboard.press('Enter');
    await expect(
      page.getByText('Nem itt lépsz be, hanem az étterem készülékén, ahol dolgozol.'),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Tovább a belépéshez' })).toHaveCount(0);
    await guest.close();
  },
);

test('sessions are ended, a person is deleted and found by the filter', async ({
  page,
  visit,
  service,
  place,
  browser,
}) => {
  const person = await makePerson(service, place);
  const theirs = await signedIn(browser, person.email);
  await visit('users', person.id);
  await page.getByRole('button', { name: 'Munkamenetek befejezése' }).click();
  const ask = page.getByRole('dialog').last();
  await expect(ask.getByRole('button', { name: 'Mégsem' })).toBeFocused();
  await ask.getByRole('button', { name: 'Munkamenetek befejezése' }).click();
  await expect(page.getByText('A munkamenetek véget értek')).toBeVisible();
  expect(await aliveStatus(theirs)).toBe(401);
  await theirs.close();
  await page.getByRole('button', { name: 'Törlés' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Törlés' }).click();
  await expect(page).toHaveURL(new RegExp(`${slugFor('users')}$`));
  await expect(page.getByRole('link', { name: new RegExp(person.name) })).toHaveCount(0);
  await page.goto(`${page.url()}?status=archived&q=${person.name.split(' ')[1]}`);
  await expect(page.getByRole('link', { name: new RegExp(person.name) })).toBeVisible();
});

test(
  'an editor of one restaurant: own restaurant stays, rights that are lacking are locked with the reason',
  { tag: '@nightly' },
  async ({ service, place, browser }) => {
    const editor = await makePerson(service, place, {}, ['admin_login', 'user', 'courier', 'order']);
    const person = await makePerson(service, place, {}, ['admin_login', 'courier']);
    const context = await signedIn(browser, editor.email);
    const page = await context.newPage();
    await page.goto(`/r/${place.restaurant}/${slugFor('users')}/${person.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(person.name);
    // The target type is for who acts for the whole company.
    await expect(page.getByText('Hatókör')).toHaveCount(0);
    await expect(box(page, 'Rendelés elfogadása')).toBeDisabled();
    await expect(
      page.getByText('Neked sincs meg ez a jog, ezért nem adhatod és nem veheted el.').first(),
    ).toBeVisible();
    await expect(box(page, 'Futárok')).toBeEnabled();
    await page.getByRole('combobox', { name: 'Éttermek' }).press('Backspace');
    const forced = page.getByRole('dialog', { name: 'A saját étterem nem vehető ki' });
    await expect(forced).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await forced.getByRole('button', { name: 'Értem' }).click();
    await box(page, 'Futárok').uncheck();
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
    // The provider of sign-ins is the whole company's.
    await expect(page.getByRole('link', { name: 'Belépési szolgáltató' })).toHaveCount(0);
    await context.close();
  },
);

test(
  'an unknown user: a message with a way back',
  { tag: '@nightly' },
  async ({ page, visit, expectConsole }) => {
    expectConsole(/404/);
    await visit('users', '00000000-0000-7000-8000-000000000000');
    await expect(page.getByRole('heading', { name: 'Ez nincs meg' })).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Vissza a listához' }).click();
    await expect(page).toHaveURL(new RegExp(`${slugFor('users')}$`));
  },
);

test(
  'in English, a double click makes one user',
  { tag: '@nightly' },
  async ({ page, visit, service, place, expectConsole }) => {
    expectConsole(/409/);
    const mark = unique();
    await visit('users', 'uj');
    await page.getByLabel('Vezetéknév').fill('Próba');
    await page.getByLabel('Keresztnév').fill(mark);
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page).toHaveURL(/\/users\/new$/);
    await expect(page.getByLabel('Last name')).toHaveValue('Próba');
    await page.getByLabel('E-mail').fill(`proba-${mark}@pult.example`);
    await page.getByRole('button', { name: 'Save', exact: true }).dblclick();
    await expect(page.getByText('The invitation went to')).toBeVisible();
    expect(
      await (await service.get(`/api/v3/admin/partners/${place.partner}/admins?name=${mark}`)).json(),
    ).toHaveLength(1);
    await page.getByRole('button', { name: 'Magyar', exact: true }).click();
    await removeNamed(service, place, mark);
  },
);

test('the editor is sound', { tag: '@nightly' }, async ({ page, visit, service, place }) => {
  const person = await makePerson(service, place, {}, ['admin_login', 'order', 'pos_cart_discount']);
  await visit('users', person.id);
  await expectSound(page, [{ name: 'editor', path: `${pathOf('users', place.restaurant)}/${person.id}` }]);
});
