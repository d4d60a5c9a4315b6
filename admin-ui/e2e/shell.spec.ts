import { emailOf, expect, expectAccessible, PASSWORD, settled, test } from './fixtures.ts';
import { slugFor } from './screens.ts';

test(
  '404 in the shell shows the path, goes back and to the main page',
  { tag: '@nightly' },
  async ({ page, place, visit }) => {
    await visit('couriers');
    await page.goto(`/r/${place.restaurant}/nincs-ilyen/oldal`);
    await expect(page.getByText('Ez az oldal nem található')).toBeVisible();
    await expect(page.getByText(`/r/${place.restaurant}/nincs-ilyen/oldal`)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Vissza' }).click();
    await expect(page).toHaveURL(new RegExp(slugFor('couriers')));
    await page.goto('/valami/mas');
    await expect(page.getByText('/valami/mas')).toBeVisible();
    await page.getByRole('link', { name: 'A kezdőlapra' }).click();
    await expect(page).toHaveURL(/\/r\//);
  },
);

test('a restaurant that is not ours looks as if it did not exist', async ({ page, expectConsole }) => {
  expectConsole(/404/);
  await page.goto(`/r/00000000-0000-7000-8000-000000000000/${slugFor('couriers')}`);
  await expect(page.getByRole('heading', { name: 'Nincs ilyen étterem' }).first()).toBeVisible();
  await expectAccessible(page);
});

test(
  'a suspended company says so and does not block others of the same user',
  { tag: '@nightly' },
  async ({ page, expectConsole }) => {
    expectConsole(/403/);
    const shut = '01900000-0000-7000-8000-0000000000ff';
    await page.route('**/api/v3/admin/me', async (route) => {
      const response = await route.fetch();
      const me = await response.json();
      const target = { ...me.targets[0], partner_id: shut, partner_name: 'Szünetelő Kft.' };
      await route.fulfill({
        response,
        json: {
          ...me,
          targets: [target, ...me.targets],
          last_target: { partner_id: shut, restaurant_id: shut },
        },
      });
    });
    const problem = {
      type: 'about:blank',
      title: 'suspended',
      status: 403,
      code: 'PARTNER_SUSPENDED',
      keys: [],
      request_id: '1',
    };
    await page.route(`**/partners/${shut}/**`, (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem }),
    );
    const board = new RegExp(`/r/[^/]+/${slugFor('fresh_orders')}$`);
    await page.goto('/');
    await expect(page).toHaveURL(board);
    await page.goto(`/r/${shut}`);
    await expect(page.getByText('A partner fel van függesztve')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Kijelentkezés' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'A kezdőlapra' }).click();
    await expect(page).toHaveURL(board);
  },
);

test('the menu: Ctrl+B, groups, and an overlay on phones that closes after a click', async ({
  page,
  visit,
}) => {
  await visit('couriers');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Futárok' });
  await expect(link).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Control+b');
  await expect(page.locator('.shell')).toHaveAttribute('data-menu', 'rail');
  await page.keyboard.press('Control+b');
  await expect(page.locator('.shell')).toHaveAttribute('data-menu', 'wide');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(link).not.toBeVisible();
  await page.getByRole('button', { name: 'Menü ki- és becsukása' }).click();
  await expect(link).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('navigation').getByRole('link', { name: 'API-kulcsok' }).click();
  await expect(page).toHaveURL(new RegExp(slugFor('api_keys')));
  await expect(link).not.toBeVisible();
});

test('go to (Ctrl+K) and the list of shortcuts (?)', { tag: '@nightly' }, async ({ page, visit }) => {
  await visit('couriers');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('api key');
  await settled(page);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(slugFor('api_keys')));
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Billentyűparancsok' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('Ctrl+K finds orders and products; what is typed stands in no address', async ({
  page,
  visit,
  service,
  place,
  expectConsole,
}) => {
  const mark = String(Date.now() % 1_000_000);
  const name = `Keresett ${mark}`;
  const category = await (await service.post(`${place.api}/product-categories`, { data: { name } })).json();
  const made = await service.post(`${place.api}/product-categories/${category.id}/products`, {
    data: { name: `Krémes ${mark}`, base_price: 900 },
  });
  expect(made.status(), await made.text()).toBe(201);
  const product = await made.json();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const fakeOrder = {
    id: '00000000-0000-7000-8000-000000000001',
    counter: 'K12',
    status: 'prepared',
    is_test: false,
    first_name: 'Réka',
    last_name: 'Kovács',
    created_at: new Date().toISOString(),
    total_price: '1200',
    currency: 'huf',
  };
  // The page of the order may ask for it before the test goes on.
  expectConsole(new RegExp(`404.*${fakeOrder.id}`));
  const sent: unknown[] = [];
  await page.route('**/orders/search', async (route) => {
    const { text } = route.request().postDataJSON() as { text: string };
    sent.push(text);
    await route.fulfill({ json: ['0187', 'kovacs'].includes(text) ? [fakeOrder] : [] });
  });
  await visit('couriers');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await page.keyboard.type(`kremes ${mark}`);
  await expect(dialog.getByRole('group', { name: 'Termékek' })).toContainText(`Krémes ${mark}`);
  await expect(dialog.getByRole('status')).toHaveText('Egy találat');
  await settled(page);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${product.id}$`));

  // The only hit opens, also when Enter comes before the answer.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('0187');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${fakeOrder.id}$`));
  await visit('couriers');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('kovacs');
  const option = dialog.getByRole('option', { name: /^K12 rendelés · Kovács Réka/ });
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await expect(dialog.getByRole('combobox')).toHaveAttribute(
    'aria-activedescendant',
    (await option.getAttribute('id'))!,
  );
  await settled(page);
  await expectAccessible(page);
  expect(sent).toContain('0187');
  expect(asked.filter((url) => /0187|kovacs|kremes/i.test(url))).toEqual([]);
  await service.delete(`${place.api}/product-categories/${category.id}/products/${product.id}`);
  await service.delete(`${place.api}/product-categories/${category.id}`);
});

test(
  'Ctrl+K of a person without these rights asks for neither orders nor products',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    await page.route('**/api/v3/admin/me', async (route) => {
      const answer = await route.fetch();
      const me = await answer.json();
      for (const target of me.targets)
        target.permissions = target.permissions.filter(
          (key: string) => !['fresh_order', 'all_order', 'order'].includes(key),
        );
      await route.fulfill({ response: answer, json: me });
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await visit('couriers');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('0187');
    await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Nincs találat');
    expect(asked.filter((url) => url.endsWith('/search'))).toEqual([]);
  },
);

test('the look of the device: theme and density', { tag: '@nightly' }, async ({ page, visit }) => {
  await visit('couriers');
  await page.getByRole('button', { name: /Felhasználói menü/ }).click();
  await page.getByText('Sötét').click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByText('Érintős').click();
  await expect(page.locator('html')).toHaveAttribute('data-density', 'touch');
  await settled(page);
  await expectAccessible(page);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the live indicator follows the connection and shows a cut after 10 s', async ({
  page,
  visit,
  expectConsole,
}) => {
  expectConsole(/WebSocket/);
  const open: { close: (options: { code: number }) => Promise<void> }[] = [];
  let reachable = true;
  await page.routeWebSocket(/fresh-orders/, (socket) => {
    if (!reachable) return void socket.close({ code: 1012 });
    open.push(socket);
    socket.send(JSON.stringify({ event: 'TASK_HELLO', id: 1 }));
  });
  await page.clock.install();
  await visit('couriers');
  await expect(page.getByRole('status', { name: /^Élő/ })).toBeVisible();
  reachable = false;
  await open[0]!.close({ code: 1012 });
  await expect(page.getByRole('status', { name: /újrakapcsolódás/ })).toBeVisible();
  await page.clock.runFor(11_000);
  await expect(page.getByText(/Nincs élő kapcsolat .* óta\. Amit látsz/)).toBeVisible();
  await expectAccessible(page);
  reachable = true;
  await page.clock.runFor(31_000);
  await expect(page.getByRole('status', { name: /^Élő/ })).toBeVisible();
  await expect(page.getByText(/Amit látsz/)).toHaveCount(0);
});

test(
  'a session that ends in the middle of work: sign in again, and nothing is lost',
  { tag: '@nightly' },
  async ({ page, context, visit, service, place, expectConsole }) => {
    expectConsole(/401|WebSocket/);
    await visit('couriers', 'uj');
    const form = page.getByRole('dialog').first();
    await form.getByLabel('Vezetéknév').fill('Próba');
    await form.getByLabel('Keresztnév').fill(`Lejárt${Date.now()}`);
    const language = (await context.cookies()).filter((c) => c.name === 'pult_lang');
    await context.clearCookies();
    await context.addCookies(language);
    // Changes of others make the page read the restaurant again; this must not sign anybody out.
    const refused = page.waitForResponse(
      (answer) => answer.url().endsWith(place.api) && answer.status() === 401,
    );
    await service.put(`${place.api}/close`, { data: { temp_no_orders: false } });
    await refused;
    await page.keyboard.press('Control+s');
    const again = page.getByRole('dialog', { name: 'Lejárt a munkamenet' });
    await expect(again.getByLabel('E-mail-cím')).toHaveValue(emailOf('partner'));
    await settled(page);
    await expectAccessible(page);
    await again.getByRole('textbox', { name: 'Jelszó' }).fill('rossz');
    await page.keyboard.press('Enter');
    await expect(again.getByText('Hibás e-mail-cím vagy jelszó.')).toBeVisible();
    await again.getByRole('textbox', { name: 'Jelszó' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    for (const row of await (await service.get(`${place.api}/couriers?name=Lejárt`)).json())
      await service.delete(`${place.api}/couriers/${row.id}`);
  },
);

test('without the right: no entry in the menu, and the address shows the missing right', async ({
  page,
  place,
  visit,
}) => {
  await page.route('**/api/v3/admin/me', async (route) => {
    const answer = await route.fetch();
    const me = await answer.json();
    for (const target of me.targets)
      target.permissions = target.permissions.filter((key: string) => key !== 'courier');
    await route.fulfill({ response: answer, json: me });
  });
  await visit('api_keys');
  await expect(page.getByRole('link', { name: 'Futárok' })).toHaveCount(0);
  await page.goto(`/r/${place.restaurant}/${slugFor('couriers')}`);
  await expect(page.getByText('Ehhez nincs jogosultságod')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/r/${place.restaurant}/nem-engedelyezett`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ehhez nincs jogosultságod');
});

test.describe('states of a list', { tag: '@nightly' }, () => {
  const states: [string, object, string][] = [
    ['empty', { status: 200, json: [], headers: { 'X-Total-Count': '0' } }, 'Még nincs futár'],
    [
      'failed',
      {
        status: 500,
        contentType: 'application/problem+json',
        json: { status: 500, code: 'UNKNOWN_ERROR', title: 'x', keys: [], request_id: 'abc123' },
      },
      'Nem sikerült betölteni',
    ],
  ];
  for (const [name, answer, text] of states) {
    test(name, async ({ page, visit, expectConsole }) => {
      expectConsole(/500/);
      await page.route('**/couriers?*', (route) => route.fulfill(answer));
      await page.route('**/couriers', (route) => route.fulfill(answer));
      await visit('couriers');
      await expect(page.getByText(text)).toBeVisible();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await settled(page);
        await expectAccessible(page);
      }
    });
  }
});

test(
  'the start-up call fails: the page says so and can try again',
  { tag: '@nightly' },
  async ({ page, expectConsole }) => {
    expectConsole(/503/);
    await page.route('**/api/rest', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { status: 503, code: 'UNAVAILABLE_SERVER', title: 'x', keys: [], request_id: 'r1' },
      }),
    );
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Valami hiba történt' })).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/rest');
    await page.getByRole('button', { name: 'Újra' }).click();
    await page.waitForURL(/\/r\//);
  },
);

test.describe('a super admin', () => {
  test.use({ role: 'super' });
  test('always sees the partner whose data are open', async ({ page, visit }) => {
    await visit('couriers');
    await expect(page.getByRole('note')).toContainText('Szuperadminként');
    await expectAccessible(page);
  });
});
