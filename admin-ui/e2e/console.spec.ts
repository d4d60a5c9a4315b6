import { expect, expectAccessible, settled, test } from './fixtures.ts';
import { pathOf, slugFor } from './screens.ts';
import { expectSound } from './sound.ts';

// The super admin's console. Partners made here are deleted again (30 days' grace, so they stay in the list).
test.use({ role: 'super' });
const SA = '/api/v3/super-admin';
const unique = (text: string) => `${text} ${Date.now()}`;

/** A partner made through the service; waits until it is ready. */
async function makePartner(
  service: import('@playwright/test').APIRequestContext,
  name: string,
): Promise<{ id: string; restaurant: string }> {
  const answer = await service.post(`${SA}/partners`, {
    data: {
      name,
      mode: 'sandbox',
      restaurant_name: `${name} étterem`,
      currency: 'huf',
      admin: { email: `a${Date.now()}@pult.example` },
    },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });
  expect(answer.status()).toBe(201);
  const { id } = await answer.json();
  await expect
    .poll(async () => (await (await service.get(`${SA}/partners/${id}`)).json()).status, { timeout: 15_000 })
    .toBe('active');
  return { id, restaurant: (await (await service.get(`${SA}/partners/${id}`)).json()).restaurant_list[0].id };
}
const removePartner = (service: import('@playwright/test').APIRequestContext, id: string, name: string) =>
  service.delete(`${SA}/partners/${id}`, { data: { confirm: name } });

test('where nothing matches, the filter is named with its value', { tag: '@nightly' }, async ({ page }) => {
  await page.goto(`/platform/${slugFor('partners')}?q=nincsilyen&status=maintenance`);
  await expect(page.getByText('Amire szűrtél: „nincsilyen”')).toContainText('Állapot: Karbantartás');
});

test(
  'the platform is where a super admin begins, without a restaurant',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL(new RegExp(`/platform/${slugFor('partners')}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Partnerek');
    const menu = page.getByRole('navigation', { name: 'Főmenü' });
    await expect(menu.getByRole('link', { name: 'Háttérfeladatok' })).toBeVisible();
    await expect(menu.getByRole('link', { name: 'Futárok' })).toHaveCount(0);
  },
);

test('a partner comes on board by keyboard: one form, one record after a double click', async ({
  page,
  visit,
  service,
}) => {
  const name = unique('Új cég');
  await visit('partners');
  await page.getByRole('button', { name: 'Új partner' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog');
  await form.getByLabel('Cég neve').focus();
  await page.keyboard.type(name);
  await form.getByLabel('Étterem neve').focus();
  await page.keyboard.type('Első étterem');
  await settled(page);
  await expectAccessible(page);
  // A field that is missing gets the focus.
  await page.keyboard.press('Control+s');
  await expect(form.getByLabel('E-mail-cím')).toBeFocused();
  await page.keyboard.type(`elso${Date.now()}@pult.example`);
  let calls = 0;
  await page.route(`**${SA}/partners`, async (route) => {
    if (route.request().method() === 'POST') calls += 1;
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await form.getByRole('button', { name: 'Létrehozás' }).dblclick();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name, { timeout: 15_000 });
  expect(calls).toBe(1);
  await expect(page.getByText('Működik', { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText('Első étterem', { exact: true })).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  const id = page.url().split('/').at(-1)!;
  const found = await (await service.get(`${SA}/partners?name=${encodeURIComponent(name)}`)).json();
  expect(found.map((row: { id: string }) => row.id)).toEqual([id]);
  await removePartner(service, id, name);
});

test('suspend with a reason, reactivate, rename with undo, delete by typing the name and undo that', async ({
  page,
  visit,
  service,
}) => {
  const name = unique('Élet');
  const { id } = await makePartner(service, name);
  await visit('partner_page', id);
  const more = page.getByRole('button', { name: 'További műveletek' });

  await more.click();
  await page.getByRole('menuitem', { name: 'Felfüggesztés' }).click();
  const suspend = page.getByRole('dialog', { name: /^Felfüggeszted/ });
  await suspend.getByLabel('Indok').fill('Nem fizetett');
  await settled(page);
  await expectAccessible(page);
  await suspend.getByRole('button', { name: 'Felfüggesztés' }).click();
  await expect(page.getByText('Felfüggesztve', { exact: true })).toBeVisible();
  await expect(page.getByText('Nem fizetett')).toBeVisible();
  await page.getByRole('button', { name: 'Újraindítás' }).click();
  await expect(page.getByText('Működik', { exact: true })).toBeVisible();

  await more.click();
  await page.getByRole('menuitem', { name: 'Átnevezés' }).click();
  await page.getByRole('dialog').getByLabel('Cég neve').fill(`${name} új`);
  await page.getByRole('dialog').getByRole('button', { name: 'Mentés' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} új`);
  await page.getByRole('button', { name: 'Visszavonás' }).last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);

  await more.click();
  await page.getByRole('menuitem', { name: 'Partner törlése' }).click();
  const remove = page.getByRole('dialog', { name: /^Törlöd/ });
  const verb = remove.getByRole('button', { name: 'Partner törlése' });
  await expect(verb).toBeDisabled();
  await remove.getByRole('textbox').fill(name.slice(0, -1));
  await expect(verb).toBeDisabled();
  await remove.getByRole('textbox').fill(name);
  await settled(page);
  await expectAccessible(page);
  await verb.click();
  await expect(page.getByText('Törlésre vár', { exact: true })).toBeVisible();
  await expect(page.getByText(/Végleges törlés napja: \d{4}\/\d\d\/\d\d/)).toBeVisible();
  await page.getByRole('button', { name: 'Törlés visszavonása' }).click();
  await expect(page.getByText('Működik', { exact: true })).toBeVisible();
  await removePartner(service, id, name);
});

test(
  'the partner page by keyboard, and its states: missing, failed',
  { tag: '@nightly' },
  async ({ page, visit, place, expectConsole }) => {
    expectConsole(/404|500/);
    await visit('partner_page', place.partner);
    const more = page.getByRole('button', { name: 'További műveletek' });
    await more.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Átnevezés' })).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Átnevezés' });
    await expect(dialog.getByLabel('Cég neve')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.getByRole('main').getByRole('button', { name: 'Támogatói hozzáférés' }).press('Enter');
    await expect(page.getByRole('dialog').getByLabel('Indok')).toBeFocused();
    await page.keyboard.press('Escape');

    await visit('partner_page', '00000000-0000-7000-8000-000000000000');
    await expect(page.getByText('Nincs ilyen partner')).toBeVisible();
    await expectAccessible(page);
    await page.route(`**${SA}/partners/${place.partner}`, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        json: { status: 500, code: 'UNKNOWN_ERROR', title: 'x', keys: [], request_id: 'abc123' },
      }),
    );
    await visit('partner_page', place.partner);
    await expect(page.getByText('Nem sikerült betölteni')).toBeVisible();
    await page.unroute(`**${SA}/partners/${place.partner}`);
    await page.getByRole('button', { name: 'Újra' }).click();
    await expect(page.getByRole('heading', { name: 'Éttermek' })).toBeVisible();
  },
);

// The page has an address of its own and so is not among the screens that are all looked at.
test('the partner page is sound', { tag: '@nightly' }, async ({ page, visit, place }) => {
  await visit('partner_page', place.partner);
  await expectSound(
    page,
    [{ name: 'partner page', path: `${pathOf('partner_page', place.restaurant)}/${place.partner}` }],
    1,
  );
});

test(
  'an export is ordered, made and downloaded; its archive restores into a new partner and into its own',
  { tag: '@nightly' },
  async ({ page, visit, service, expectConsole }, info) => {
    expectConsole(/422/);
    const name = unique('Export');
    const { id } = await makePartner(service, name);
    await visit('partner_page', id);
    await page.getByRole('button', { name: 'Export indítása' }).click();
    const why = page.getByRole('dialog');
    await why.getByLabel('Indok').fill('a partner kérte');
    await settled(page);
    await expectAccessible(page);
    await why.getByRole('button', { name: 'Export indítása' }).click();
    await expect(page.getByRole('cell', { name: 'a partner kérte' })).toBeVisible();
    await expect(page.getByText('Kész', { exact: true })).toBeVisible({ timeout: 20_000 });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Letöltés/ }).click();
    const file = info.outputPath('export.zip');
    await (await download).saveAs(file);

    const restored = `${name} vissza`;
    await visit('partners');
    await page.getByRole('button', { name: 'Visszaállítás archívumból' }).click();
    const form = page.getByRole('dialog');
    await form.locator('input[type=file]').setInputFiles(file);
    await form.getByLabel('Cég neve').fill(restored);
    await settled(page);
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Visszaállítás' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(restored, { timeout: 20_000 });
    await expect(page.getByText('Működik', { exact: true })).toBeVisible({ timeout: 20_000 });
    await removePartner(service, page.url().split('/').at(-1)!, restored);

    // Present data would be lost, so the name has to be typed.
    await visit('partners');
    await page.getByRole('button', { name: 'Visszaállítás archívumból' }).click();
    await form.locator('input[type=file]').setInputFiles(file);
    await form.getByText('Ugyanaz a partner').click();
    await form.getByLabel('Megerősítésül írd be a partner nevét').fill('Másik');
    await form.getByRole('button', { name: 'Visszaállítás' }).click();
    await expect(form.getByLabel('Megerősítésül írd be a partner nevét')).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await settled(page);
    await expectAccessible(page);
    await form.getByLabel('Megerősítésül írd be a partner nevét').fill(name);
    await form.getByRole('button', { name: 'Visszaállítás' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name, { timeout: 20_000 });
    await expect(page.getByText('Működik', { exact: true })).toBeVisible({ timeout: 20_000 });
    await removePartner(service, id, name);
  },
);

test(
  'a broken archive is refused in words, and the form stays',
  { tag: '@nightly' },
  async ({ page, visit, expectConsole }) => {
    expectConsole(/422|400|413/);
    await visit('partners');
    await page.getByRole('button', { name: 'Visszaállítás archívumból' }).click();
    const form = page.getByRole('dialog');
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('not an archive') });
    await form.getByRole('button', { name: 'Visszaállítás' }).click();
    await expect(form.getByText('Ez az archívum sérült, vagy nem Pult-export.')).toBeVisible();
  },
);

test('support access: asked for with a reason, shown on every page with the time left, read-only unless asked for, ended', async ({
  page,
  visit,
  service,
  expectConsole,
}) => {
  expectConsole(/403/);
  const name = unique('Segítség');
  const { id, restaurant } = await makePartner(service, name);
  // Opening it by its address asks for the reason first.
  await page.goto(`/r/${restaurant}/${slugFor('couriers')}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Megnyitás' }).click();
  await expect(page.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
  await page.getByLabel('Indok').fill('Nem nyomtat a nyomtató');
  await page.getByRole('button', { name: 'Megnyitás' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Futárok');
  // Other tests have theirs open.
  const strip = page.getByRole('note', { name: 'Támogatói hozzáférés' }).filter({ hasText: name });
  await expect(strip).toContainText(`${name} adataiban dolgozol`);
  await expect(strip).toContainText('csak olvasás');
  await expect(strip).toContainText(/még (59|60) perc/);
  await settled(page);
  await expectAccessible(page);

  // A refused save is explained, and the typed values stay.
  await page.getByRole('button', { name: 'Új futár' }).first().click();
  await page.getByRole('dialog').getByLabel('Vezetéknév').fill('Próba');
  await page.getByRole('dialog').getByLabel('Keresztnév').fill('Péter');
  await page.getByRole('dialog').getByRole('button', { name: 'Mentés', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('alert').first()).toContainText('támogatói hozzáférés');
  await expect(page.getByRole('dialog').getByLabel('Vezetéknév')).toHaveValue('Próba');
  await page.getByRole('dialog').getByRole('button', { name: 'Mégsem' }).click();
  await page.getByRole('button', { name: 'Elvetés' }).click();

  // It stays while one is on the platform, and its width fits a phone.
  await page.setViewportSize({ width: 360, height: 780 });
  await visit('jobs');
  await expect(strip).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Opened again from the partner's page, this time for changes too.
  await visit('partner_page', id);
  await page.getByRole('main').getByRole('button', { name: 'Támogatói hozzáférés' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Módosítani is szeretnék').check();
  await dialog.getByRole('button', { name: 'Megnyitás' }).click();
  await expect(strip).toContainText('módosíthatsz');
  await strip.getByRole('button', { name: 'Befejezés' }).click();
  await expect(strip).toHaveCount(0);
  await expect(page).toHaveURL(/\/platform\//);
  const open: { partner_id: string }[] = (await (await service.get('/api/v3/admin/me')).json()).support;
  expect(open.filter((one) => one.partner_id === id)).toEqual([]);
  await removePartner(service, id, name);
});

test(
  'of several support accesses each page names the one of its partner',
  { tag: '@nightly' },
  async ({ page, visit, service, expectConsole }) => {
    expectConsole(/403/);
    const [one, two] = [
      await makePartner(service, unique('Egyik')),
      await makePartner(service, unique('Másik')),
    ];
    const names = await Promise.all(
      [one, two].map(
        async ({ id }) => (await (await service.get(`${SA}/partners/${id}`)).json()).name as string,
      ),
    );
    for (const { id } of [one, two])
      expect(
        (
          await service.post(`${SA}/partners/${id}/access`, { data: { reason: 'Próba két céggel' } })
        ).status(),
      ).toBe(201);
    const strip = page.getByRole('note', { name: 'Támogatói hozzáférés' });
    for (const [at, place] of [one, two].entries()) {
      await page.goto(`/r/${place.restaurant}/${slugFor('couriers')}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Futárok');
      await expect(strip).toHaveCount(1);
      await expect(strip).toContainText(names[at]!);
      await visit('partner_page', place.id);
      await expect(strip).toHaveCount(1);
      await expect(strip).toContainText(names[at]!);
    }
    // Elsewhere on the platform one strip counts them, and each ends by itself.
    await visit('jobs');
    await expect(strip).toHaveCount(1);
    await expect(strip).toContainText('partner adatai vannak nyitva');
    await strip.getByRole('button', { name: 'Befejezés…' }).click();
    await page.getByRole('menuitem', { name: `${names[0]!} befejezése` }).click();
    await expect
      .poll(async () => {
        const me = await (await service.get('/api/v3/admin/me')).json();
        return (me.support as { partner_id: string }[]).map(({ partner_id }) => partner_id);
      })
      .not.toContain(one.id);
    await service.delete(`${SA}/partners/${two.id}/access`);
    for (const [at, { id }] of [one, two].entries()) await removePartner(service, id, names[at]!);
  },
);

test(
  'an expired support access says so and can be opened again',
  { tag: '@nightly' },
  async ({ page, visit, place, expectConsole }) => {
    // The clock runs ahead of the net: connections are given up before they stand.
    expectConsole(/WebSocket is closed before the connection is established/);
    let support: object[] = [
      {
        partner_id: place.partner,
        partner_name: 'Pult Demó',
        reason: 'Próba',
        writable: false,
        expires_at: new Date(Date.now() + 90_000).toISOString(),
      },
    ];
    await page.route('**/api/v3/admin/me', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), support } });
    });
    await page.clock.install();
    await visit('couriers');
    const strip = page.getByRole('note', { name: 'Támogatói hozzáférés' });
    await expect(strip).toContainText('még 2 perc');
    support = [];
    await page.clock.runFor(100_000);
    await expect(strip).toContainText('lejárt');
    await strip.getByRole('button', { name: 'Újranyitás' }).click();
    await expect(page.getByRole('dialog').getByLabel('Indok')).toHaveValue('Próba');
  },
);

test(
  'switches of a restaurant: saved, kept by its address',
  { tag: '@nightly' },
  async ({ page, visit, service }) => {
    const name = unique('Kapcsoló');
    const { id, restaurant } = await makePartner(service, name);
    await visit('restaurant_switches');
    await page.getByRole('textbox', { name: 'Keresés névre' }).fill(name);
    await page.getByRole('link', { name: `${name} étterem` }).click();
    const form = page.getByRole('dialog').first();
    // A setting without effect says so, with the reason; other settings do not.
    const of = (label: string) =>
      form.locator('.ant-form-item', { has: page.getByRole('switch', { name: label, exact: true }) });
    await expect(of('Alaprajz a kasszában')).toContainText('Még nincs hatása pénztár még nincs');
    await expect(of('Könnyű kliens (LCT)')).not.toContainText('Még nincs hatása');
    await form.getByRole('switch', { name: 'Alaprajz a kasszában' }).click();
    await settled(page);
    await expectAccessible(page);
    const path = `${SA}/restaurants/${restaurant}/switches`;
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Sikeres mentés')).toBeVisible();
    expect(await (await service.get(path)).json()).toMatchObject({ floor_map: true });

    await page.goto(`/platform/${slugFor('restaurant_switches')}/${restaurant}`);
    await page.getByRole('checkbox', { name: 'Kioszk' }).click();
    await expect(page.getByText('A funkciók elmentve')).toBeVisible();
    // On from the start, with TV and push; the operator takes away.
    expect((await (await service.get(path)).json()).features).toEqual(['push', 'tv']);
    await page.getByRole('button', { name: 'Visszavonás' }).click();
    await expect
      .poll(async () => (await (await service.get(path)).json()).features)
      .toEqual(['kiosk', 'push', 'tv']);

    // Back to before the first of these changes.
    await form.getByRole('button', { name: 'Előzmények' }).click();
    const history = page.getByRole('dialog').last();
    const back = history.getByRole('button', { name: /^Az ez előtti állapot visszaállítása/ });
    await expect(back).toHaveCount(3);
    await settled(page);
    await expectAccessible(page);
    await back.last().click();
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: /^Az ez előtti állapot visszaállítása/ })
      .click();
    await expect.poll(async () => (await (await service.get(path)).json()).floor_map).toBe(false);
    await removePartner(service, id, name);
  },
);

test(
  'the platform’s log shows who did what to which partner',
  { tag: '@nightly' },
  async ({ page, service }) => {
    const name = unique('Naplózott');
    const { id } = await makePartner(service, name);
    await page.goto(`/platform/${slugFor('audit')}?record_id=${id}`);
    await expect(page.getByText('Partner: létrehozva')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await removePartner(service, id, name);
  },
);

test('in English: partners and the partner page', { tag: '@nightly' }, async ({ page, visit, place }) => {
  await visit('partners');
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page).toHaveURL(/\/platform\/partners$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Partners');
  await page.getByRole('link', { name: /^Pult Demó/ }).click();
  await expect(page.getByRole('button', { name: 'Support access' })).toBeVisible();
  await expect(page).toHaveURL(`/platform/partner/${place.partner}`);
  await page.getByRole('button', { name: 'Magyar', exact: true }).click();
});

test.describe('anybody else', () => {
  test.use({ role: 'partner' });
  test('finds no platform: no entry, the address shows the missing right, the service refuses', async ({
    page,
    visit,
    service,
    expectConsole,
  }) => {
    expectConsole(/403/);
    await visit('couriers');
    await expect(page.getByRole('link', { name: 'Háttérfeladatok' })).toHaveCount(0);
    await page.goto(`/platform/${slugFor('partners')}`);
    await expect(page.getByText('Ehhez nincs jogosultságod')).toBeVisible();
    await expectAccessible(page);
    expect((await service.get(`${SA}/partners`)).status()).toBe(403);
  });
});
