import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test';
import { request } from '@playwright/test';
import { expect, expectAccessible, type Place, settled } from './fixtures.ts';
import { test as base } from './new-restaurant.ts';
import { makePerson, removePeople, signedIn, unique } from './people.ts';
import { pathOf } from './screens.ts';
import { API_HEADERS, SERVICE, stateFile } from './sign-in.ts';
import { expectSound } from './sound.ts';

interface Row {
  id: string;
  name: string;
  version: number;
  balance: number | null;
}

const PIN = '25803691';
const RIGHTS = ['admin_login', 'customer', 'customer_export', 'fresh_order', 'order_accept'];

/** Somebody of their own: others' tests give the demo's people other PINs at the same time. */
class Desk {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #place: Place;

  constructor(context: BrowserContext, page: Page, place: Place) {
    this.#context = context;
    this.page = page;
    this.#place = place;
  }

  /** A call of the area with the PIN. */
  async call<T = Row>(method: 'get' | 'post' | 'put' | 'delete', sub = '', data?: object): Promise<T> {
    const answer = await this.#context.request[method](
      `${SERVICE}${this.#place.api}/shadow-customers${sub}`,
      {
        headers: { ...API_HEADERS, 'X-Pin': PIN },
        ...(data ? { data } : {}),
      },
    );
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.text()) ? ((await answer.json()) as T) : (undefined as T);
  }

  make = (last_name: string, rest: object = {}) =>
    this.call('post', '', { last_name, first_name: 'Anna', ...rest });

  async open(sub = ''): Promise<void> {
    await this.page.goto(`${SERVICE}${pathOf('customers', this.#place.restaurant)}${sub}`);
    await expect(this.page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible();
  }

  /** Opens a page of the area, through its gate. */
  async enter(sub = ''): Promise<void> {
    await this.open(sub);
    await this.page.getByLabel('PIN-kód').fill(PIN);
    await this.page.getByRole('button', { name: 'Megnyitás' }).click();
    await expect(this.page.getByLabel('PIN-kód')).toHaveCount(0);
    await settled(this.page);
  }
}

async function switchOn(place: Place, features: string[]): Promise<void> {
  const platform: APIRequestContext = await request.newContext({
    baseURL: SERVICE,
    extraHTTPHeaders: API_HEADERS,
    storageState: stateFile('super'),
  });
  const path = `/api/v3/super-admin/restaurants/${place.restaurant}`;
  const had = ((await (await platform.get(`${path}/switches`)).json()) as { features: string[] }).features;
  const answer = await platform.put(`${path}/features`, {
    data: { features: [...new Set([...had, ...features])] },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  await platform.dispose();
}

async function sitDown(
  browser: Browser,
  service: APIRequestContext,
  place: Place,
  use: (desk: Desk) => Promise<void>,
): Promise<void> {
  const person = await makePerson(service, place, { has_pin: true, pin: PIN }, RIGHTS);
  const context = await signedIn(browser, person.email);
  await use(new Desk(context, await context.newPage(), place));
  await context.close();
  await removePeople(service, place);
}

const test = base.extend<{ desk: Desk }>({
  desk: async ({ browser, service, place }, use) => {
    await switchOn(place, ['balance', 'loyalty']);
    await sitDown(browser, service, place, use);
  },
});
// They share a restaurant, and sign-ins of one address are counted.
test.describe.configure({ mode: 'default' });

const saved = (page: Page) => expect(page.getByText('Sikeres mentés').first()).toBeVisible();
const card = (page: Page, title: string) =>
  page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) });

test('the PIN opens the area, once it is right; search and filters find somebody', async ({ desk }) => {
  test.setTimeout(90_000);
  const { page } = desk;
  const mark = `Kereső${unique()}`;
  const email = `${unique()}@pult.example`;
  await desk.make(mark, { email });
  await desk.open();
  const pin = page.getByLabel('PIN-kód');
  await expect(pin).toBeFocused();
  await settled(page);
  await expectAccessible(page);
  await pin.fill('1234');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Hibás PIN-kód.')).toBeVisible();
  await expect(pin).toHaveValue('');
  await pin.fill(PIN);
  await page.getByRole('button', { name: 'Újra' }).click();
  await expect(pin).toHaveCount(0);

  const search = page.getByRole('textbox', { name: 'Név, telefonszám vagy e-mail-cím' });
  await search.fill(email);
  await page.keyboard.press('Enter');
  const row = page.getByRole('link', { name: new RegExp(mark) });
  await expect(row).toBeVisible();
  await expect(page.getByText('Összesen 1')).toBeVisible();
  // What somebody is called stands in no address.
  expect(page.url()).not.toContain('pult.example');

  await page.getByRole('button', { name: 'További szűrők' }).click();
  const filters = page.getByRole('dialog', { name: 'További szűrők' });
  const orders = filters.getByRole('group', { name: 'Rendelések száma' });
  await orders.getByLabel('Ettől').fill('3');
  await orders.getByLabel('Eddig').fill('1');
  await filters.getByRole('button', { name: 'Szűrés' }).click();
  await expect(filters.getByText('Ez nem lehet kisebb az elsőnél.')).toBeVisible();
  await orders.getByLabel('Eddig').fill('9');
  await settled(page);
  await expectAccessible(page);
  await filters.getByRole('button', { name: 'Szűrés' }).click();
  await expect(filters).toHaveCount(0);
  await expect(page).toHaveURL(/order_count_from=3/);
  await expect(page.getByText('Nincs találat')).toBeVisible();
  await page.getByRole('button', { name: /^Szűrő törlése: Rendelések száma/ }).click();
  await expect(row).toBeVisible();
  await page.getByRole('combobox', { name: 'Egyenleg' }).click();
  await page.locator('.ant-select-item-option', { hasText: 'Nulla' }).click();
  await expect(row).toBeVisible();

  // Another visit begins at the gate again; the search went with the area, the filters did not.
  await page.reload();
  await expect(pin).toBeVisible();
  await expect(page.getByText(mark)).toHaveCount(0);
});

test('a customer is entered and changed, with addresses; another editor causes a conflict', async ({
  desk,
}) => {
  test.setTimeout(90_000);
  const { page } = desk;
  const mark = `Új${unique()}`;
  await desk.enter();
  await page.getByRole('button', { name: 'Új vendég' }).first().click();
  await expect(page).toHaveURL(/\/uj$/);
  await expect(page.getByLabel('Vezetéknév')).toBeFocused();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Ezt a mezőt ki kell tölteni!')).toHaveCount(2);
  await expect(page.getByLabel('Vezetéknév')).toBeFocused();
  await page.getByLabel('Vezetéknév').fill(mark);
  await page.getByLabel('Keresztnév').fill('Béla');
  await page.getByLabel('E-mail-cím').fill(`${unique()}@pult.example`);
  await page.getByRole('button', { name: 'Azonosító hozzáadása' }).click();
  await page.getByLabel('Platform').fill('Teszt');
  await page.getByRole('group', { name: '1. azonosító' }).getByLabel('Azonosító').fill('T-1');
  await page.keyboard.press('Control+s');
  await saved(page);
  await expect(page.getByRole('heading', { level: 1, name: `${mark} Béla` })).toBeVisible();
  const id = page.url().split('/').at(-1)!;

  const addresses = card(page, 'Címek');
  await addresses.getByRole('button', { name: 'Új cím' }).click();
  const drawer = page.getByRole('dialog', { name: 'Új cím' });
  await drawer.getByRole('button', { name: 'Mentés' }).click();
  await expect(drawer.getByText('Ezt a mezőt ki kell tölteni!')).toHaveCount(3);
  await drawer.getByLabel('Irányítószám').fill('8230');
  await drawer.getByLabel('Város').fill('Balatonfüred');
  await drawer.getByLabel('Utca').fill('Fő utca');
  await drawer.getByLabel('Házszám').fill('1.');
  await drawer.getByLabel('Emelet').fill('2');
  await settled(page);
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Mentés' }).click();
  await expect(drawer).toHaveCount(0);
  const line = '8230 Balatonfüred, Fő utca 1.';
  await expect(addresses.getByText(line)).toBeVisible();
  await addresses.getByRole('button', { name: `Módosítás: ${line}` }).click();
  const change = page.getByRole('dialog', { name: 'Cím módosítása' });
  await change.getByLabel('Kapucsengő').fill('12');
  await page.keyboard.press('Control+s');
  await expect(addresses.getByText('csengő: 12')).toBeVisible();
  await addresses.getByRole('button', { name: `Törlés: ${line}` }).click();
  await expect(addresses.getByText('Még nincs cím.')).toBeVisible();
  await page.getByRole('button', { name: 'Visszavonás' }).click();
  await expect(addresses.getByText('csengő: 12')).toBeVisible();

  // Somebody else changes the same field meanwhile.
  await page.getByLabel('Jegyzet').fill('Az ablaknál ül');
  const { version } = await desk.call('get', `/${id}`);
  await desk.call('put', `/${id}`, { note: 'A teraszon ül', version });
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('dialog', { name: 'Közben más is módosította' });
  await expect(conflict.getByText('A teraszon ül')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await conflict.getByRole('button', { name: 'Az én változatom' }).click();
  await saved(page);
  // The word of the save before may still be there.
  await expect
    .poll(() => desk.call('get', `/${id}`))
    .toMatchObject({ note: 'Az ablaknál ül', external_ids: [{ platform: 'Teszt', id: 'T-1' }] });
});

test(
  'what is unsaved stays behind the cover when nobody touched the page for a while',
  { tag: '@nightly' },
  async ({ desk }) => {
    const { page } = desk;
    const row = await desk.make(`Fedett${unique()}`);
    await page.clock.install();
    await desk.enter(`/${row.id}`);
    await page.getByLabel('Jegyzet').fill('Megmarad');
    await page.clock.fastForward('06:00');
    const cover = page.getByRole('dialog', { name: 'Add meg újra a PIN-kódodat' });
    await cover.getByLabel('PIN-kód').fill(PIN);
    await cover.getByRole('button', { name: 'Megnyitás' }).click();
    await expect(cover).toHaveCount(0);
    await expect(page.getByLabel('Jegyzet')).toHaveValue('Megmarad');
    await page.getByRole('button', { name: 'Elvetés' }).click();
    // Without anything to lose the gate stands in the place of the page.
    await page.clock.fastForward('06:00');
    await expect(page.getByRole('heading', { level: 1, name: 'Vendégek' })).toBeVisible();
    await expect(page.getByText(row.name)).toHaveCount(0);
  },
);

test('payments go in and out, and points', async ({ desk }) => {
  test.setTimeout(90_000);
  const { page } = desk;
  const row = await desk.make(`Egyenleg${unique()}`);
  await desk.enter(`/${row.id}`);
  const balance = card(page, 'Egyenleg');
  await expect(balance.getByLabel('Első nap')).toHaveValue('2010/10/10');
  const pay = async (direction: string, value: string) => {
    await balance.getByRole('button', { name: 'Befizetés vagy kifizetés' }).click();
    const drawer = page.getByRole('dialog', { name: 'Befizetés vagy kifizetés' });
    await drawer.getByRole('radio', { name: direction }).check();
    if (direction === 'Befizetés') {
      await drawer.getByRole('button', { name: 'Rögzítés' }).click();
      await expect(drawer.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
      await settled(page);
      await expectAccessible(page);
    }
    await drawer.getByLabel('Mennyi').fill(value);
    if (direction === 'Kifizetés') {
      await drawer.getByLabel('Mikor').fill('2050/01/01 12:00');
      await page.keyboard.press('Enter');
      await drawer.getByRole('button', { name: 'Rögzítés' }).click();
      await expect(drawer.getByText('Ez az időpont még nem jött el.')).toBeVisible();
      await drawer.getByLabel('Mikor').fill('2026/01/02 12:00');
      await page.keyboard.press('Enter');
    }
    await drawer.getByRole('button', { name: 'Rögzítés' }).click();
    await expect(drawer).toHaveCount(0);
  };
  await pay('Befizetés', '5000');
  await expect(balance.getByText(/\+5\s000\sFt/)).toBeVisible();
  await pay('Kifizetés', '7000');
  await expect(balance.getByText(/-7\s000\sFt/).first()).toBeVisible();
  // The sums are the service's.
  await expect(balance.locator('.facts')).toContainText(/-2\s000\sFt/);
  await expect(card(page, 'Számokban').getByText('tartozás')).toBeVisible();
  expect((await desk.call('get', `/${row.id}`)).balance).toBe(-2000);
  await balance.getByLabel('Utolsó nap').fill('2026/01/02');
  await page.keyboard.press('Enter');
  await expect(balance.getByText(/\+5\s000\sFt/)).toHaveCount(0);

  const points = card(page, 'Pontok');
  await points.getByRole('button', { name: 'Pontok jóváírása vagy levonása' }).click();
  const give = page.getByRole('dialog', { name: 'Pontok jóváírása vagy levonása' });
  await give.getByLabel('Mennyi').fill('120');
  await give.getByLabel('Megjegyzés').fill('Kárpótlás');
  await give.getByRole('button', { name: 'Rögzítés' }).click();
  await expect(points.getByText('+120')).toBeVisible();

  await page.getByRole('button', { name: 'Vissza a listához' }).click();
  await page.getByRole('link', { name: 'Egyenlegek' }).click();
  await page.getByRole('combobox', { name: 'Egyenleg' }).click();
  await page.locator('.ant-select-item-option', { hasText: 'Tartozik' }).click();
  await expect(page.getByRole('link', { name: row.name })).toBeVisible();
  await settled(page);
  await expectAccessible(page);

  // While something is owed nobody is anonymised.
  await page.getByRole('link', { name: row.name }).click();
  await page.getByRole('button', { name: 'Anonimizálás' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Anonimizálás' }).click();
  await expect(page.getByText('Most nem anonimizálható').last()).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Bezárás' }).last().click();
});

test('two are merged and split again; one is anonymised', async ({ desk }) => {
  test.setTimeout(90_000);
  const { page } = desk;
  const mark = unique();
  const older = await desk.make(`Régi${mark}`);
  const younger = await desk.make(`Friss${mark}`);
  await desk.enter(`/${younger.id}`);
  await page.getByRole('button', { name: 'Összevonás' }).click();
  const drawer = page.getByRole('dialog', { name: 'Összevonás' });
  await drawer.getByRole('combobox', { name: 'Kivel' }).fill(`Régi${mark}`);
  await page.locator('.ant-select-item-option', { hasText: older.name }).click();
  await expect(
    drawer.getByRole('region', { name: older.name }).getByText('marad', { exact: true }),
  ).toBeVisible();
  await expect(drawer.getByRole('region', { name: younger.name }).getByText('beolvad')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Összevonás' }).click();
  // The older one stays, and is opened.
  await expect(page).toHaveURL(new RegExp(older.id));
  await expect(card(page, 'Beolvadt vendégek').getByText(younger.name)).toBeVisible();
  await desk.open(`/${younger.id}`);
  await desk.enter(`/${younger.id}`);
  await expect(page.getByText(/^Ez a vendég beolvadt egy másikba/)).toBeVisible();
  await expect(page.getByLabel('Jegyzet')).toBeDisabled();
  await page.getByRole('link', { name: 'A másik vendég megnyitása' }).click();
  await page.getByRole('button', { name: `Szétválasztás: ${younger.name}` }).click();
  await expect(card(page, 'Beolvadt vendégek')).toHaveCount(0);

  await page.getByRole('button', { name: 'Anonimizálás' }).click();
  const ask = page.getByRole('dialog', { name: /^Anonimizálod ezt a vendéget/ });
  await expect(ask.getByText('Ezt nem lehet visszavonni.')).toBeVisible();
  await expect(ask.getByRole('button', { name: 'Mégsem' })).toBeFocused();
  await settled(page);
  await expectAccessible(page);
  await ask.getByRole('button', { name: 'Anonimizálás' }).click();
  await expect(page.getByText('A vendég anonimizálva')).toBeVisible();
  await expect(page.getByRole('link', { name: older.name })).toHaveCount(0);
});

/** So many orders of somebody new, taken by staff. */
async function takeOrders(service: APIRequestContext, place: Place, count: number): Promise<string> {
  const name = `Rendelő${unique()}`;
  const made = async (path: string, data: object) => {
    const answer = await service.post(path, { data, headers: { 'Idempotency-Key': crypto.randomUUID() } });
    expect(answer.status(), await answer.text()).toBe(201);
    return answer.json();
  };
  const category = await made(`${place.api}/product-categories`, { name: 'Levesek' });
  const product = { name: 'Gulyásleves', base_price: 1000 };
  await made(`${place.api}/product-categories/${category.id}/products`, product);
  const shop = `/api/v3/partners/${place.partner}/restaurants/${place.restaurant}`;
  const menu = await (await service.get(`${shop}/menu?channel=phone`)).json();
  const items = [{ subproduct_id: menu.categories[0].products[0].subproducts[0].id, quantity: 1 }];
  // A number that nobody has: it finds the customer.
  const phone_1 = `+36 30 ${Math.floor(1_000_000 + Math.random() * 9_000_000)}`;
  const guest = { last_name: name, first_name: 'Rita', phone_1 };
  for (let taken = 0; taken < count; taken += 1)
    await made(`${shop}/orders`, { platform: 'phone', pickup: true, items, ...guest });
  return name;
}

test(
  'orders are read ten a page, and lead to their page and back',
  { tag: '@nightly' },
  async ({ desk, service, place }) => {
    test.setTimeout(90_000);
    const { page } = desk;
    const name = await takeOrders(service, place, 11);
    const [{ id, order_number }] = await desk.call<[Row & { order_number: number }]>('get', `?name=${name}`);
    expect(order_number).toBe(11);
    await desk.enter(`/${id}`);
    const orders = card(page, 'Rendelések');
    await orders.scrollIntoViewIfNeeded();
    const list = orders.getByRole('list', { name: 'Rendelések' }).getByRole('listitem');
    await expect(list.first()).toBeVisible();
    await expect(list).toHaveCount(10);
    await orders.getByRole('button', { name: 'Régebbiek: Rendelések' }).click();
    await expect(orders.getByText(/^11–/)).toBeVisible();
    await orders.getByRole('link').first().click();
    await expect(page.getByRole('heading', { name: 'Kosár' })).toBeVisible();
    // The guest's name leads back, to the gate.
    await page.locator('.fact-who').getByRole('link').click();
    await expect(page.getByLabel('PIN-kód')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(id));
    await expect(page.getByText(name)).toHaveCount(0);
  },
);

test('a file is rehearsed, refused row by row, and taken over', { tag: '@nightly' }, async ({ desk }) => {
  test.setTimeout(90_000);
  const { page } = desk;
  const mark = unique();
  await desk.enter('/import');
  const choose = async (text: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Fájl kiválasztása' }).click();
    await (await chooser).setFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  await choose(`Vezetéknév;Keresztnév;E-mail\nImport${mark};Ede;nem cím\n`);
  await expect(page.getByText('Hibás cellák: 1')).toBeVisible();
  await expect(page.getByText('2. sor')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await choose(`Vezetéknév;Keresztnév;E-mail\nImport${mark};Ede;${mark}@pult.example\n`);
  await expect(page.getByText('Új vendég: 1, kiegészül: 0.')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  expect(await desk.call<unknown[]>('get', `?name=Import${mark}`)).toEqual([]);
  await page.getByRole('button', { name: 'Betöltés', exact: true }).click();
  await expect(page.getByText('Új vendég: 1, kiegészült: 0')).toBeVisible();
  expect(await desk.call<unknown[]>('get', `?name=Import${mark}`)).toHaveLength(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Letöltés' }).click();
  expect((await download).suggestedFilename()).toBe('vasarlok.xlsx');
});

test('the pages of customers are sound', { tag: '@nightly' }, async ({ desk, place }) => {
  const { page } = desk;
  const row = await desk.make(`Hosszú${unique()}`, {
    email: `${unique()}@pult.example`,
    note: 'Megjegyzés',
    external_ids: [{ platform: 'Teszt', id: 'T-1' }],
    addresses: [{ postcode: '8230', city: 'Balatonfüred', street: 'Fő utca', premise_number: '1.' }],
  });
  await desk.call('post', `/${row.id}/balance`, { value: -1500, payment_method: 'cash' });
  await desk.enter();
  const start = pathOf('customers', place.restaurant);
  await expectSound(
    page,
    ['', `/${row.id}`, '/uj', '/egyenlegek', '/import'].map((at) => ({ name: at, path: start + at })),
  );
});

test('in English: a customer is found and opened', { tag: '@nightly' }, async ({ desk }) => {
  const { page } = desk;
  const row = await desk.make(`English${unique()}`);
  await desk.enter();
  await page.getByRole('button', { name: 'English' }).click();
  const search = page.getByRole('textbox', { name: 'Name, phone or e-mail' });
  await search.fill(row.name);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /English/ }).click();
  await expect(page.getByRole('heading', { name: 'In figures' })).toBeVisible();
  await expect(page.getByText('Has not ordered yet.')).toBeVisible();
});
