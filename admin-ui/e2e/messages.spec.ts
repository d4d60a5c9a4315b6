import { expect, expectAccessible, settled, test } from './fixtures.ts';
import { SERVICE } from './sign-in.ts';

// What the platform and restaurants write: announcements, release infos, push notifications, mails about
// orders, help.
test.describe.configure({ mode: 'default' });

const unique = () => Math.random().toString(36).slice(2, 8);

test.describe('super admins', () => {
  test.use({ role: 'super' });

  test('an announcement is written, changed, scheduled and archived', async ({ page, visit, service }) => {
    const text = `Próba ${unique()}`;
    await visit('announcements_admin', 'uj');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Üzenet').fill(text);
    await drawer.getByLabel('Megjelenik').fill('2099/12/24 18:00');
    await drawer.getByLabel('Megjelenik').press('Enter');
    await settled(page);
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Mentés', exact: true }).click();
    const row = page.getByRole('row', { name: new RegExp(text) });
    await expect(row).toContainText('Időzítve');

    await page.getByRole('link', { name: text }).click();
    await drawer.getByLabel('Üzenet').fill(`${text} vége`);
    await drawer.getByRole('button', { name: 'Mentés', exact: true }).click();
    await expect(page.getByRole('link', { name: `${text} vége` })).toBeVisible();

    await page.getByRole('link', { name: `${text} vége` }).click();
    await drawer.getByRole('button', { name: 'További műveletek' }).click();
    await page.getByRole('menuitem', { name: 'Törlés' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Törlés' }).click();
    await expect(page.getByRole('link', { name: `${text} vége` })).toBeHidden();
    const archived = await (
      await service.get(`/api/v3/super-admin/announcements?archived=true&name=${encodeURIComponent(text)}`)
    ).json();
    expect(archived).toHaveLength(1);
  });

  test(
    'a release info is a draft with a preview in which nothing runs, and reads as it was written',
    { tag: '@nightly' },
    async ({ page, visit, service }) => {
      const version = `0.${unique()}`;
      await visit('release_infos_admin', 'uj');
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Verzió').fill(version);
      await drawer.getByLabel('Cím').fill('Gyorsabb lista');
      await drawer
        .getByLabel('Leírás')
        .fill(
          '<p>Most <strong>gyors</strong>.<img src=x onerror="window.ran=1"><script>window.ran=1</script></p>',
        );
      const preview = drawer.getByRole('region', { name: 'Így fog látszani' });
      await expect(preview.locator('strong')).toHaveText('gyors');
      await expect(preview.locator('img, script')).toHaveCount(0);
      await settled(page);
      await expectAccessible(page);
      await drawer.getByRole('button', { name: 'Mentés', exact: true }).click();
      await expect(page.getByRole('row', { name: new RegExp(version) })).toContainText('Vázlat');
      expect(await page.evaluate(() => 'ran' in window)).toBe(false);
      const [made] = await (await service.get(`/api/v3/super-admin/release-infos?name=${version}`)).json();
      expect(made.bullet_points).toEqual([
        { title: 'Gyorsabb lista', description: '<p>Most <strong>gyors</strong>.</p>' },
      ]);
      expect((await service.delete(`/api/v3/super-admin/release-infos/${made.id}`)).status()).toBe(204);
    },
  );
});

const info = (number: number, points: number, rest: object = {}) => ({
  id: `01900000-0000-7000-8000-00000000000${number}`,
  version_code: `4.${number}.0`,
  release_type: number % 2 ? 'pos' : 'admin',
  lang: 'hu',
  is_draft: false,
  release_at: '2026-01-01T10:00:00Z',
  is_news: true,
  bullet_points: Array.from({ length: points }, (_, at) => ({
    title: `Pont ${number}/${at + 1}`,
    description: '<p>Leírás <em>szépen</em></p><ul><li>egy</li><li>kettő</li></ul>',
  })),
  ...rest,
});

test('what opens by itself: announcements one after the other, then the news with three points; each is confirmed', async ({
  page,
  visit,
}) => {
  // Answers of this page's own: what others read must not open in the windows of other tests.
  const confirmed: string[] = [];
  let announcements = [
    { id: 'a1', message: 'Vasárnap karbantartás\n02:00–04:00' },
    { id: 'a2', message: 'Köszönjük!' },
  ];
  await page.route(/\/admin\/announcements(\?|$)/, (route) => route.fulfill({ json: announcements }));
  await page.route(/\/release-infos\?show_only_news=true/, (route) =>
    route.fulfill({ json: [info(1, 2), info(2, 3)] }),
  );
  await page.route(/\/confirm$/, (route) => {
    confirmed.push(new URL(route.request().url()).pathname.split('/').at(-2)!);
    return route.fulfill({ status: 204 });
  });
  await visit('couriers');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Vasárnap karbantartás');
  // It stays until it is read.
  await page.keyboard.press('Escape');
  await expect(dialog).toContainText('Vasárnap karbantartás');
  await settled(page);
  await expectAccessible(page);
  announcements = [];
  await dialog.getByRole('button', { name: 'Elolvastam' }).click();
  await expect(dialog).toContainText('Köszönjük!');
  await dialog.getByRole('button', { name: 'Elolvastam' }).click();
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText(['Pont 1/1', 'Pont 1/2', 'Pont 2/1']);
  await expect(dialog).toContainText('Még 2 újdonság');
  await settled(page);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Rendben' }).click();
  await expect(dialog).toBeHidden();
  expect(confirmed).toEqual(['a1', 'a2', info(1, 1).id, info(2, 1).id]);
});

test(
  'lists that cannot be read open no dialog and do not block the page',
  { tag: '@nightly' },
  async ({ page, visit, expectConsole }) => {
    expectConsole(/500/);
    await page.route(/\/admin\/announcements(\?|$)|\/release-infos\?/, (route) =>
      route.fulfill({ status: 500, json: { code: 'UNKNOWN_ERROR' } }),
    );
    await visit('couriers');
    await settled(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
  },
);

test(
  'what is new: filtered by type, one beside the list, the same by its address',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    await page.route(/\/release-infos(\?|$)/, (route) =>
      route.fulfill({
        json: route.request().url().includes('show_only_news')
          ? []
          : [info(1, 2), info(2, 3, { is_news: false }), info(3, 1)],
      }),
    );
    await visit('release_info');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('4.1.0 verzió');
    await page.getByRole('link', { name: /4\.2\.0/ }).click();
    await expect(page.getByRole('heading', { level: 3 }).first()).toHaveText('Pont 2/1');
    await settled(page);
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText('4.2.0 verzió');
    await page.getByRole('main').getByText('Kassza', { exact: true }).first().click();
    await expect(page.getByRole('link', { name: /4\.2\.0/ })).toBeHidden();
    await expect(page).toHaveURL(/type=pos/);
  },
);

test(
  'help has four cards; missing settings are named, the help desk opens with a form, there is no chat',
  { tag: '@nightly' },
  async ({ page, visit, service }) => {
    const set = await (await service.get('/api/v3/admins/help')).json();
    await visit('knowledge_repository');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'Ügyfélszolgálat',
      'E-mail',
      'Tudásbázis',
      'Telefon',
    ]);
    await expect(page.getByRole('region', { name: 'Ügyfélszolgálat' })).toContainText('nincs beállítva');
    if (set.email)
      await expect(page.getByRole('link', { name: set.email })).toHaveAttribute(
        'href',
        `mailto:${set.email}`,
      );
    await settled(page);
    await expectAccessible(page);

    // With a help desk, whose form comes back to us here: elsewhere the content policy names its origin.
    await page.route(/\/admins\/help$/, (route) => route.fulfill({ json: { ...set, live_chat: true } }));
    await page.route(/\/admins\/zendesk\/sso$/, (route) =>
      route.fulfill({
        json: {
          jwt: 'j.w.t',
          chat_jwt: 'c.h.a',
          auth_server: `${SERVICE}/access/jwt`,
          default_return_to: '/hc',
        },
      }),
    );
    await page.context().route(/\/access\/jwt$/, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<h1>${route.request().method()} ${route.request().postData()}</h1>`,
      }),
    );
    await page.reload();
    await expect(page.getByRole('main')).not.toContainText(/chat/i);
    const [desk] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Ügyfélszolgálat megnyitása' }).click(),
    ]);
    await expect(desk.getByRole('heading')).toHaveText('POST jwt=j.w.t&return_to=%2Fhc');
  },
);

test(
  'a push notification is counted, scheduled, sent, reported and locked',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    test.setTimeout(90_000);
    const title = `Próba ${unique()}`;
    const devices: string[] = [];
    for (const kind of ['phone', 'gone', 'busy']) {
      const made = await service.post(`${place.api.replace('/admin', '')}/push-devices`, {
        data: { token: `${kind}-${unique()}`, platform: 'android' },
      });
      expect(made.status(), await made.text()).toBe(201);
      devices.push((await made.json()).id);
    }
    await visit('push_notification', 'uj');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Cím').fill('🍕'.repeat(66));
    await expect(drawer).toContainText('66 / 65');
    await drawer.getByLabel('Cím').fill(title);
    await drawer.getByLabel('Szöveg').fill('Kettőt fizet, hármat kap! 🍕');
    await expect(drawer.getByRole('region', { name: 'Előnézet' })).toContainText('Kettőt fizet');
    await drawer.getByLabel('Küldés ideje').fill('2099/12/24 18:00');
    await drawer.getByLabel('Küldés ideje').press('Enter');
    await settled(page);
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Mentés', exact: true }).click();
    await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('Időzítve');

    // Now, instead of in a lifetime: the row changes by itself when it is sent.
    const [row] = await (
      await service.get(`${place.api}/push-notifications?name=${encodeURIComponent(title)}`)
    ).json();
    expect(
      (
        await service.put(`${place.api}/push-notifications/${row.id}`, {
          data: { scheduled_at: new Date().toISOString() },
        })
      ).status(),
    ).toBe(200);
    await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('Elküldve', {
      timeout: 40_000,
    });
    await page.getByRole('link', { name: title }).click();
    await expect(drawer).toContainText('már nem módosítható');
    await expect(drawer.getByRole('textbox')).toHaveCount(0);
    await settled(page);
    await expectAccessible(page);
    const sent = await (await service.get(`${place.api}/push-notifications/${row.id}`)).json();
    expect(sent.unregistered).toBeGreaterThanOrEqual(1);
    expect(sent.accepted).toBeGreaterThanOrEqual(2);
    for (const id of devices) await service.delete(`${place.api.replace('/admin', '')}/push-devices/${id}`);
  },
);

test('mails about orders: own words with placeholders of the list, a preview, a test mail', async ({
  page,
  visit,
  service,
  place,
  expectConsole,
}) => {
  // The preview asks while a placeholder is faulty.
  expectConsole(/422/);
  const restore = () =>
    service.put(`${place.api}/order-emails/accepted`, { data: { enabled: true, subject: null, body: null } });
  await restore();
  await visit('order_emails', 'accepted');
  const preview = page.getByRole('region', { name: 'Előnézet egy mintarendeléssel' });
  await expect(preview).toContainText('A12');
  await expect(page.getByLabel('Tárgy')).toHaveAttribute('placeholder', /\{\{order\}\}/);
  await settled(page);
  await expectAccessible(page);

  await page.getByLabel('Tárgy').fill('Szia {{guest}} ');
  await page.getByRole('button', { name: '{{total}}' }).click();
  await expect(page.getByLabel('Tárgy')).toHaveValue('Szia {{guest}} {{total}}');
  await expect(preview).toContainText('Szia Minta Éva 7');
  await page.getByRole('textbox', { name: 'Szöveg' }).fill('<b>{{guest}}</b> {{gest}}');
  await page.getByRole('button', { name: 'Mentés', exact: true }).click();
  await expect(page.getByText('Ebben az e-mailben nincs ilyen helyőrző: {{gest}}')).toBeVisible();
  await page.getByRole('textbox', { name: 'Szöveg' }).fill('<b>{{guest}}</b>');
  await page.getByRole('button', { name: 'Mentés', exact: true }).click();
  await expect(page.getByText('Sikeres mentés').first()).toBeVisible();
  await expect(preview).toContainText('<b>Minta Éva</b>');
  await page.getByRole('button', { name: 'Próbalevél nekem' }).click();
  await expect(page.getByText('A próbalevél úton van')).toBeVisible();
  await page.getByRole('tab', { name: /Elutasítva/ }).click();
  await expect(preview).toContainText('elfogyott');
  await restore();

  // The one to the restaurant has placeholders of its own, and goes nowhere without an address, which a new
  // restaurant may lack.
  await page.route(/\/order-emails(\?|$)/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    for (const row of [answer].flat()) if (row.kind === 'notification') row.missing_address = true;
    await route.fulfill({ response, json: answer });
  });
  await visit('order_emails', 'notification');
  await expect(page.getByText('Ez a levél az étterem e-mail-címére megy')).toBeVisible();
  await expect(page.getByRole('tab', { name: /Értesítés az étteremnek/ })).toContainText('Kikapcsolva');
  await expect(preview).toContainText('Új: A12 rendelés');
  await expect(preview).toContainText('+36 1 555 0100');
  await expect(page.getByRole('button', { name: '{{guest_phone}}' })).toBeVisible();
  await settled(page);
  await expectAccessible(page);
});

test(
  'announcements are read again once the service knows the new language',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    let known = false;
    await page.route('**/api/v3/admin/me/language', async (route) => {
      await new Promise((done) => setTimeout(done, 400));
      known = true;
      await route.fulfill({ status: 204 });
    });
    const one = {
      id: '00000000-0000-7000-8000-0000000000aa',
      lang: 'en',
      message: 'Closed tonight',
      show_at: '2026-01-01T00:00:00Z',
      archived_at: null,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    };
    await page.route('**/api/v3/admin/announcements', (route) => route.fulfill({ json: known ? [one] : [] }));
    await visit('knowledge_repository');
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page.getByRole('dialog').getByText('Closed tonight')).toBeVisible();
  },
);
