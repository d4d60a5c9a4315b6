import { expect, test } from './fixtures.ts';
import { type KeyboardUser, type Walk, walkAll } from './keyboardUser.ts';
import { unique } from './people.ts';
import { png } from './pixels.ts';

// What the restaurant and the platform show and send, without a mouse: every step is a key.

const PDF = {
  name: 'Kézikönyv.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\ntrailer<<>>\n%%EOF\n'),
};
const FAR = '2099/12/24 18:00';

/** Deletes what a drawer shows by its menu; the focus does not get lost with it. */
async function remove(user: KeyboardUser, row: ReturnType<KeyboardUser['button']>): Promise<void> {
  await user.use(row);
  await user.use(user.dialog().first().getByRole('button', { name: 'További műveletek' }));
  const item = user.page.getByRole('menuitem', { name: 'Törlés' });
  await expect(user.page.getByRole('menuitem').first()).toBeFocused();
  for (let steps = 0; steps < 5 && !(await item.evaluate((el) => el === document.activeElement)); steps++)
    await user.press('ArrowDown');
  await user.press('Enter');
  await user.use(user.dialog().last().getByRole('button', { name: 'Törlés', exact: true }));
  await expect(row).toHaveCount(0);
}

const WALKS: Walk[] = [
  {
    screen: 'media_storage',
    role: 'partner',
    walk: async (user) => {
      const name = `Fotó${unique()}`;
      await user.file(user.button('Képek feltöltése').first(), {
        name: `${name}.png`,
        mimeType: 'image/png',
        buffer: png(64, 48, [10, 120, 60], [200, 230, 90]),
      });
      const tile = user.page.getByRole('link', { name });
      await user.layer(tile);
      await user.press('Enter');
      const drawer = user.dialog().first();
      await user.write(drawer.getByLabel('Név'), `${name} új`);
      await user.press('Control+s');
      await expect(drawer.getByRole('heading', { name: `${name} új` })).toBeVisible();
      await user.use(drawer.getByRole('button', { name: 'Törlés' }));
      await user.use(user.dialog(/Törlöd ezt a képet/).getByRole('button', { name: 'Törlés' }));
      await expect(tile).toHaveCount(0);
      await user.to(user.page.getByRole('radio', { name: 'Rács' }), 'Shift+Tab');
      await user.press('ArrowRight');
      await expect(user.page).toHaveURL(/view=list/);
    },
  },
  {
    screen: 'documentations_admin',
    role: 'super',
    walk: async (user) => {
      const title = `Próba ${unique()}`;
      await user.use(user.button('Új dokumentum').first());
      const drawer = user.dialog().first();
      await user.write(drawer.getByLabel('Cím'), title);
      await user.to(drawer.getByRole('radio', { name: 'Magyar' }));
      await user.press('ArrowRight');
      await expect(drawer.getByRole('radio', { name: 'Angol' })).toBeChecked();
      await user.file(drawer.getByRole('button', { name: 'PDF kiválasztása' }), PDF);
      await user.press('Control+s');
      const row = user.page.getByRole('link', { name: title });
      await user.layer(row);
      await user.press('Enter');
      await user.use(drawer.getByRole('button', { name: 'Törlés' }));
      await user.use(user.dialog(/Törlöd ezt a dokumentumot/).getByRole('button', { name: 'Törlés' }));
      await expect(row).toHaveCount(0);
    },
  },
  {
    screen: 'site_builders',
    role: 'partner',
    walk: async (user) => {
      const open = user.button('Megnyitás új lapon: Partnerszerkesztő');
      const opened = user.page.context().waitForEvent('page');
      await user.use(open);
      await (await opened).waitForURL(/\/builder\/partner\?token=/);
      await (await opened).close();
    },
  },
  {
    screen: 'devices',
    role: 'partner',
    walk: async (user) => {
      const name = `Próba${unique()}`;
      const tv = await (
        await user.service.post(`${user.place.api}/restaurant-tvs`, { data: { name } })
      ).json();
      await user.use(user.button('Új készülék').first());
      const drawer = user.dialog().first();
      await user.write(drawer.getByLabel('Név'), `${name} kijelző`);
      await user.to(drawer.getByRole('combobox', { name: 'Melyik vendég TV-t mutatja' }));
      await user.type(name);
      await expect(user.page.getByTitle(name, { exact: true })).toBeVisible();
      await user.press('Enter');
      await user.use(drawer.getByRole('button', { name: 'Kód készítése' }));
      const code = user.dialog(`Csatlakoztatás: ${name} kijelző`);
      await user.to(code.getByRole('button', { name: 'Hivatkozás másolása' }));
      await user.press('Escape');
      await expect(code).toBeHidden();
      await remove(user, user.page.getByRole('link', { name: `${name} kijelző` }));
      await user.service.delete(`${user.place.api}/restaurant-tvs/${tv.id}`);
    },
  },
  {
    screen: 'announcements_admin',
    role: 'super',
    walk: async (user) => {
      const text = `Próba ${unique()}`;
      await user.use(user.button('Új közlemény').first());
      const drawer = user.dialog().first();
      await user.write(drawer.getByLabel('Üzenet'), text);
      await user.choose(drawer.getByRole('combobox', { name: 'Nyelv' }), 'Angol');
      await user.to(drawer.getByLabel('Megjelenik'));
      await user.type(FAR);
      await user.press('Enter');
      await user.press('Control+s');
      await expect(user.page.getByRole('row', { name: new RegExp(text) })).toContainText('Időzítve');
      await remove(user, user.page.getByRole('link', { name: text }));
    },
  },
  {
    screen: 'release_infos_admin',
    role: 'super',
    walk: async (user) => {
      const version = `0.${unique()}`;
      await user.use(user.button('Új kiadási hír').first());
      const drawer = user.dialog().first();
      await user.write(drawer.getByLabel('Verzió'), version);
      await user.choose(drawer.getByRole('combobox', { name: 'Típus' }), 'Kassza');
      await user.write(drawer.getByLabel('Cím'), 'Gyorsabb lista');
      await user.write(drawer.getByLabel('Leírás'), '<p>Most <strong>gyors</strong>.</p>');
      await user.press('Control+s');
      await expect(user.page.getByRole('row', { name: new RegExp(version) })).toContainText('Vázlat');
      await remove(user, user.page.getByRole('link', { name: version }));
    },
  },
  {
    screen: 'release_info',
    role: 'partner',
    walk: async (user) => {
      const second = user.page.getByRole('link', { name: /4\.2\.0/ });
      await user.use(second);
      await expect(user.page.getByRole('heading', { level: 2 })).toHaveText('4.2.0 verzió');
      await user.to(user.page.getByRole('radio', { name: 'Mind' }), 'Shift+Tab');
      await user.press('ArrowRight');
      await expect(user.page).toHaveURL(/type=/);
    },
  },
  {
    screen: 'knowledge_repository',
    role: 'partner',
    walk: async (user) => {
      for (const card of ['E-mail', 'Tudásbázis', 'Telefon'])
        await user.to(user.page.getByRole('region', { name: card }).getByRole('link'));
      await expect(user.page.getByRole('region', { name: 'Telefon' }).getByRole('link')).toHaveAttribute(
        'href',
        /^tel:/,
      );
    },
  },
  {
    screen: 'discounts',
    role: 'partner',
    walk: async (user) => {
      const name = `Próba ${unique()}`;
      await user.use(user.button('Új kedvezmény').first());
      const drawer = user.dialog().first();
      await user.write(drawer.getByLabel('Név*'), name);
      await user.write(drawer.getByLabel('Mérték'), '15');
      await user.choose(drawer.getByRole('combobox', { name: 'Fajta' }), 'Összeg');
      await user.use(drawer.getByRole('checkbox', { name: 'Ingyenes kiszállítás' }), 'Space');
      await user.use(drawer.getByRole('checkbox', { name: 'Telefon' }), 'Space');
      await user.press('Control+s');
      const row = user.page.getByRole('link', { name });
      await user.layer(row, async (layer) => {
        await expect(layer.getByRole('checkbox', { name: 'Telefon' })).toBeChecked();
      });
      await user.use(user.button(`További műveletek: ${name}`));
      const archive = user.page.getByRole('menuitem', { name: 'Archiválás' });
      for (
        let steps = 0;
        steps < 6 && !(await archive.evaluate((el) => el === document.activeElement));
        steps++
      )
        await user.press('ArrowDown');
      await user.press('Enter');
      await user.use(user.dialog(/^Archiválod ezt/).getByRole('button', { name: 'Archiválás' }));
      await expect(row).toHaveCount(0);
      await user.use(user.page.getByRole('link', { name: 'Ami most fut' }));
      await expect(user.page.getByRole('heading', { level: 1, name: 'Ami most fut' })).toBeVisible();
    },
  },
  {
    screen: 'push_notification',
    role: 'partner',
    walk: async (user) => {
      const title = `Próba ${unique()}`;
      await user.use(user.button('Új értesítés').first());
      const drawer = user.dialog().first();
      await user.write(drawer.getByLabel('Cím'), title);
      await user.write(drawer.getByLabel('Szöveg'), 'Kettőt fizet, hármat kap!');
      await user.to(drawer.getByLabel('Küldés ideje'));
      await user.type(FAR);
      await user.press('Enter');
      await user.press('Control+s');
      await expect(user.page.getByRole('row', { name: new RegExp(title) })).toContainText('Időzítve');
      await remove(user, user.page.getByRole('link', { name: title }));
    },
  },
  {
    screen: 'order_emails',
    role: 'partner',
    walk: async (user) => {
      await user.to(user.page.getByRole('tab', { name: /Megérkezett/ }));
      await user.press('ArrowRight');
      await user.press('ArrowRight');
      await user.press('ArrowRight');
      await user.press('Enter');
      await expect(user.page.getByRole('region', { name: 'Előnézet egy mintarendeléssel' })).toContainText(
        'elfogyott',
      );
      await user.write(user.page.getByLabel('Tárgy'), 'Szia ');
      await user.use(user.button('{{guest}}'));
      await expect(user.page.getByLabel('Tárgy')).toHaveValue('Szia {{guest}}');
      await user.press('Control+s');
      await expect(user.page.getByText('Sikeres mentés').first()).toBeVisible();
      await user.use(user.button('Próbalevél nekem'));
      await expect(user.page.getByText('A próbalevél úton van')).toBeVisible();
      await user.service.put(`${user.place.api}/order-emails/refused`, {
        data: { enabled: true, subject: null, body: null },
      });
    },
  },
  {
    screen: 'super_admins',
    role: 'super',
    walk: async (user) => {
      await user.layer(user.button('Második lépcső törlése: Másik Mária'), (layer) =>
        expect(layer.getByRole('button', { name: 'Mégsem' })).toBeFocused(),
      );
    },
  },
  {
    screen: 'api_documentation',
    role: 'partner',
    walk: async (user) => {
      await user.to(user.page.getByRole('link', { name: /A leírás megnyitása/ }));
      const download = user.page.waitForEvent('download');
      await user.use(user.page.getByRole('link', { name: /OpenAPI-dokumentum/ }));
      expect((await download).suggestedFilename()).toBe('pult-openapi.json');
    },
  },
];

test.beforeEach(async ({ page }) => {
  // The demo data have one super admin only, who takes nothing away from oneself.
  await page.route(/\/super-admin\/accounts(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const other = {
      id: '01900000-0000-7000-8000-00000000dead',
      name: 'Másik Mária',
      email: 'x@pult.example',
      second_factor: true,
      recovery_codes: 3,
      created_at: '2026-01-01T10:00:00Z',
    };
    await route.fulfill({ response: answer, json: [other, ...(await answer.json())] });
  });
  // Two of our own: what others write must not open here, nor be counted.
  const info = (number: number) => ({
    id: `01900000-0000-7000-8000-00000000000${number}`,
    version_code: `4.${number}.0`,
    release_type: number % 2 ? 'pos' : 'admin',
    lang: 'hu',
    is_draft: false,
    release_at: '2026-01-01T10:00:00Z',
    is_news: false,
    bullet_points: [{ title: `Pont ${number}`, description: '<p>Leírás</p>' }],
  });
  await page.route(/\/api\/v3\/release-infos(\?|$)/, (route) =>
    route.fulfill({ json: route.request().url().includes('show_only_news') ? [] : [info(1), info(2)] }),
  );
});

walkAll(test, WALKS);
