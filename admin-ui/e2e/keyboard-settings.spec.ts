import { expect } from './fixtures.ts';
import { type Walk, walkAll } from './keyboardUser.ts';
import { test } from './new-restaurant.ts';

// Settings, payment, the guide, the import and the menu without a mouse, in a restaurant of their own.

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SAVED = 'Sikeres mentés';

const WALKS: Walk[] = [
  {
    screen: 'restaurant_general',
    role: 'partner',
    walk: async (user) => {
      const boxes = {
        'Saját oldal címe': 'rendeles.pult.example',
        'E-mail-cím': 'konyha@pult.example',
        Telefonszám: '+36 1 234 5678',
        Irányítószám: '1052',
        Város: 'Budapest',
        Utca: 'Váci utca',
        Házszám: '12/A',
      };
      for (const [box, text] of Object.entries(boxes)) await user.write(user.box(box), text);
      await user.to(user.page.getByRole('combobox', { name: 'Időzóna' }));
      await user.type('Bucharest');
      await user.press('Enter');
      await user.choose(user.page.getByRole('combobox', { name: 'Második nyelv' }), 'angol');
      await user.press('Control+s');
      await expect(user.page.getByText(SAVED)).toBeVisible();
      expect(await (await user.service.get(user.place.api)).json()).toMatchObject({
        premise_number: '12/A',
        timezone: 'Europe/Bucharest',
        secondary_language: 'en',
      });
    },
  },
  {
    screen: 'delivery_and_take_away',
    role: 'partner',
    walk: async (user) => {
      const delivery = user.page.getByRole('switch', { name: 'Elvitel', exact: true });
      const before = await delivery.isChecked();
      await user.use(delivery, 'Space');
      await expect(delivery).toBeChecked({ checked: !before });
      const more = user.page.locator('summary', { hasText: 'Előrendelés' });
      await user.use(more);
      await user.write(user.page.getByLabel('Legkésőbb ennyi nap múlvára'), '5');
      await user.press('Control+s');
      await expect
        .poll(async () => (await (await user.service.get(user.place.api)).json()).days_to_preorder)
        .toBe(5);
    },
  },
  {
    screen: 'system_settings',
    role: 'partner',
    walk: async (user) => {
      await user.use(user.button('Zárás most'));
      // The last one is chosen; the arrows go round.
      await user.to(user.dialog().getByRole('radio', { name: 'Visszanyitásig' }));
      for (let step = 0; step < 2; step++) await user.press('ArrowDown');
      await expect(user.dialog().getByRole('radio', { name: '30 percre' })).toBeChecked();
      await user.use(user.dialog().getByRole('button', { name: 'Zárás most' }));
      await expect(user.page.getByText('Magától visszanyit')).toBeVisible();
      await user.use(user.button('Visszanyitás'));
      await expect(user.button('Zárás most')).toBeVisible();
    },
  },
  {
    screen: 'opening_hours',
    role: 'partner',
    walk: async (user) => {
      const monday = user.page.getByRole('switch', { name: 'Hétfő' });
      await user.use(monday, 'Space');
      await user.write(user.page.getByLabel('Hétfő: nyitás'), '930');
      await user.use(user.button('Hétfő: másolás más napra'));
      await expect(user.page.getByRole('menuitem', { name: 'Minden napra' })).toBeFocused();
      await user.press('Enter');
      await expect(user.page.getByLabel('Kedd: nyitás')).toHaveValue('09:30');
      await user.press('Control+s');
      await expect(user.page.getByText(SAVED)).toBeVisible();
      await user.to(user.page.getByRole('tab', { name: 'Heti rend' }), 'Shift+Tab');
      await user.press('ArrowRight');
      await user.press('Enter');
      await user.use(user.button('Új ünnepnap'));
      const row = user.page.getByRole('group', { name: '1. sor' });
      await user.to(row.getByLabel('Első nap'));
      await user.type('2027/12/24');
      await user.press('Enter');
      await user.choose(row.getByRole('combobox', { name: 'Mi történik' }), 'Nyitva');
      await user.write(row.getByLabel('Nyitás'), '10:00');
      await user.write(row.getByLabel('Zárás'), '15:00');
      await user.press('Control+s');
      await expect
        .poll(
          async () => (await (await user.service.get(`${user.place.api}/restaurant-holidays`)).json()).length,
        )
        .toBe(1);
    },
  },
  {
    screen: 'getting_started',
    role: 'partner',
    walk: async (user) => {
      await user.use(user.button('Vezetett beállítás').or(user.button('Folytatás')).first());
      const heading = user.page.getByRole('heading', { level: 1 });
      await expect(heading).not.toHaveText('Kezdeti lépések');
      await user.use(user.button('Később'));
      await expect(heading).toHaveText('Kezdeti lépések');
      await user.use(user.page.getByRole('main').getByRole('link', { name: /Fizetési módok/ }));
      await expect(heading).not.toHaveText('Kezdeti lépések');
    },
  },
  {
    screen: 'payment_methods_web',
    role: 'partner',
    walk: async (user) => {
      const card = user.page.getByRole('switch', { name: 'SZÉP-kártya', exact: true });
      await user.use(card, 'Space');
      await expect(card).toBeChecked();
      // The way back stands in the message, which is behind everything else.
      await user.use(user.button('Visszavonás').first());
      await expect(card).not.toBeChecked();
      const box = user.page.locator('details', { hasText: 'SimplePay · bankkártya · HUF' });
      await user.use(box.locator('summary'));
      await user.write(box.getByLabel('Titkos kulcs', { exact: true }), 'titok-4711');
      await user.press('Enter');
      await expect(box.getByText('Elutasítva')).toBeVisible();
      await user.write(box.getByLabel('Titkos kulcs', { exact: true }), 'StandInKeyHuf0123456789abcdefghi');
      await user.press('Enter');
      await expect(box.getByText('Ellenőrizve')).toBeVisible();
    },
  },
  {
    screen: 'payment_methods_pos',
    role: 'partner',
    walk: async (user) => {
      await user.write(user.page.getByLabel('Egy euró ára'), '397,25');
      await expect(user.page.getByText(SAVED)).toBeVisible();
    },
  },
  {
    screen: 'terminals',
    role: 'partner',
    walk: async (user) => {
      await user.use(user.button('Új terminálséma').first());
      const drawer = user.dialog().first();
      await user.to(drawer.getByRole('combobox', { name: 'Felhasználó' }));
      await user.press('Enter');
      await expect(user.page.locator('.ant-select-item-option').first()).toBeVisible();
      await user.press('Enter');
      await user.choose(drawer.getByRole('combobox', { name: 'Típus' }), 'OTP');
      await user.write(drawer.getByRole('combobox', { name: /^Terminál/ }), 'POS-77');
      await user.press('Control+s');
      const row = user.page.getByRole('row', { name: /POS-77/ });
      await user.layer(row.getByRole('link').first());

      await user.use(user.button('Összekapcsolás'));
      await user.page.getByRole('button', { name: 'Agree' }).focus(); // the company's page
      await user.press('Enter');
      await user.to(user.page.getByRole('radio').first());
      await user.press('Space');
      await user.use(user.button('Ez az üzlet legyen'));
      await expect(user.page.getByText(/^SN-/).first()).toBeVisible();
      await user.use(user.page.getByRole('main').getByRole('button', { name: 'Kijelentkezés' }));
      await user.use(user.dialog(/Kijelentkezel a Teya/).getByRole('button', { name: 'Kijelentkezés' }));
      await expect(user.page.getByText('Nincs összekapcsolva')).toBeVisible();
    },
  },
  {
    screen: 'order_export',
    role: 'partner',
    walk: async (user) => {
      for (const [from, to] of [
        ['Rendelések', 'Rendelési tételek'],
        ['Amikor rendelték', 'Amikorra kérték'],
      ] as const) {
        await user.to(user.page.getByRole('radio', { name: from, exact: true }));
        await user.press('ArrowRight');
        await expect(user.page.getByRole('radio', { name: to, exact: true })).toBeChecked();
      }
      await user.to(user.page.getByLabel('Első nap'));
      await user.press('Control+a');
      await user.type(new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10));
      await user.press('Enter');
      await user.layer(user.button('Export kérése'), (layer) =>
        expect(layer.getByLabel('PIN-kód')).toBeFocused(),
      );
    },
  },
  {
    screen: 'menu_import',
    role: 'partner',
    walk: async (user) => {
      const template = await user.service.get(`${user.place.api}/menu-imports/template`, {
        headers: { 'Accept-Language': 'hu' },
      });
      await user.file(user.button('Fájl kiválasztása'), {
        name: 'etlap-minta.xlsx',
        mimeType: XLSX,
        buffer: await template.body(),
      });
      await expect(user.page.getByText('Próba kész')).toBeVisible();
      await user.use(user.button('Módosítás'));
      const column = user.page.getByRole('combobox', { name: /oszlop tartalma/ }).last();
      await user.to(column); // long: it shows what fits around the choice, the rest by its letters
      await user.type('Kimarad');
      await user.press('Enter');
      await user.use(user.button('Próba ezekkel az oszlopokkal'));
      await expect(user.page.getByText('Próba kész')).toBeVisible();
      await user.use(user.button('Beírás az étlapra'));
      await user.use(user.dialog('Beírod az étlapra?').getByRole('button', { name: 'Beírás az étlapra' }));
      await expect(user.page.getByText('Beírva', { exact: true })).toBeVisible();

      // Down into what has come: category, product; its menu, whose entry is a link.
      await user.use(user.page.getByRole('main').getByRole('link', { name: 'Az étlaphoz' }));
      const main = user.page.getByRole('main');
      await user.use(main.getByRole('link', { name: 'Levesek', exact: true }));
      await user.use(user.button(/További műveletek: Gulyásleves|Gulyásleves.*műveletek/).first());
      await expect(user.page.getByRole('menuitem').first()).toBeFocused();
      await user.press('Enter');
      await expect(user.page.getByRole('heading', { level: 1, name: 'Gulyásleves' })).toBeVisible();
      // And into the options.
      await user.to(user.page.getByRole('navigation').getByRole('link', { name: 'Opciók' }), 'Shift+Tab');
      await user.press('Enter');
      await expect(user.page.getByRole('heading', { level: 1, name: 'Opciók' })).toBeVisible();
      const group = main.locator('.row-link').first();
      const name = (await group.textContent())!;
      await user.use(group);
      await expect(user.page.getByRole('heading', { level: 1 })).toContainText(name);
      await user.layer(main.locator('.row-link').first());
    },
  },
];

// Of the page that stands in for the company's.
test.beforeEach(({ expectConsole }) => expectConsole(/favicon/));

walkAll(test, WALKS);
