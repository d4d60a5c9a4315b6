import { expect, settled, test } from './fixtures.ts';
import { Hands, type Walk, walkAll } from './hands.ts';
import { removeNamed, unique } from './people.ts';
import { PUBLIC } from '../src/features/public/pages.ts';

// The main thing of each screen without a mouse: every step is a key.

const WALKS: Walk[] = [
  {
    screen: 'users',
    role: 'partner',
    walk: async (hands) => {
      const mark = unique();
      await hands.to(hands.button('Új felhasználó'));
      await hands.press('Enter');
      await hands.to(hands.page.getByLabel('Vezetéknév'));
      await hands.type('Billentyű');
      await hands.press('Tab');
      await hands.type(mark);
      await hands.to(hands.page.getByLabel('E-mail'));
      await hands.type(`proba-${mark}@pult.example`);
      await hands.choose(hands.page.getByRole('combobox', { name: 'Szerepkör szerint' }), 'Futár');
      const right = hands.page.getByRole('checkbox', { name: 'Rendelés elfogadása' });
      await hands.to(right);
      await hands.press('Space');
      await expect(right).toBeChecked();
      await hands.press('Control+s');
      await expect(hands.page.getByText('A meghívó elment')).toBeVisible();
      await removeNamed(hands.service, hands.place, mark);
    },
  },
  {
    screen: 'my_account',
    role: 'restaurant',
    walk: async (hands) => {
      const phone = hands.box('Telefonszám');
      const before = await phone.inputValue();
      await hands.to(phone);
      await hands.press('Control+a');
      await hands.type(`+36 30 ${Math.floor(1_000_000 + Math.random() * 8_999_999)}`);
      const saved = hands.page.waitForResponse(
        (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/admin/me'),
      );
      await hands.press('Enter');
      expect((await saved).status()).toBe(200);
      await expect(phone).toBeEnabled();
      await settled(hands.page);
      await hands.to(hands.box('Keresztnév'), 'Shift+Tab');
      expect((await hands.service.put('/api/v3/admin/me', { data: { tel: before } })).status()).toBe(200);
    },
  },
  {
    screen: 'sign_in_provider',
    role: 'partner',
    walk: async (hands) => {
      const begin = hands.button('Beállítás', true);
      await hands.to(begin);
      await hands.press('Enter');
      await expect(hands.box('Név')).toBeFocused();
      await hands.to(hands.page.getByRole('switch'));
      await hands.press('Space');
      await expect(hands.page.getByRole('switch')).not.toBeChecked();
      await hands.to(hands.button('Mégsem', true));
      await hands.press('Enter');
      await expect(begin).toBeFocused();
    },
  },
  {
    screen: 'api_keys',
    role: 'partner',
    walk: async (hands) => {
      const name = `Billentyű ${unique()}`;
      const fresh = hands.button('Új API-kulcs');
      await hands.to(fresh);
      await hands.press('Enter');
      await hands.to(hands.dialog().getByLabel('Név'));
      await hands.type(name);
      await hands.press('Control+s');
      await hands.to(hands.button('Eltettem'));
      await hands.press('Enter');
      await expect(hands.dialog()).toHaveCount(0);
      const row = hands.page.getByRole('link', { name, exact: true });
      await hands.layer(row);
      await hands.press('Enter');
      await hands.use(
        hands
          .dialog()
          .first()
          .getByRole('link', { name: /Használat/ }),
      );
      await expect(hands.page.getByRole('heading', { level: 1 })).toContainText(name);
      await hands.use(hands.page.getByRole('main').getByRole('link').first());
      await expect(row).toBeVisible();
      const keys = `${hands.place.api}/api-keys`;
      for (const key of await (await hands.service.get(keys)).json())
        if (key.name === name) await hands.service.delete(`${keys}/${key.id}`);
    },
  },
  {
    screen: 'partners',
    role: 'super',
    walk: async (hands) => {
      const fresh = hands.button('Új partner');
      await hands.layer(fresh);
      await hands.press('Enter');
      const form = hands.dialog().first();
      await hands.to(form.getByLabel('Cég neve'));
      await hands.type('Billentyű Kft.');
      await hands.discard(form);
      await expect(fresh).toBeFocused();
      // Up and down walk through the rows.
      const rows = hands.page.locator('.row-link');
      await hands.to(rows.first());
      await hands.press('End');
      await expect(rows.last()).toBeFocused();
    },
  },
  {
    screen: 'partner_page',
    role: 'super',
    at: (place) => place.partner,
    walk: async (hands) => {
      await hands.layer(
        hands.page.getByRole('main').getByRole('button', { name: 'Támogatói hozzáférés' }),
        (layer) => expect(layer.getByLabel('Indok')).toBeFocused(),
      );
      const more = hands.page.getByRole('main').getByRole('button', { name: 'További műveletek' });
      await hands.to(more);
      await hands.press('Enter');
      await expect(hands.page.getByRole('menuitem').first()).toBeFocused();
      await hands.press('Escape');
      await expect(more).toBeFocused();
      await hands.press('Enter');
      await expect(hands.page.getByRole('menuitem', { name: 'Átnevezés' })).toBeFocused();
      await hands.press('Enter');
      await expect(hands.dialog('Átnevezés').getByLabel('Cég neve')).toBeFocused();
      await hands.press('Escape');
      await expect(hands.dialog('Átnevezés')).toBeHidden();
      await expect(more).toBeFocused();
    },
  },
  {
    screen: 'restaurant_groups',
    role: 'partner',
    walk: async (hands) => {
      await hands.layer(hands.button('Új csoport'), async (layer) => {
        const list = layer.getByRole('combobox', { name: 'Pénznem' });
        await hands.to(list);
        await hands.press('Enter');
        await expect(list).toHaveAttribute('aria-expanded', 'true');
        // The list only, not the drawer below it.
        await hands.press('Escape');
        await expect(list).toHaveAttribute('aria-expanded', 'false');
        await expect(layer).toBeVisible();
      });
      await hands.layer(hands.page.locator('.row-link').first());
    },
  },
  {
    screen: 'restaurant_switches',
    role: 'super',
    walk: async (hands) => {
      const row = hands.page.locator('.row-link').first();
      await hands.layer(row);
      await hands.press('Enter');
      const form = hands.dialog().first();
      const one = form.getByRole('switch').first();
      await hands.to(one);
      const before = await one.getAttribute('aria-checked');
      await hands.press('Space');
      await expect(one).not.toHaveAttribute('aria-checked', before!);
      await hands.discard(form);
      await expect(row).toBeFocused();
    },
  },
  {
    screen: 'jobs',
    role: 'super',
    walk: async (hands) => {
      const state = hands.page.getByRole('combobox', { name: 'Állapot' });
      await hands.to(state);
      await hands.press('Enter');
      await hands.press('ArrowDown');
      await hands.press('Enter');
      await expect(hands.page).toHaveURL(/state=waiting/);
      await hands.layer(hands.page.locator('.row-link').first());
    },
  },
  {
    screen: 'audit',
    role: 'partner',
    walk: async (hands) => {
      const action = hands.page.getByRole('combobox', { name: 'Művelet' });
      await hands.to(action);
      await hands.type('Termék');
      await hands.press('Enter');
      await expect(hands.page).toHaveURL(/action=products/);
      const history = hands.button(/^A rekord előzményei/).first();
      await hands.to(history);
      await hands.press('Enter');
      await expect(hands.page).toHaveURL(/record_id=/);
      await hands.to(hands.button('Szűrők törlése'), 'Shift+Tab');
      await hands.press('Enter');
      await expect(hands.page).not.toHaveURL(/record_id=/);
    },
  },
];

walkAll(test, WALKS);

test.describe('without a session', () => {
  test.use({ role: 'none' });
  test('signing in, the second step, a forgotten password, a ticket that is over, refused: by keyboard alone', async ({
    page,
    service,
    expectConsole,
  }) => {
    expectConsole(/401|404|410|422/);
    await page.route('**/admins/sign_in', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        json: { status: 401, code: 'SECOND_FACTOR_REQUIRED', title: 'x', keys: [] },
      }),
    );
    await page.route('**/admins/password-reset', (route) => route.fulfill({ status: 204, body: '' }));
    const hands = new Hands(page, service, { partner: '', restaurant: '', api: '' });
    const [email, password] = [page.getByLabel('E-mail-cím'), page.getByLabel('Jelszó', { exact: true })];
    await page.goto(PUBLIC.login.hu);
    await hands.to(email);
    await hands.type('nem-email');
    await hands.press('Enter');
    await expect(email).toBeFocused();
    await hands.type('@pult.example');
    await hands.to(password);
    await hands.type('nem jelszó');
    await hands.to(hands.button('Jelszó megjelenítése'));
    await hands.press('Space');
    await expect(password).toHaveAttribute('type', 'text');
    await hands.to(hands.button('Belépés', true));
    await hands.press('Enter');
    await expect(page.getByLabel('Kód')).toBeFocused();
    await hands.to(hands.button('Vissza a jelszóhoz'));
    await hands.press('Enter');
    await expect(password).toBeFocused();

    await hands.to(page.getByRole('link', { name: 'Elfelejtett jelszó' }));
    await hands.press('Enter');
    await expect(page.getByRole('heading', { name: 'Elfelejtett jelszó' })).toBeVisible();
    await hands.to(email);
    await hands.type('senki@pult.example');
    await hands.press('Enter');
    // What is said now has the focus, and the way on is next.
    await expect(page.getByRole('heading', { name: 'Elfelejtett jelszó' })).toBeFocused();
    await hands.press('Tab');
    await expect(page.getByRole('link', { name: 'Tovább a belépéshez' })).toBeFocused();
    await hands.press('Enter');
    await expect(email).toBeVisible();

    await page.goto(`${PUBLIC.posLogin.hu}?token=nincs`);
    await hands.to(page.getByRole('link', { name: 'Tovább a belépéshez' }));
    await hands.press('Enter');
    await expect(email).toBeVisible();

    await page.goto(PUBLIC.unauthorized.hu);
    await hands.to(page.getByRole('link', { name: 'A kezdőlapra' }));
    await hands.to(hands.button('Belépés másik fiókkal'));
    await hands.press('Enter');
    await expect(page).toHaveURL(new RegExp(PUBLIC.login.hu));
  });
});
