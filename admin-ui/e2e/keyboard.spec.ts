import { expect, settled, test } from './fixtures.ts';
import { KeyboardUser, type Walk, walkAll } from './keyboardUser.ts';
import { removeNamed, unique } from './people.ts';
import { PUBLIC } from '../src/features/public/pages.ts';

// The main thing of each screen without a mouse: every step is a key.

const WALKS: Walk[] = [
  {
    screen: 'users',
    role: 'partner',
    walk: async (user) => {
      const mark = unique();
      await user.to(user.button('Új felhasználó'));
      await user.press('Enter');
      await user.to(user.page.getByLabel('Vezetéknév'));
      await user.type('Billentyű');
      await user.press('Tab');
      await user.type(mark);
      await user.to(user.page.getByLabel('E-mail'));
      await user.type(`proba-${mark}@pult.example`);
      await user.choose(user.page.getByRole('combobox', { name: 'Szerepkör szerint' }), 'Futár');
      const right = user.page.getByRole('checkbox', { name: 'Rendelés elfogadása' });
      await user.to(right);
      await user.press('Space');
      await expect(right).toBeChecked();
      await user.press('Control+s');
      await expect(user.page.getByText('A meghívó elment')).toBeVisible();
      await removeNamed(user.service, user.place, mark);
    },
  },
  {
    screen: 'my_account',
    role: 'restaurant',
    walk: async (user) => {
      const phone = user.box('Telefonszám');
      const before = await phone.inputValue();
      await user.to(phone);
      await user.press('Control+a');
      await user.type(`+36 30 ${Math.floor(1_000_000 + Math.random() * 8_999_999)}`);
      const saved = user.page.waitForResponse(
        (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/admin/me'),
      );
      await user.press('Enter');
      expect((await saved).status()).toBe(200);
      await expect(phone).toBeEnabled();
      await settled(user.page);
      await user.to(user.box('Keresztnév'), 'Shift+Tab');
      expect((await user.service.put('/api/v3/admin/me', { data: { tel: before } })).status()).toBe(200);
    },
  },
  {
    screen: 'sign_in_provider',
    role: 'partner',
    walk: async (user) => {
      const begin = user.button('Beállítás', true);
      await user.to(begin);
      await user.press('Enter');
      await expect(user.box('Név')).toBeFocused();
      await user.to(user.page.getByRole('switch'));
      await user.press('Space');
      await expect(user.page.getByRole('switch')).not.toBeChecked();
      await user.to(user.button('Mégsem', true));
      await user.press('Enter');
      await expect(begin).toBeFocused();
    },
  },
  {
    screen: 'api_keys',
    role: 'partner',
    walk: async (user) => {
      const name = `Billentyű ${unique()}`;
      const fresh = user.button('Új API-kulcs');
      await user.to(fresh);
      await user.press('Enter');
      await user.to(user.dialog().getByLabel('Név'));
      await user.type(name);
      await user.press('Control+s');
      await user.to(user.button('Eltettem'));
      await user.press('Enter');
      await expect(user.dialog()).toHaveCount(0);
      const row = user.page.getByRole('link', { name, exact: true });
      await user.layer(row);
      await user.press('Enter');
      await user.use(
        user
          .dialog()
          .first()
          .getByRole('link', { name: /Használat/ }),
      );
      await expect(user.page.getByRole('heading', { level: 1 })).toContainText(name);
      await user.use(user.page.getByRole('main').getByRole('link').first());
      await expect(row).toBeVisible();
      const keys = `${user.place.api}/api-keys`;
      for (const key of await (await user.service.get(keys)).json())
        if (key.name === name) await user.service.delete(`${keys}/${key.id}`);
    },
  },
  {
    screen: 'partners',
    role: 'super',
    walk: async (user) => {
      const fresh = user.button('Új partner');
      await user.layer(fresh);
      await user.press('Enter');
      const form = user.dialog().first();
      await user.to(form.getByLabel('Cég neve'));
      await user.type('Billentyű Kft.');
      await user.discard(form);
      await expect(fresh).toBeFocused();
      // Up and down walk through the rows.
      const rows = user.page.locator('.row-link');
      await user.to(rows.first());
      await user.press('End');
      await expect(rows.last()).toBeFocused();
    },
  },
  {
    screen: 'partner_page',
    role: 'super',
    at: (place) => place.partner,
    walk: async (user) => {
      await user.layer(
        user.page.getByRole('main').getByRole('button', { name: 'Támogatói hozzáférés' }),
        (layer) => expect(layer.getByLabel('Indok')).toBeFocused(),
      );
      const more = user.page.getByRole('main').getByRole('button', { name: 'További műveletek' });
      await user.to(more);
      await user.press('Enter');
      await expect(user.page.getByRole('menuitem').first()).toBeFocused();
      await user.press('Escape');
      await expect(more).toBeFocused();
      await user.press('Enter');
      await expect(user.page.getByRole('menuitem', { name: 'Átnevezés' })).toBeFocused();
      await user.press('Enter');
      await expect(user.dialog('Átnevezés').getByLabel('Cég neve')).toBeFocused();
      await user.press('Escape');
      await expect(user.dialog('Átnevezés')).toBeHidden();
      await expect(more).toBeFocused();
    },
  },
  {
    screen: 'restaurant_groups',
    role: 'partner',
    walk: async (user) => {
      await user.layer(user.button('Új csoport'), async (layer) => {
        const list = layer.getByRole('combobox', { name: 'Pénznem' });
        await user.to(list);
        await user.press('Enter');
        await expect(list).toHaveAttribute('aria-expanded', 'true');
        // The list only, not the drawer below it.
        await user.press('Escape');
        await expect(list).toHaveAttribute('aria-expanded', 'false');
        await expect(layer).toBeVisible();
      });
      await user.layer(user.page.locator('.row-link').first());
    },
  },
  {
    screen: 'restaurant_switches',
    role: 'super',
    walk: async (user) => {
      const row = user.page.locator('.row-link').first();
      await user.layer(row);
      await user.press('Enter');
      const form = user.dialog().first();
      const one = form.getByRole('switch').first();
      await user.to(one);
      const before = await one.getAttribute('aria-checked');
      await user.press('Space');
      await expect(one).not.toHaveAttribute('aria-checked', before!);
      await user.discard(form);
      await expect(row).toBeFocused();
    },
  },
  {
    screen: 'jobs',
    role: 'super',
    walk: async (user) => {
      const state = user.page.getByRole('combobox', { name: 'Állapot' });
      await user.to(state);
      await user.press('Enter');
      await user.press('ArrowDown');
      await user.press('Enter');
      await expect(user.page).toHaveURL(/state=waiting/);
      await user.layer(user.page.locator('.row-link').first());
    },
  },
  {
    screen: 'audit',
    role: 'partner',
    walk: async (user) => {
      const action = user.page.getByRole('combobox', { name: 'Művelet' });
      await user.to(action);
      await user.type('Termék');
      await user.press('Enter');
      await expect(user.page).toHaveURL(/action=products/);
      const history = user.button(/^A rekord előzményei/).first();
      await user.to(history);
      await user.press('Enter');
      await expect(user.page).toHaveURL(/record_id=/);
      await user.to(user.button('Szűrők törlése'), 'Shift+Tab');
      await user.press('Enter');
      await expect(user.page).not.toHaveURL(/record_id=/);
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
    const user = new KeyboardUser(page, service, { partner: '', restaurant: '', api: '' });
    const [email, password] = [page.getByLabel('E-mail-cím'), page.getByLabel('Jelszó', { exact: true })];
    await page.goto(PUBLIC.login.hu);
    await user.to(email);
    await user.type('nem-email');
    await user.press('Enter');
    await expect(email).toBeFocused();
    await user.type('@pult.example');
    await user.to(password);
    await user.type('nem jelszó');
    await user.to(user.button('Jelszó megjelenítése'));
    await user.press('Space');
    await expect(password).toHaveAttribute('type', 'text');
    await user.to(user.button('Belépés', true));
    await user.press('Enter');
    await expect(page.getByLabel('Kód')).toBeFocused();
    await user.to(user.button('Vissza a jelszóhoz'));
    await user.press('Enter');
    await expect(password).toBeFocused();

    await user.to(page.getByRole('link', { name: 'Elfelejtett jelszó' }));
    await user.press('Enter');
    await expect(page.getByRole('heading', { name: 'Elfelejtett jelszó' })).toBeVisible();
    await user.to(email);
    await user.type('senki@pult.example');
    await user.press('Enter');
    // The message has the focus, and the next control continues.
    await expect(page.getByRole('heading', { name: 'Elfelejtett jelszó' })).toBeFocused();
    await user.press('Tab');
    await expect(page.getByRole('link', { name: 'Tovább a belépéshez' })).toBeFocused();
    await user.press('Enter');
    await expect(email).toBeVisible();

    await page.goto(`${PUBLIC.posLogin.hu}?token=nincs`);
    await user.to(page.getByRole('link', { name: 'Tovább a belépéshez' }));
    await user.press('Enter');
    await expect(email).toBeVisible();

    await page.goto(PUBLIC.unauthorized.hu);
    await user.to(page.getByRole('link', { name: 'A kezdőlapra' }));
    await user.to(user.button('Belépés másik fiókkal'));
    await user.press('Enter');
    await expect(page).toHaveURL(new RegExp(PUBLIC.login.hu));
  });
});
