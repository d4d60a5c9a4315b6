import { expect, test } from './fixtures.ts';
import { type Hands, type Walk, walkAll } from './hands.ts';
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
async function remove(hands: Hands, row: ReturnType<Hands['button']>): Promise<void> {
  await hands.use(row);
  await hands.use(hands.dialog().first().getByRole('button', { name: 'További műveletek' }));
  const item = hands.page.getByRole('menuitem', { name: 'Törlés' });
  await expect(hands.page.getByRole('menuitem').first()).toBeFocused();
  for (let steps = 0; steps < 5 && !(await item.evaluate((el) => el === document.activeElement)); steps++)
    await hands.press('ArrowDown');
  await hands.press('Enter');
  await hands.use(hands.dialog().last().getByRole('button', { name: 'Törlés', exact: true }));
  await expect(row).toHaveCount(0);
}

const WALKS: Walk[] = [
  {
    screen: 'media_storage',
    role: 'partner',
    walk: async (hands) => {
      const name = `Fotó${unique()}`;
      await hands.file(hands.button('Képek feltöltése').first(), {
        name: `${name}.png`,
        mimeType: 'image/png',
        buffer: png(64, 48, [10, 120, 60], [200, 230, 90]),
      });
      const tile = hands.page.getByRole('link', { name });
      await hands.layer(tile);
      await hands.press('Enter');
      const drawer = hands.dialog().first();
      await hands.write(drawer.getByLabel('Név'), `${name} új`);
      await hands.press('Control+s');
      await expect(drawer.getByRole('heading', { name: `${name} új` })).toBeVisible();
      await hands.use(drawer.getByRole('button', { name: 'Törlés' }));
      await hands.use(hands.dialog(/Törlöd ezt a képet/).getByRole('button', { name: 'Törlés' }));
      await expect(tile).toHaveCount(0);
      await hands.to(hands.page.getByRole('radio', { name: 'Rács' }), 'Shift+Tab');
      await hands.press('ArrowRight');
      await expect(hands.page).toHaveURL(/view=list/);
    },
  },
  {
    screen: 'documentations_admin',
    role: 'super',
    walk: async (hands) => {
      const title = `Próba ${unique()}`;
      await hands.use(hands.button('Új dokumentum').first());
      const drawer = hands.dialog().first();
      await hands.write(drawer.getByLabel('Cím'), title);
      await hands.to(drawer.getByRole('radio', { name: 'Magyar' }));
      await hands.press('ArrowRight');
      await expect(drawer.getByRole('radio', { name: 'Angol' })).toBeChecked();
      await hands.file(drawer.getByRole('button', { name: 'PDF kiválasztása' }), PDF);
      await hands.press('Control+s');
      const row = hands.page.getByRole('link', { name: title });
      await hands.layer(row);
      await hands.press('Enter');
      await hands.use(drawer.getByRole('button', { name: 'Törlés' }));
      await hands.use(hands.dialog(/Törlöd ezt a dokumentumot/).getByRole('button', { name: 'Törlés' }));
      await expect(row).toHaveCount(0);
    },
  },
  {
    screen: 'site_builders',
    role: 'partner',
    walk: async (hands) => {
      const open = hands.button('Megnyitás új lapon: Partnerszerkesztő');
      const opened = hands.page.context().waitForEvent('page');
      await hands.use(open);
      await (await opened).waitForURL(/\/builder\/partner\?token=/);
      await (await opened).close();
    },
  },
  {
    screen: 'devices',
    role: 'partner',
    walk: async (hands) => {
      const name = `Próba${unique()}`;
      const tv = await (
        await hands.service.post(`${hands.place.api}/restaurant-tvs`, { data: { name } })
      ).json();
      await hands.use(hands.button('Új készülék').first());
      const drawer = hands.dialog().first();
      await hands.write(drawer.getByLabel('Név'), `${name} kijelző`);
      await hands.to(drawer.getByRole('combobox', { name: 'Melyik vendég TV-t mutatja' }));
      await hands.type(name);
      await expect(hands.page.getByTitle(name, { exact: true })).toBeVisible();
      await hands.press('Enter');
      await hands.use(drawer.getByRole('button', { name: 'Kód készítése' }));
      const code = hands.dialog(`Csatlakoztatás: ${name} kijelző`);
      await hands.to(code.getByRole('button', { name: 'Hivatkozás másolása' }));
      await hands.press('Escape');
      await expect(code).toBeHidden();
      await remove(hands, hands.page.getByRole('link', { name: `${name} kijelző` }));
      await hands.service.delete(`${hands.place.api}/restaurant-tvs/${tv.id}`);
    },
  },
  {
    screen: 'announcements_admin',
    role: 'super',
    walk: async (hands) => {
      const text = `Próba ${unique()}`;
      await hands.use(hands.button('Új közlemény').first());
      const drawer = hands.dialog().first();
      await hands.write(drawer.getByLabel('Üzenet'), text);
      await hands.choose(drawer.getByRole('combobox', { name: 'Nyelv' }), 'Angol');
      await hands.to(drawer.getByLabel('Megjelenik'));
      await hands.type(FAR);
      await hands.press('Enter');
      await hands.press('Control+s');
      await expect(hands.page.getByRole('row', { name: new RegExp(text) })).toContainText('Időzítve');
      await remove(hands, hands.page.getByRole('link', { name: text }));
    },
  },
  {
    screen: 'release_infos_admin',
    role: 'super',
    walk: async (hands) => {
      const version = `0.${unique()}`;
      await hands.use(hands.button('Új kiadási hír').first());
      const drawer = hands.dialog().first();
      await hands.write(drawer.getByLabel('Verzió'), version);
      await hands.choose(drawer.getByRole('combobox', { name: 'Típus' }), 'Pénztár');
      await hands.write(drawer.getByLabel('Cím'), 'Gyorsabb lista');
      await hands.write(drawer.getByLabel('Leírás'), '<p>Most <strong>gyors</strong>.</p>');
      await hands.press('Control+s');
      await expect(hands.page.getByRole('row', { name: new RegExp(version) })).toContainText('Vázlat');
      await remove(hands, hands.page.getByRole('link', { name: version }));
    },
  },
  {
    screen: 'release_info',
    role: 'partner',
    walk: async (hands) => {
      const second = hands.page.getByRole('link', { name: /4\.2\.0/ });
      await hands.use(second);
      await expect(hands.page.getByRole('heading', { level: 2 })).toHaveText('4.2.0 verzió');
      await hands.to(hands.page.getByRole('radio', { name: 'Mind' }), 'Shift+Tab');
      await hands.press('ArrowRight');
      await expect(hands.page).toHaveURL(/type=/);
    },
  },
  {
    screen: 'knowledge_repository',
    role: 'partner',
    walk: async (hands) => {
      for (const card of ['E-mail', 'Tudásbázis', 'Telefon'])
        await hands.to(hands.page.getByRole('region', { name: card }).getByRole('link'));
      await expect(hands.page.getByRole('region', { name: 'Telefon' }).getByRole('link')).toHaveAttribute(
        'href',
        /^tel:/,
      );
    },
  },
  {
    screen: 'push_notification',
    role: 'partner',
    walk: async (hands) => {
      const title = `Próba ${unique()}`;
      await hands.use(hands.button('Új értesítés').first());
      const drawer = hands.dialog().first();
      await hands.write(drawer.getByLabel('Cím'), title);
      await hands.write(drawer.getByLabel('Szöveg'), 'Kettőt fizet, hármat kap!');
      await hands.to(drawer.getByLabel('Küldés ideje'));
      await hands.type(FAR);
      await hands.press('Enter');
      await hands.press('Control+s');
      await expect(hands.page.getByRole('row', { name: new RegExp(title) })).toContainText('Időzítve');
      await remove(hands, hands.page.getByRole('link', { name: title }));
    },
  },
  {
    screen: 'order_emails',
    role: 'partner',
    walk: async (hands) => {
      await hands.to(hands.page.getByRole('tab', { name: /Megérkezett/ }));
      await hands.press('ArrowRight');
      await hands.press('ArrowRight');
      await hands.press('ArrowRight');
      await hands.press('Enter');
      await expect(hands.page.getByRole('region', { name: 'Előnézet egy mintarendeléssel' })).toContainText(
        'elfogyott',
      );
      await hands.write(hands.page.getByLabel('Tárgy'), 'Szia ');
      await hands.use(hands.button('{{guest}}'));
      await expect(hands.page.getByLabel('Tárgy')).toHaveValue('Szia {{guest}}');
      await hands.press('Control+s');
      await expect(hands.page.getByText('Sikeres mentés').first()).toBeVisible();
      await hands.use(hands.button('Próbalevél nekem'));
      await expect(hands.page.getByText('A próbalevél úton van')).toBeVisible();
      await hands.service.put(`${hands.place.api}/order-emails/refused`, {
        data: { enabled: true, subject: null, body: null },
      });
    },
  },
  {
    screen: 'super_admins',
    role: 'super',
    walk: async (hands) => {
      await hands.layer(hands.button('Második lépcső törlése: Másik Mária'), (layer) =>
        expect(layer.getByRole('button', { name: 'Mégsem' })).toBeFocused(),
      );
    },
  },
  {
    screen: 'api_documentation',
    role: 'partner',
    walk: async (hands) => {
      await hands.to(hands.page.getByRole('link', { name: /A leírás megnyitása/ }));
      const download = hands.page.waitForEvent('download');
      await hands.use(hands.page.getByRole('link', { name: /OpenAPI-dokumentum/ }));
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
