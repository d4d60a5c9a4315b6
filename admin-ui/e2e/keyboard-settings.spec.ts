import { expect } from './fixtures.ts';
import { type Walk, walkAll } from './hands.ts';
import { test } from './new-restaurant.ts';

// Settings, payment, the guide, the import and the menu without a mouse, in a restaurant of their own.

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SAVED = 'Sikeres mentés';

const WALKS: Walk[] = [
  {
    screen: 'restaurant_general',
    role: 'partner',
    walk: async (hands) => {
      const boxes = {
        'Saját oldal címe': 'rendeles.pult.example',
        'E-mail-cím': 'konyha@pult.example',
        Telefonszám: '+36 1 234 5678',
        Irányítószám: '1052',
        Város: 'Budapest',
        Utca: 'Váci utca',
        Házszám: '12/A',
      };
      for (const [box, text] of Object.entries(boxes)) await hands.write(hands.box(box), text);
      await hands.to(hands.page.getByRole('combobox', { name: 'Időzóna' }));
      await hands.type('Bucharest');
      await hands.press('Enter');
      await hands.choose(hands.page.getByRole('combobox', { name: 'Második nyelv' }), 'angol');
      await hands.press('Control+s');
      await expect(hands.page.getByText(SAVED)).toBeVisible();
      expect(await (await hands.service.get(hands.place.api)).json()).toMatchObject({
        premise_number: '12/A',
        timezone: 'Europe/Bucharest',
        secondary_language: 'en',
      });
    },
  },
  {
    screen: 'delivery_and_take_away',
    role: 'partner',
    walk: async (hands) => {
      const delivery = hands.page.getByRole('switch', { name: 'Elvitel', exact: true });
      const before = await delivery.isChecked();
      await hands.use(delivery, 'Space');
      await expect(delivery).toBeChecked({ checked: !before });
      const more = hands.page.locator('summary', { hasText: 'Előrendelés' });
      await hands.use(more);
      await hands.write(hands.page.getByLabel('Legkésőbb ennyi nap múlvára'), '5');
      await hands.press('Control+s');
      await expect
        .poll(async () => (await (await hands.service.get(hands.place.api)).json()).days_to_preorder)
        .toBe(5);
    },
  },
  {
    screen: 'system_settings',
    role: 'partner',
    walk: async (hands) => {
      await hands.choose(hands.page.getByRole('combobox', { name: 'Meddig' }), '30 percre');
      await hands.use(hands.button('Zárás most'));
      await hands.use(hands.dialog().getByRole('button', { name: 'Zárás most' }));
      await expect(hands.page.getByText('Magától visszanyit')).toBeVisible();
      await hands.use(hands.button('Visszanyitás'));
      await expect(hands.button('Zárás most')).toBeVisible();
    },
  },
  {
    screen: 'opening_hours',
    role: 'partner',
    walk: async (hands) => {
      const monday = hands.page.getByRole('switch', { name: 'Hétfő' });
      await hands.use(monday, 'Space');
      await hands.write(hands.page.getByLabel('Hétfő: nyitás'), '930');
      await hands.use(hands.button('Hétfő: másolás más napra'));
      await expect(hands.page.getByRole('menuitem', { name: 'Minden napra' })).toBeFocused();
      await hands.press('Enter');
      await expect(hands.page.getByLabel('Kedd: nyitás')).toHaveValue('09:30');
      await hands.press('Control+s');
      await expect(hands.page.getByText(SAVED)).toBeVisible();
      await hands.to(hands.page.getByRole('tab', { name: 'Heti rend' }), 'Shift+Tab');
      await hands.press('ArrowRight');
      await hands.press('Enter');
      await hands.use(hands.button('Új ünnepnap'));
      const row = hands.page.getByRole('group', { name: '1. sor' });
      await hands.to(row.getByLabel('Első nap'));
      await hands.type('2027/12/24');
      await hands.press('Enter');
      await hands.choose(row.getByRole('combobox', { name: 'Mi történik' }), 'Nyitva');
      await hands.write(row.getByLabel('Nyitás'), '10:00');
      await hands.write(row.getByLabel('Zárás'), '15:00');
      await hands.press('Control+s');
      await expect
        .poll(
          async () =>
            (await (await hands.service.get(`${hands.place.api}/restaurant-holidays`)).json()).length,
        )
        .toBe(1);
    },
  },
  {
    screen: 'getting_started',
    role: 'partner',
    walk: async (hands) => {
      await hands.use(hands.button('Vezetett beállítás').or(hands.button('Folytatás')).first());
      const heading = hands.page.getByRole('heading', { level: 1 });
      await expect(heading).not.toHaveText('Kezdeti lépések');
      await hands.use(hands.button('Később folytatom'));
      await expect(heading).toHaveText('Kezdeti lépések');
      await hands.use(hands.page.getByRole('main').getByRole('link', { name: /Fizetési módok/ }));
      await expect(heading).not.toHaveText('Kezdeti lépések');
    },
  },
  {
    screen: 'payment_methods_web',
    role: 'partner',
    walk: async (hands) => {
      const card = hands.page.getByRole('switch', { name: 'SZÉP-kártya', exact: true });
      await hands.use(card, 'Space');
      await expect(card).toBeChecked();
      // The way back stands in the message, which is behind everything else.
      await hands.use(hands.button('Visszavonás').first());
      await expect(card).not.toBeChecked();
      const box = hands.page.locator('details', { hasText: 'SimplePay' });
      await hands.use(box.locator('summary'));
      await hands.write(box.getByLabel('Kereskedői azonosító'), 'PUBLICTESTHUF');
      await hands.write(box.getByLabel('Titkos kulcs', { exact: true }), 'titok-4711');
      await hands.press('Enter');
      await expect(box.getByText('Beállítva')).toBeVisible();
      await hands.use(box.getByRole('button', { name: 'Fiók törlése' }));
      await hands.use(hands.dialog().getByRole('button', { name: 'Fiók törlése' }));
      await expect(box.getByText('Nincs beállítva')).toBeVisible();
    },
  },
  {
    screen: 'payment_methods_pos',
    role: 'partner',
    walk: async (hands) => {
      await hands.write(hands.page.getByLabel('Egy euró ára'), '397,25');
      await expect(hands.page.getByText(SAVED)).toBeVisible();
    },
  },
  {
    screen: 'terminals',
    role: 'partner',
    walk: async (hands) => {
      await hands.use(hands.button('Új terminálséma').first());
      const drawer = hands.dialog().first();
      await hands.to(drawer.getByRole('combobox', { name: 'Felhasználó' }));
      await hands.press('Enter');
      await expect(hands.page.locator('.ant-select-item-option').first()).toBeVisible();
      await hands.press('Enter');
      await hands.choose(drawer.getByRole('combobox', { name: 'Típus' }), 'OTP');
      await hands.write(drawer.getByRole('combobox', { name: /^Terminál/ }), 'POS-77');
      await hands.press('Control+s');
      const row = hands.page.getByRole('row', { name: /POS-77/ });
      await hands.layer(row.getByRole('link').first());

      await hands.use(hands.button('Összekapcsolás'));
      await hands.page.getByRole('button', { name: 'Agree' }).focus(); // the company's page
      await hands.press('Enter');
      await hands.to(hands.page.getByRole('radio').first());
      await hands.press('Space');
      await hands.use(hands.button('Ez az üzlet legyen'));
      await expect(hands.page.getByText(/^SN-/).first()).toBeVisible();
      await hands.use(hands.page.getByRole('main').getByRole('button', { name: 'Kijelentkezés' }));
      await hands.use(hands.dialog(/Kijelentkezel a Teya/).getByRole('button', { name: 'Kijelentkezés' }));
      await expect(hands.page.getByText('Nincs összekapcsolva')).toBeVisible();
    },
  },
  {
    screen: 'order_export',
    role: 'partner',
    walk: async (hands) => {
      for (const [from, to] of [
        ['Rendelések', 'Rendelési tételek'],
        ['Amikor rendelték', 'Amikorra kérték'],
      ] as const) {
        await hands.to(hands.page.getByRole('radio', { name: from, exact: true }));
        await hands.press('ArrowRight');
        await expect(hands.page.getByRole('radio', { name: to, exact: true })).toBeChecked();
      }
      await hands.to(hands.page.getByLabel('Első nap'));
      await hands.press('Control+a');
      await hands.type(new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10));
      await hands.press('Enter');
      await hands.layer(hands.button('Export kérése'), (layer) =>
        expect(layer.getByLabel('PIN-kód')).toBeFocused(),
      );
    },
  },
  {
    screen: 'menu_import',
    role: 'partner',
    walk: async (hands) => {
      const template = await hands.service.get(`${hands.place.api}/menu-imports/template`, {
        headers: { 'Accept-Language': 'hu' },
      });
      await hands.file(hands.button('Fájl kiválasztása'), {
        name: 'etlap-minta.xlsx',
        mimeType: XLSX,
        buffer: await template.body(),
      });
      await expect(hands.page.getByText('Próba kész')).toBeVisible();
      await hands.use(hands.button('Módosítás'));
      const column = hands.page.getByRole('combobox', { name: /oszlop tartalma/ }).last();
      await hands.to(column); // long: it shows what fits around the choice, the rest by its letters
      await hands.type('Kimarad');
      await hands.press('Enter');
      await hands.use(hands.button('Próba ezekkel az oszlopokkal'));
      await expect(hands.page.getByText('Próba kész')).toBeVisible();
      await hands.use(hands.button('Beírás az étlapra'));
      await hands.use(hands.dialog('Beírod az étlapra?').getByRole('button', { name: 'Beírás az étlapra' }));
      await expect(hands.page.getByText('Beírva', { exact: true })).toBeVisible();

      // Down into what has come: category, product; its menu, whose entry is a link.
      await hands.use(hands.page.getByRole('main').getByRole('link', { name: 'Az étlaphoz' }));
      const main = hands.page.getByRole('main');
      await hands.use(main.getByRole('link', { name: 'Levesek', exact: true }));
      await hands.use(hands.button(/További műveletek: Gulyásleves|Gulyásleves.*műveletek/).first());
      await expect(hands.page.getByRole('menuitem').first()).toBeFocused();
      await hands.press('Enter');
      await expect(hands.page.getByRole('heading', { level: 1, name: 'Gulyásleves' })).toBeVisible();
      // And into the options.
      await hands.to(hands.page.getByRole('navigation').getByRole('link', { name: 'Opciók' }), 'Shift+Tab');
      await hands.press('Enter');
      await expect(hands.page.getByRole('heading', { level: 1, name: 'Opciók' })).toBeVisible();
      const group = main.locator('.row-link').first();
      const name = (await group.textContent())!;
      await hands.use(group);
      await expect(hands.page.getByRole('heading', { level: 1 })).toContainText(name);
      await hands.layer(main.locator('.row-link').first());
    },
  },
];

// Of the page that stands in for the company's.
test.beforeEach(({ expectConsole }) => expectConsole(/favicon/));

walkAll(test, WALKS);
