import type { APIRequestContext, Page } from '@playwright/test';
import { expect, expectAccessible, go, settled } from '../fixtures.ts';
import { pathOf, slugFor } from '../screens.ts';
import { API_HEADERS } from '../sign-in.ts';
import { accepted, card, ready, test, waiting } from './shop.ts';

/** Showing and handling an order by mouse, touch and keyboard, with and without the rights. */
export function orders(): void {
  test('an order sent with an API key appears within a second, with everything on it', async ({
    page,
    visit,
    shop,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await visit('fresh_orders');
    await ready(page);
    const order = await shop.send({ message: 'A hátsó ajtónál', phone_1: '+36301234567' });
    await expect(card(page, order)).toBeVisible({ timeout: 1000 });
    await expect(waiting(page).locator(card(page, order))).toBeVisible();
    for (const text of [
      order.counter,
      'Weboldal',
      order.guest,
      'Személyesen átveszi',
      '+36 30 123 4567',
      '3×',
      'kapor nélkül',
      'A hátsó ajtónál',
      'Fizetendő',
      'Készpénz',
      'most jött',
    ]) {
      await expect(card(page, order)).toContainText(text);
    }
    await expect(card(page, order).getByRole('link', { name: '+36 30 123 4567' })).toHaveAttribute(
      'href',
      'tel:+36301234567',
    );

    // The card itself announces the order; no popup covers the buttons.
    await expect(page.locator('.ant-notification-notice')).toHaveCount(0);
    await expect(page).toHaveTitle(/Új rendelés!/);
    await expect(page).toHaveTitle(/^Friss rendelések/, { timeout: 7000 });
  });

  test(
    'on another screen a popup shows name and amount of a new order',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
      await visit('couriers');
      await expect(page.locator('.live')).toHaveAttribute('data-state', 'live');
      await settled(page);
      const order = await shop.send();
      const popup = page
        .getByRole('status')
        .filter({ hasText: 'Új rendelés' })
        .filter({ hasText: order.guest });
      await expect(popup).toBeVisible();
      await expect(popup).toContainText(order.counter);
      await expect(popup).toContainText(/\d\sFt/);
      const { y, height } = (await popup.boundingBox())!;
      expect(y + height).toBeGreaterThan(page.viewportSize()!.height * 0.8);
      await settled(page);
      await expectAccessible(page);
      await expect(popup, 'goes away by itself').toBeHidden({ timeout: 7000 });
    },
  );

  test(
    'the bell counts all waiting orders, on every page',
    { tag: '@nightly' },
    async ({ page, context, visit, shop, service, place }) => {
      const bell = (tab: Page) => tab.locator('.bar-bell').first();
      const counted = async () =>
        (await (await service.get(`${place.api}/orders/waiting`)).json()).count as number;
      const order = await shop.send();
      await visit('couriers');
      await page.reload();
      await expect.poll(async () => (await bell(page).innerText()) === String(await counted())).toBe(true);
      expect(await counted()).toBeGreaterThan(0);
      await expect(bell(page)).toHaveAttribute('aria-label', /^(Egy|\d+) rendelés vár elfogadásra$/);
      // Looking at them takes nothing away, accepting does; other windows hear of it.
      const other = await context.newPage();
      await other.goto(page.url());
      await bell(page).click();
      await expect(card(page, order)).toBeVisible();
      await expect.poll(async () => (await bell(page).innerText()) === String(await counted())).toBe(true);
      await shop.accept(order.id);
      for (const tab of [page, other]) {
        await expect
          .poll(async () => ((await bell(tab).innerText()) || '0') === String(await counted()))
          .toBe(true);
      }
      await other.close();
    },
  );

  test(
    'a card that slides under the finger takes no tap for a second',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
      const first = await shop.send();
      const second = await shop.send();
      await visit('fresh_orders');
      await expect(card(page, second)).toBeVisible();
      await settled(page);
      // Another user removes the first order just before the tap.
      const box = (await card(page, first)
        .getByRole('button', { name: /^Elfogad · / })
        .first()
        .boundingBox())!;
      await shop.accept(first.id);
      await expect(waiting(page).locator(card(page, first))).toHaveCount(0);
      const under = await page.evaluate(
        ([x, y]) =>
          document.elementFromPoint(x!, y!)?.closest('[data-order]')?.getAttribute('data-order') ?? null,
        [box.x + 10, box.y + 10],
      );
      expect(under, 'nothing that reacts').toBeNull();
      await page.mouse.click(box.x + 10, box.y + 10);
      await page.waitForTimeout(1_200);
      expect((await shop.order(second.id)).status).toBe('succeeded');
      await expect(page.locator('[data-settling]')).toHaveCount(0);
      await card(page, second)
        .getByRole('button', { name: /^Elfogad · / })
        .first()
        .click();
      await expect(accepted(page).locator(card(page, second))).toBeVisible();
    },
  );

  test('accepting is taken back, at once and later by hand', async ({ page, visit, shop, place }) => {
    test.slow();
    const order = await shop.send();
    await visit('fresh_orders');
    await card(page, order)
      .getByRole('button', { name: /^Elfogad · / })
      .first()
      .click();
    await expect(accepted(page).locator(card(page, order))).toBeVisible();
    await page
      .getByRole('status')
      .filter({ hasText: `Elfogadva: ${order.counter}` })
      .getByRole('button', { name: 'Visszavonás' })
      .click();
    await expect(waiting(page).locator(card(page, order))).toBeVisible();
    expect((await shop.order(order.id)).status).toBe('succeeded');

    await shop.accept(order.id);
    await expect(accepted(page).locator(card(page, order))).toBeVisible();
    await card(page, order)
      .getByRole('button', { name: /További műveletek/ })
      .click();
    await page.getByRole('menuitem', { name: 'Elfogadás visszavonása' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Elfogadás visszavonása' }).click();
    await expect(waiting(page).locator(card(page, order))).toBeVisible();
    await go(page, `${pathOf('order_page', place.restaurant)}/${order.id}`);
    await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();
    await shop.accept(order.id);
    await page.getByRole('button', { name: 'Elfogadás visszavonása' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Elfogadás visszavonása' }).click();
    await expect(page.getByRole('button', { name: /^Elfogad · / }).first()).toBeVisible();
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Elfogadás visszavonva' }).first(),
    ).toBeVisible();
  });

  test(
    'a wrong ready is found below the lists and taken back, by keyboard too',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
      test.slow();
      const order = await shop.send();
      await shop.accept(order.id);
      await visit('fresh_orders');
      await card(page, order)
        .getByRole('button', { name: `Elkészült: ${order.counter}` })
        .click();
      await expect(card(page, order)).toHaveCount(0);
      const list = page.getByRole('group').filter({ hasText: 'Elkészült az utolsó két órában' });
      const back = list.getByRole('button', {
        name: new RegExp(`^Mégis készül: ${order.counter}\\.? rendelés$`),
      });
      await expect(back).toBeHidden();
      await list.locator('summary').focus();
      await page.keyboard.press('Enter');
      await expect(back).toBeVisible();
      await expect(list.getByRole('listitem').filter({ hasText: order.guest })).toContainText('elkészült: ');
      // What stands half below the sticky bar counts as too small to be hit.
      await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
      await settled(page);
      await expectAccessible(page);
      await back.focus();
      await page.keyboard.press('Enter');
      await expect(accepted(page).locator(card(page, order))).toBeFocused();
      await expect(back).toHaveCount(0);
      expect((await shop.order(order.id)).status).toBe('processed');
    },
  );

  test(
    'Ctrl+K finds it by the name and the phone of its guest',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
      const digits = Math.random().toString().slice(2, 9);
      const order = await shop.send({ phone_1: `+3630${digits}` });
      await visit('couriers');
      for (const text of [order.guest, `30 ${digits.slice(0, 3)} ${digits.slice(3)}`]) {
        await page.keyboard.press('Control+k');
        const hits = page.getByRole('dialog').getByRole('group', { name: 'Rendelések' });
        await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
        await page.keyboard.type(text);
        await expect(
          hits.getByRole('option', {
            name: new RegExp(`^${order.counter}\\.? rendelés · ${order.guest} Réka`),
          }),
        ).toBeVisible();
        await page.keyboard.press('Escape');
      }
      await page.keyboard.press('Control+k');
      await page.keyboard.type(order.guest);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(new RegExp(`${order.id}$`));
    },
  );

  test('a delivery address leads to the map', { tag: '@nightly' }, async ({ page, visit, shop }) => {
    await visit('fresh_orders');
    const order = await shop.send({
      pickup: false,
      delivery_data: {
        postcode: '1061',
        city: 'Budapest',
        street: 'Szív utca',
        premise_number: '14',
        floor: '2',
        door_number: '3',
        address_notes: 'A kapu elromlott',
      },
    });
    const link = card(page, order).getByRole('link', { name: /1061 Budapest, Szív utca 14/ });
    await expect(link).toHaveAttribute('href', /^https:\/\/www\.openstreetmap\.org\/search\?query=/);
    await expect(card(page, order)).toContainText('2. emelet · 3. ajtó');
    await expect(card(page, order)).toContainText('A kapu elromlott');
  });

  test('accepted with 20 minutes, it shows the promise with ten minutes to both sides', async ({
    page,
    visit,
    shop,
  }) => {
    await visit('fresh_orders');
    const order = await shop.send();
    await card(page, order).getByRole('button', { name: 'Elfogad · 20 p' }).click();
    await expect(accepted(page).locator(card(page, order))).toBeVisible();
    const now = (await shop.order(order.id)) as {
      status: string;
      delivery_time_minute: number;
      expected_at: string;
    };
    expect(now).toMatchObject({ status: 'processed', delivery_time_minute: 20 });
    const time = (shift: number) =>
      new Date(Date.parse(now.expected_at) + shift * 60_000).toLocaleTimeString('hu-HU', {
        timeZone: 'Europe/Budapest',
        hour: '2-digit',
        minute: '2-digit',
      });
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
    await card(page, first)
      .getByRole('button', { name: /^Elfogad · / })
      .first()
      .dblclick();
    await expect(accepted(page).locator(card(page, first))).toBeVisible();
    await expect(waiting(page).locator(card(page, second))).toBeVisible();
    expect(calls.filter((url) => url.includes('/accept'))).toHaveLength(1);
  });

  test('refused with a reason: the dialog names order and effect', async ({ page, visit, shop }) => {
    test.slow();
    await visit('fresh_orders');
    const order = await shop.send();
    await card(page, order)
      .getByRole('button', { name: /További műveletek/ })
      .click();
    await page.getByRole('menuitem', { name: 'Elutasítás…' }).click();
    const dialog = page.getByRole('dialog', { name: new RegExp(order.counter) });
    await expect(dialog).toContainText(order.guest);
    await expect(dialog).toContainText('a vendég e-mailt kap róla');
    await expect(dialog.getByRole('button', { name: 'Mégsem' })).toBeFocused();
    await settled(page);
    // The dialog alone: axe takes cards that it half covers for targets that are too small.
    await expectAccessible(page, '[role=dialog]');

    await dialog.getByRole('button', { name: 'Elutasítás' }).click();
    await expect(dialog.getByText('Válassz egy okot!')).toBeVisible();
    await dialog.getByRole('radio', { name: 'Más ok' }).check();
    await dialog.getByRole('button', { name: 'Elutasítás' }).click();
    await expect(dialog.getByText('Írd le, mi az oka!')).toBeVisible();
    await dialog.getByRole('textbox').fill('Elromlott a sütő');
    await dialog.getByRole('button', { name: 'Elutasítás' }).click();
    await expect(dialog).toBeHidden();
    await expect(card(page, order)).toHaveCount(0);
    expect(await shop.order(order.id)).toMatchObject({
      archive_reason: 'other',
      archive_reason_text: 'Elromlott a sütő',
    });
  });

  test.describe('opening', () => {
    test(
      'accepts first when the restaurant wants it so',
      { tag: '@nightly' },
      async ({ page, visit, shop }) => {
        await shop.setting({ order_accept_on_open: true });
        await visit('fresh_orders');
        const order = await shop.send();
        await card(page, order).focus();
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(new RegExp(`${slugFor('order_page')}/${order.id}$`));
        await expect(page.getByRole('heading', { level: 1, name: order.counter })).toBeVisible();
        await expect(page).toHaveTitle(new RegExp(`^${order.counter} `));
        expect((await shop.order(order.id)).status).toBe('processed');
      },
    );

    test(
      'only opens when it does not; the page accepts and cancels, once',
      { tag: '@nightly' },
      async ({ page, visit, shop }) => {
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
        const dialog = page.getByRole('dialog', {
          name: new RegExp(`^Sztornózod: ${order.counter}\\.? rendelés\\?$`),
        });
        await dialog.getByRole('radio', { name: 'A vendég kérte' }).check();
        await dialog.getByRole('button', { name: 'Sztornó' }).click();
        await expect(page.getByText('Ezt a rendelést sztornózták')).toBeVisible();
        await expect(page.getByRole('button', { name: 'Sztornó' })).toHaveCount(0);
        await page.getByRole('button', { name: 'Vissza', exact: true }).click();
        await expect(page).toHaveURL(new RegExp(`${slugFor('fresh_orders')}$`));
        await expect(card(page, order)).toHaveCount(0);
      },
    );

    test(
      'an order that is not there: a heading, why, and the way to the fresh orders',
      { tag: '@nightly' },
      async ({ page, visit, place, expectConsole }) => {
        expectConsole(/404/);
        await visit('fresh_orders');
        await page.goto(
          `/r/${place.restaurant}/${slugFor('order_page')}/01900000-0000-7000-8000-0000000000ff`,
        );
        await expect(page.getByRole('heading', { name: 'Ez nincs meg' })).toBeVisible();
        await expect(page.getByText('Nincs ilyen rendelés.')).toBeVisible();
        await page.getByRole('link', { name: 'Vissza ide: Friss rendelések' }).click();
        await expect(page).toHaveURL(new RegExp(`${slugFor('fresh_orders')}$`));
      },
    );
  });

  test(
    'by keyboard: arrows, letters, and letters switched off',
    { tag: '@nightly' },
    async ({ page, visit, shop }) => {
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
    },
  );

  test('SOS close asks, tells, and ends', async ({ page, visit, place, service }) => {
    // In another restaurant, where no other test orders.
    const rows = await (await service.get(`/api/v3/admin/partners/${place.partner}/restaurants`)).json();
    const elsewhere = rows.find((row: { id: string }) => row.id !== place.restaurant).id;
    await visit('fresh_orders');
    await page.goto(`/r/${elsewhere}/${slugFor('fresh_orders')}`);
    const close = page.getByRole('button', { name: 'SOS-zárás' });
    await close.click();
    const sure = page.getByRole('dialog', { name: /Leállítod a rendelésfelvételt/ });
    await expect(sure.getByRole('button', { name: 'Mégsem' })).toBeFocused();
    await expect(sure.getByRole('radio', { name: 'Visszanyitásig' })).toBeChecked();
    await settled(page);
    await expectAccessible(page, '[role=dialog]');
    await sure.getByRole('button', { name: 'Zárás most' }).click();
    await expect(page.getByRole('alert')).toContainText('nem vesz fel új rendelést');
    await expect(page.getByRole('alert')).toContainText('Addig tart, amíg valaki vissza nem nyit.');
    await expect(close).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('nem vesz fel új rendelést');
    await page.getByRole('button', { name: 'Visszanyitás' }).click();
    await expect(close).toBeVisible();

    // For half an hour: the question and the banner say when it ends.
    await close.click();
    await sure.getByText('30 percre').click();
    await expect(sure).toContainText('Magától visszanyit');
    await sure.getByRole('button', { name: 'Zárás most' }).click();
    await expect(page.getByRole('alert')).toContainText(
      /Magától visszanyit: \d{4}\/\d{2}\/\d{2} \d{2}:\d{2}/,
    );
    const path = `/api/v3/admin/partners/${place.partner}/restaurants/${elsewhere}`;
    const { temp_no_orders_until: end } = await (await service.get(path)).json();
    expect(Math.abs(new Date(end).getTime() - Date.now() - 30 * 60_000)).toBeLessThan(60_000);
    await page.getByRole('button', { name: 'Visszanyitás' }).click();
    await expect(close).toBeVisible();
  });

  test.describe('without the rights', () => {
    /** The service says what this person may; the page must not offer more. */
    const without = async (page: Page, service: APIRequestContext, ...gone: string[]) => {
      const me = await (await service.get('/api/v3/admin/me')).json();
      for (const target of me.targets)
        target.permissions = target.permissions.filter((key: string) => !gone.includes(key));
      await page.route('**/api/v3/admin/me', (route) => route.fulfill({ json: me, headers: API_HEADERS }));
    };

    test('no count for who may not read orders', { tag: '@nightly' }, async ({ page, visit, service }) => {
      const requests: string[] = [];
      page.on(
        'request',
        (request) => /\/orders\/waiting/.test(request.url()) && requests.push(request.url()),
      );
      await without(page, service, 'fresh_order');
      await visit('couriers');
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: 'Futárok' })).toBeVisible();
      await settled(page);
      await expect(page.locator('.bar-bell .anticon-bell')).toHaveCount(0);
      await expect(page.locator('.count')).toHaveCount(0);
      requests.length = 0;
      await page.reload();
      await settled(page);
      expect(requests).toEqual([]);
    });

    test('no accepting and no refusing', { tag: '@nightly' }, async ({ page, visit, shop, service }) => {
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
}
