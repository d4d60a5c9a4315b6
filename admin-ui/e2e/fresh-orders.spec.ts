import { AxeBuilder } from '@axe-core/playwright';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expect, expectAccessible, settled, smallTargets, test as base } from './fixtures.ts';
import { slugFor } from './screens.ts';
import { API_HEADERS, SERVICE } from './sign-in.ts';

/** Orders are sent to another instance of the service where there is one: events must come all the same. */
const OTHER_INSTANCE = process.env.PULT_E2E_URL_2 ?? SERVICE;

interface Sent {
  id: string;
  counter: string;
  total_price: number;
  /** Last name: no other order on the board has it. */
  guest: string;
}

interface Shop {
  send: (part?: object) => Promise<Sent>;
  order: (id: string) => Promise<Record<string, unknown>>;
  accept: (id: string, minutes?: number) => Promise<number>;
  setting: (change: object) => Promise<void>;
}

type Sub = { id: string; price: number; available: boolean; option_group_ids: string[] };
type Category = { children?: Category[]; products: { subproducts: Sub[] }[] };

/** A web shop of the restaurant that is open now, with an API key of its own. What it ordered is cancelled afterwards. */
const test = base.extend<{ shop: Shop }>({
  place: async ({ service }, use) => {
    const me = await (await service.get('/api/v3/admin/me')).json();
    const partner = me.targets[0].partner_id;
    for (const { id } of await (await service.get(`/api/v3/admin/partners/${partner}/restaurants`)).json()) {
      const menu = await (await service.get(`/api/v3/partners/${partner}/restaurants/${id}/menu?channel=online`)).json();
      if (menu.restaurant.open_now) return use({ partner, restaurant: id, api: `/api/v3/admin/partners/${partner}/restaurants/${id}` });
    }
    throw new Error('no restaurant of the demo partner is open');
  },

  shop: async ({ playwright, service, place }, use) => {
    const orders = `/api/v3/partners/${place.partner}/restaurants/${place.restaurant}`;
    const made = await (await service.post(`${place.api}/api-keys`, { data: { name: `E2E ${Date.now()}`, scopes: ['menu:read', 'orders:write', 'orders:read'] } })).json();
    const client = await playwright.request.newContext({ baseURL: OTHER_INSTANCE, extraHTTPHeaders: { Authorization: `Bearer ${made.api_key}` } });
    const menu = await (await client.get(`${orders}/menu?channel=online`)).json();
    const all = (categories: Category[]): Sub[] => categories.flatMap((c) => [...c.products.flatMap((p) => p.subproducts), ...all(c.children ?? [])]);
    const item = all(menu.categories).find((s) => s.available && s.option_group_ids.length === 0 && s.price > 1000)!;
    const sent: string[] = [];
    const before = await (await service.get(place.api)).json();

    await use({
      send: async (part = {}) => {
        const guest = `Próba${Math.random().toString(36).slice(2, 8)}`;
        const answer = await client.post(`${orders}/orders`, {
          headers: { 'Idempotency-Key': crypto.randomUUID() },
          data: {
            platform: 'browser', pickup: true, first_name: 'Réka', last_name: guest, email: 'reka@pult.example', phone_1: '+36301234567', payment_method: 'cash',
            items: [{ subproduct_id: item.id, quantity: 3, message: 'kapor nélkül' }],
            ...part,
          },
        });
        expect(answer.status(), await answer.text()).toBe(201);
        const order = await answer.json();
        sent.push(order.id);
        return { ...order, guest };
      },
      order: async (id) => (await service.get(`${place.api}/orders/${id}`)).json(),
      accept: async (id, minutes) => (await service.put(`${place.api}/orders/${id}/accept`, { data: minutes ? { delivery_time_minute: minutes } : {} })).status(),
      setting: async (change) => void expect((await service.put(`${place.api}/system`, { data: change })).status()).toBe(200),
    });

    if (before.order_accept_on_open !== undefined) await service.put(`${place.api}/system`, { data: { order_accept_on_open: before.order_accept_on_open } });
    for (const id of sent) await service.put(`${place.api}/orders/${id}/archive`, { data: { reason: 'test' } });
    await service.delete(`${place.api}/api-keys/${made.id}`);
    await client.dispose();
  },
});

// The tests share one board: one after the other.
test.describe.configure({ mode: 'default' });

const card = (page: Page, order: Sent): Locator => page.locator(`[data-order="${order.id}"]`);
const waiting = (page: Page) => page.getByRole('region', { name: /^Elfogadásra vár/ });
const accepted = (page: Page) => page.getByRole('region', { name: /^Elfogadva/ });
/** The board is read: either cards or the text of the empty list. */
const ready = (page: Page) => expect(page.locator('[data-order], .state').first()).toBeVisible();

test('an order sent with an API key appears within a second, with everything on it', async ({ page, visit, shop }) => {
  await visit('fresh_orders');
  await ready(page);
  const order = await shop.send({ message: 'A hátsó ajtónál' });
  await expect(card(page, order)).toBeVisible({ timeout: 1000 });
  await expect(waiting(page).locator(card(page, order))).toBeVisible();
  for (const text of [order.counter, 'Weboldal', order.guest, 'Személyesen átveszi', '+36 30 123 4567', '3×', 'kapor nélkül', 'A hátsó ajtónál', 'Fizetendő', 'Készpénz', 'most jött']) {
    await expect(card(page, order)).toContainText(text);
  }
  await expect(card(page, order).getByRole('link', { name: '+36 30 123 4567' })).toHaveAttribute('href', 'tel:+36301234567');

  const popup = page.getByRole('status').filter({ hasText: 'Új rendelés' }).filter({ hasText: order.guest });
  await expect(popup).toBeVisible();
  await expect(page).toHaveTitle(/Új rendelés!/);
  await expect(page).toHaveTitle(/^Friss rendelések/);
  await expect(popup, 'goes away by itself').toBeHidden({ timeout: 7000 });
});

test('a delivery address leads to the map', async ({ page, visit, shop }) => {
  await visit('fresh_orders');
  const order = await shop.send({ pickup: false, delivery_data: { postcode: '1061', city: 'Budapest', street: 'Szív utca', premise_number: '14', floor: '2', door_number: '3', address_notes: 'A kapu elromlott' } });
  const link = card(page, order).getByRole('link', { name: /1061 Budapest, Szív utca 14/ });
  await expect(link).toHaveAttribute('href', /^https:\/\/www\.openstreetmap\.org\/search\?query=/);
  await expect(card(page, order)).toContainText('2. emelet · 3. ajtó');
  await expect(card(page, order)).toContainText('A kapu elromlott');
});

test('accepted with 20 minutes, it shows the promise with ten minutes to both sides', async ({ page, visit, shop }) => {
  await visit('fresh_orders');
  const order = await shop.send();
  await card(page, order).getByRole('button', { name: 'Elfogad · 20 p' }).click();
  await expect(accepted(page).locator(card(page, order))).toBeVisible();
  const now = (await shop.order(order.id)) as { status: string; delivery_time_minute: number; expected_at: string };
  expect(now).toMatchObject({ status: 'processed', delivery_time_minute: 20 });
  const time = (shift: number) => new Date(Date.parse(now.expected_at) + shift * 60_000).toLocaleTimeString('hu-HU', { timeZone: 'Europe/Budapest', hour: '2-digit', minute: '2-digit' });
  await expect(card(page, order)).toContainText(`${time(-10)}–${time(10)}`);
});

test('a double tap acts once', async ({ page, visit, shop }) => {
  const first = await shop.send();
  const second = await shop.send();
  await visit('fresh_orders');
  await expect(card(page, first)).toBeVisible();
  await settled(page);
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && calls.push(request.url()));
  await card(page, first).getByRole('button', { name: /^Elfogad · / }).first().dblclick();
  await expect(accepted(page).locator(card(page, first))).toBeVisible();
  await expect(waiting(page).locator(card(page, second))).toBeVisible();
  expect(calls.filter((url) => url.includes('/accept'))).toHaveLength(1);
});

test('refused with a reason: the dialog names order and effect', async ({ page, visit, shop }) => {
  test.slow();
  await visit('fresh_orders');
  const order = await shop.send();
  await card(page, order).getByRole('button', { name: /További műveletek/ }).click();
  await page.getByRole('menuitem', { name: 'Elutasítás…' }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(order.counter) });
  await expect(dialog).toContainText(order.guest);
  await expect(dialog).toContainText('a vendég e-mailt kap róla');
  await expect(dialog.getByRole('button', { name: 'Mégsem' })).toBeFocused();
  await settled(page);
  // The dialog alone: axe takes cards that it half covers for targets that are too small.
  const { violations } = await new AxeBuilder({ page }).include('[role=dialog]').withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
  expect(violations.map((v) => v.id)).toEqual([]);

  await dialog.getByRole('button', { name: 'Elutasítás' }).click();
  await expect(dialog.getByText('Válassz egy okot!')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Más ok' }).check();
  await dialog.getByRole('button', { name: 'Elutasítás' }).click();
  await expect(dialog.getByText('Írd le, mi az oka!')).toBeVisible();
  await dialog.getByRole('textbox').fill('Elromlott a sütő');
  await dialog.getByRole('button', { name: 'Elutasítás' }).click();
  await expect(dialog).toBeHidden();
  await expect(card(page, order)).toHaveCount(0);
  expect(await shop.order(order.id)).toMatchObject({ archive_reason: 'other', archive_reason_text: 'Elromlott a sütő' });
});

test('two windows stay in step', async ({ page, context, visit, shop }) => {
  await visit('fresh_orders');
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  const order = await shop.send();
  await expect(card(page, order)).toBeVisible();
  await expect(card(other, order)).toBeVisible();
  await card(other, order).getByRole('button', { name: /^Elfogad · / }).first().click();
  await expect(accepted(page).locator(card(page, order))).toBeVisible();
  await expect(accepted(other).locator(card(other, order))).toBeVisible();
});

test('who comes second is told, and sees the present state', async ({ page, visit, shop, expectConsole }) => {
  expectConsole(/409/);
  // This window hears nothing.
  await page.routeWebSocket(/fresh-orders/, () => undefined);
  const order = await shop.send();
  await visit('fresh_orders');
  await expect(card(page, order)).toBeVisible();
  expect(await shop.accept(order.id)).toBe(200);
  await card(page, order).getByRole('button', { name: /^Elfogad · / }).first().click();
  await expect(page.getByText(`Ezt közben más intézte: ${order.counter}`)).toBeVisible();
  await expect(accepted(page).locator(card(page, order))).toBeVisible();
});

test('a cut connection misses nothing and doubles nothing', async ({ page, visit, shop }) => {
  let cut = false;
  const urls: string[] = [];
  const open = new Set<() => Promise<void>>();
  await page.routeWebSocket(/fresh-orders/, (socket) => {
    urls.push(socket.url());
    if (cut) return void socket.close({ code: 1012 });
    const server = socket.connectToServer();
    const end = async () => {
      await socket.close({ code: 1012 });
      await server.close();
    };
    open.add(end);
    server.onMessage((message) => socket.send(message));
  });
  await visit('fresh_orders');
  await ready(page);
  const before = await shop.send();
  await expect(card(page, before)).toBeVisible();

  cut = true;
  for (const end of open) await end();
  await expect(page.locator('.live')).toHaveAttribute('data-state', 'reconnecting');
  const during = [await shop.send(), await shop.send()];
  await shop.accept(before.id);
  cut = false;
  await expect(page.locator('.live')).toHaveAttribute('data-state', 'live', { timeout: 15_000 });
  for (const order of during) await expect(waiting(page).locator(card(page, order))).toHaveCount(1);
  await expect(accepted(page).locator(card(page, before))).toHaveCount(1);
  expect(urls.at(-1)).toMatch(/last_event_id=\d+/);
});

test('an order between the first reading and the first word of the connection is not missed', async ({ page, visit, shop }) => {
  let connect: () => void = () => undefined;
  const wanted = new Promise<void>((resolve) => (connect = resolve));
  await page.routeWebSocket(/fresh-orders/, async (socket) => {
    await wanted;
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(message));
  });
  await visit('fresh_orders');
  await ready(page);
  const order = await shop.send();
  connect();
  await expect(card(page, order)).toBeVisible();
});

test('new orders wait while one has scrolled away', async ({ page, visit, shop }) => {
  await page.setViewportSize({ width: 390, height: 500 });
  await shop.send();
  await shop.send();
  await visit('fresh_orders');
  await expect(page.locator('[data-order]').nth(1)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 500));
  await page.waitForFunction(() => scrollY > 300);
  const order = await shop.send();
  const bar = page.getByRole('button', { name: '1 új rendelés betöltése' });
  await expect(bar).toBeVisible();
  await expect(card(page, order)).toHaveCount(0);
  await bar.click();
  await expect(card(page, order)).toHaveCount(1);
  await expect(bar).toBeHidden();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test.describe('opening', () => {
  test('accepts first when the restaurant wants it so', async ({ page, visit, shop }) => {
    await shop.setting({ order_accept_on_open: true });
    await visit('fresh_orders');
    const order = await shop.send();
    await card(page, order).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${slugFor('order_page')}/${order.id}$`));
    await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${order.counter} `));
    expect((await shop.order(order.id)).status).toBe('processed');
  });

  test('only opens when it does not; the page accepts and cancels, once', async ({ page, visit, shop }) => {
    test.slow();
    await shop.setting({ order_accept_on_open: false });
    await visit('fresh_orders');
    const order = await shop.send();
    await card(page, order).getByRole('link', { name: order.counter }).click();
    await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();
    expect((await shop.order(order.id)).status).toBe('succeeded');
    await settled(page);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Elfogad · 45 p' }).click();
    await expect(page.getByRole('button', { name: 'Elfogad · 45 p' })).toHaveCount(0);
    await expect(page.getByRole('listitem').filter({ hasText: 'Elfogadva' })).toContainText('admin');
    await page.getByRole('button', { name: 'Sztornó' }).click();
    const dialog = page.getByRole('dialog', { name: `Sztornózod ezt a rendelést: ${order.counter}?` });
    await dialog.getByRole('radio', { name: 'A vendég kérte' }).check();
    await dialog.getByRole('button', { name: 'Sztornó' }).click();
    await expect(page.getByText('Ezt a rendelést sztornózták')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sztornó' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Vissza' }).click();
    await expect(page).toHaveURL(new RegExp(`${slugFor('fresh_orders')}$`));
    await expect(card(page, order)).toHaveCount(0);
  });

  test('an order that is not there: only the error, and dismissing it goes back', async ({ page, visit, place, expectConsole }) => {
    expectConsole(/404/);
    await visit('fresh_orders');
    await page.goto(`/r/${place.restaurant}/${slugFor('order_page')}/01900000-0000-7000-8000-0000000000ff`);
    await expect(page.getByRole('alert')).toContainText('Nincs ilyen rendelés.');
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
    await page.getByRole('button', { name: 'Bezárás' }).click();
    await expect(page).toHaveURL(new RegExp(`${slugFor('fresh_orders')}$`));
  });
});

test('by keyboard: arrows, letters, and letters switched off', async ({ page, visit, shop }) => {
  const first = await shop.send();
  const second = await shop.send();
  const third = await shop.send();
  await visit('fresh_orders');
  await card(page, first).focus();
  await page.keyboard.press('ArrowRight');
  await expect(card(page, second)).toBeFocused();
  await page.keyboard.press('a');
  await expect(accepted(page).locator(card(page, second))).toBeVisible();
  await expect(card(page, third), 'the focus goes on').toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog', { name: new RegExp(third.counter) })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Rendelések beállításai' }).click();
  await page.getByRole('switch', { name: 'Egybetűs gyorsbillentyűk' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await card(page, third).focus();
  await page.keyboard.press('a');
  await page.waitForTimeout(500);
  await expect(waiting(page).locator(card(page, third))).toBeVisible();
});

test('the bell: one of two tabs rings, and none when it is off', async ({ page, context, visit, shop }) => {
  // Counts what is struck instead of listening.
  await context.addInitScript(() => {
    const strikes = AudioContext.prototype.createOscillator;
    Object.assign(window, { struck: 0 });
    AudioContext.prototype.createOscillator = function () {
      (window as unknown as { struck: number }).struck++;
      return strikes.call(this);
    };
  });
  const struck = (tab: Page) => tab.evaluate(() => (window as unknown as { struck: number }).struck);
  await visit('fresh_orders');
  const other = await context.newPage();
  await other.goto(page.url());
  await ready(other);
  // Both tabs have been touched, so both may sound.
  for (const tab of [page, other]) await tab.getByRole('heading', { level: 1 }).click();
  const order = await shop.send();
  await expect(card(page, order)).toBeVisible();
  await expect(card(other, order)).toBeVisible();
  await expect.poll(async () => (await struck(page)) + (await struck(other))).toBeGreaterThan(0);
  await page.waitForTimeout(300);
  expect([await struck(page), await struck(other)].filter((n) => n > 0)).toHaveLength(1);
  await other.close();

  await page.getByRole('button', { name: 'Hang', exact: true }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Hang', exact: true }), 'kept on the device').toHaveAttribute('aria-pressed', 'false');
  await expect(card(page, order)).toBeVisible();
  const second = await shop.send();
  await expect(card(page, second)).toBeVisible();
  expect(await struck(page)).toBe(0);
});

test('SOS close asks, tells, and ends', async ({ page, visit, place, service }) => {
  // In another restaurant, where no other test orders.
  const rows = await (await service.get(`/api/v3/admin/partners/${place.partner}/restaurants`)).json();
  const elsewhere = rows.find((row: { id: string }) => row.id !== place.restaurant).id;
  await visit('fresh_orders');
  await page.goto(`/r/${elsewhere}/${slugFor('fresh_orders')}`);
  const close = page.getByRole('button', { name: 'SOS zárás' });
  await close.click();
  const sure = page.getByRole('dialog', { name: /Bezárod a rendelésfelvételt/ });
  await expect(sure.getByRole('button', { name: 'Mégsem' })).toBeFocused();
  await sure.getByRole('button', { name: 'SOS zárás' }).click();
  await expect(page.getByRole('alert')).toContainText('nem vesz fel új rendelést');
  await expect(close).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('nem vesz fel új rendelést');
  await page.getByRole('button', { name: 'Újra nyitás' }).click();
  await expect(close).toBeVisible();
});

test('slips of 80 mm go to the print dialog', async ({ page, visit, shop }) => {
  await page.addInitScript(() => {
    window.print = () => Object.assign(window, { slip: document.querySelector('#slip')?.textContent });
  });
  const slip = () => page.evaluate(() => (window as unknown as { slip?: string }).slip ?? '');
  await visit('fresh_orders');
  const order = await shop.send();
  const print = async (name: string) => {
    await card(page, order).getByRole('button', { name: /További műveletek/ }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await print('Konyhai blokk');
  await expect.poll(slip).toContain('kapor nélkül');
  expect(await slip()).toContain(order.counter);
  expect(await slip()).not.toContain('Ft');
  await print('Vendégblokk');
  await expect.poll(slip).toContain('Nem adóügyi bizonylat.');
  expect(await slip()).toMatch(/Összesen[\s\d\u202f\u00a0]+Ft/);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('#slip')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Friss rendelések' })).toBeHidden();
});

for (const [width, colorScheme, density] of [[1440, 'light', 'desk'], [1440, 'dark', 'desk'], [1024, 'light', 'touch'], [390, 'dark', 'touch']] as const) {
  test(`accessible with orders: ${width} px, ${colorScheme}, ${density}`, async ({ page, visit, shop }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript((value) => localStorage.setItem('pult.look', JSON.stringify({ density: value })), density);
    const order = await shop.send();
    await shop.accept(order.id);
    await shop.send({ message: 'Hosszú megjegyzés, hogy lássuk, mi lesz vele a keskeny kártyán, ha nem fér el egy sorban.' });
    await visit('fresh_orders');
    await expect(card(page, order)).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    expect(await smallTargets(page), 'targets under 24 px').toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'scrolls sideways').toBeLessThanOrEqual(0);
    if (density === 'desk') return;
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('main a, main button')].map((el) => ({ name: el.textContent, box: el.getBoundingClientRect() })).filter(({ box }) => box.width < 44 || box.height < 44).map(({ name, box }) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`));
    expect(small, 'targets under 44 px').toEqual([]);
    expect((await page.locator('.accept-main').first().boundingBox())!.height, 'the main action').toBe(56);
  });
}

test('in English', async ({ page, visit, shop }) => {
  await visit('fresh_orders');
  const order = await shop.send();
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fresh orders' })).toBeVisible();
  await expect(card(page, order)).toContainText('Picks it up');
  await card(page, order).getByRole('button', { name: 'Accept · 10 min' }).click();
  await expect(page.getByRole('region', { name: /^Accepted/ }).locator(card(page, order))).toBeVisible();
});

test.describe('without the rights', () => {
  /** The service says what this person may; the page must not offer more. */
  const without = async (page: Page, service: APIRequestContext, ...gone: string[]) => {
    const me = await (await service.get('/api/v3/admin/me')).json();
    for (const target of me.targets) target.permissions = target.permissions.filter((key: string) => !gone.includes(key));
    await page.route('**/api/v3/admin/me', (route) => route.fulfill({ json: me, headers: API_HEADERS }));
  };

  test('no accepting and no refusing', async ({ page, visit, shop, service }) => {
    await without(page, service, 'order_accept', 'order_storno');
    await visit('fresh_orders');
    const order = await shop.send();
    await expect(card(page, order)).toBeVisible();
    await expect(card(page, order).getByRole('button', { name: /Elfogad/ })).toHaveCount(0);
    await card(page, order).focus();
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();
    await expect(page.getByRole('button', { name: /Elfogad|Elutasítás|Sztornó/ })).toHaveCount(0);
    expect((await shop.order(order.id)).status).toBe('succeeded');
  });
});
