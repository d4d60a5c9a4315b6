import { expect, expectAccessible, settled, smallTargets, test } from './fixtures.ts';
import { SERVICE } from './sign-in.ts';

test('a key is shown once and can be copied', async ({ page, context, visit, service, place }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = `Próba ${Date.now()}`;
  await visit('api_keys', 'uj');
  await page.getByRole('dialog').getByLabel('Név').fill(name);
  // The form of another key would lie over the one that is shown.
  await expect(page.getByRole('button', { name: 'Mentés', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mentés és új' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Mentés', exact: true }).click();
  const shown = page.getByRole('dialog', { name: new RegExp(name) });
  const key = await shown.getByLabel('API-kulcs').inputValue();
  expect(key).toMatch(/^pk_.{20,}/);
  await settled(page);
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'Kulcs másolása' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await shown.getByRole('button', { name: 'Eltettem' }).click();
  await expect(page.getByText(key)).toHaveCount(0);

  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'További műveletek' }).click();
  await page.getByRole('menuitem', { name: 'Visszavonás' }).click();
  await page
    .getByRole('dialog', { name: /^Visszavonod/ })
    .getByRole('button', { name: 'Visszavonás' })
    .click();
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  const left = await (await service.get(`${place.api}/api-keys`)).json();
  expect(left.filter((row: { name: string }) => row.name === name)).toEqual([]);

  // It can be listed all the same, and leads to its usage.
  await page.getByRole('combobox', { name: 'A visszavontak is' }).click();
  await page.getByRole('option', { name: 'Igen' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  const revoked = page.getByRole('row', { name: new RegExp(name) });
  await expect(revoked.getByText(/^Visszavonva: /)).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await revoked.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { name: `Használat: ${name}` })).toBeVisible();
  await expect(page.getByText(/^Visszavonva: /)).toBeVisible();
  await expect(page.getByText('Még nem használták')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
});

test(
  'a browser key: only from its origins, only the rights of its kind',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const name = `Oldal ${Date.now()}`;
    await visit('api_keys', 'uj');
    const form = page.getByRole('dialog').first();
    await form.getByLabel('Név').fill(name);
    await form.getByRole('radio', { name: /^Böngésző/ }).check();
    await expect(form.getByRole('checkbox', { name: 'Rendelések olvasása' })).toBeDisabled();
    await expect(form.getByRole('checkbox', { name: 'Rendelések olvasása' })).not.toBeChecked();
    await page.keyboard.press('Control+s');
    await expect(form.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
    const origins = form.getByRole('combobox', { name: 'Engedélyezett oldalak' });
    await origins.fill('http://rendeles.example');
    await origins.press('Enter');
    await page.keyboard.press('Control+s');
    await expect(form.getByText(/^Nem megfelelő: http:\/\/rendeles\.example/)).toBeVisible();
    await form.locator('.ant-select-selection-item-remove').click();
    await origins.fill('https://rendeles.example');
    await origins.press('Enter');
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    // The third party needs the address as much as the key.
    await expect(
      page.getByRole('dialog').getByText(/\/api\/v3\/partners\/.+\/restaurants\/.+/),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Eltettem' }).click();
    const key = (await (await service.get(`${place.api}/api-keys`)).json()).find(
      (row: { name: string }) => row.name === name,
    );
    expect(key).toMatchObject({ kind: 'browser', origins: ['https://rendeles.example'] });
    expect([...key.scopes].sort()).toEqual(['menu:read', 'orders:write']);
    await service.delete(`${place.api}/api-keys/${key.id}`);
  },
);

test(
  'rotating: another secret, shown once; the old one is good for a while',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const name = `Csere ${Date.now()}`;
    const key = await (await service.post(`${place.api}/api-keys`, { data: { name } })).json();
    await visit('api_keys', key.id);
    await page.getByRole('button', { name: 'Kulcs cseréje' }).click();
    const dialog = page.getByRole('dialog', { name: `Kulcs cseréje: ${name}` });
    await settled(page);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Kulcs cseréje' }).click();
    const shown = page.getByRole('dialog', { name: new RegExp(`Elkészült.*${name}`) });
    const fresh = await shown.getByLabel('API-kulcs').inputValue();
    expect(fresh).not.toBe(key.api_key);
    await shown.getByRole('button', { name: 'Eltettem' }).click();
    await expect(page.getByText(/A régi is jó eddig/).first()).toBeVisible();
    // The key's history shows the change.
    await page.getByRole('button', { name: 'Előzmények' }).click();
    const history = page.getByRole('dialog', { name: `Előzmények: ${name}` });
    await expect(history.getByText('API-kulcs: cserélve')).toBeVisible();
    await expect(history.getByText('API-kulcs: létrehozva')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await service.delete(`${place.api}/api-keys/${key.id}`);
  },
);

test(
  'usage: calls per day, and why the last ones were refused',
  { tag: '@nightly' },
  async ({ page, context, visit, service, place, playwright }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const key = await (
      await service.post(`${place.api}/api-keys`, {
        data: { name: `Hívó ${Date.now()}`, scopes: ['menu:read'] },
      })
    ).json();
    const caller = await playwright.request.newContext({
      baseURL: SERVICE,
      extraHTTPHeaders: { Authorization: `Bearer ${key.api_key}` },
    });
    const open = `/api/v3/partners/${place.partner}/restaurants/${place.restaurant}`;
    for (let i = 0; i < 5; i += 1) expect((await caller.get(`${open}/menu`)).status()).toBe(200);
    const refused = await caller.post(`${open}/orders`, {
      data: {},
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    });
    expect(refused.status()).toBeGreaterThanOrEqual(400);
    const { code, request_id } = await refused.json();
    // Usage is written every ten seconds.
    await expect
      .poll(
        async () =>
          (await (await service.get(`${place.api}/api-keys/${key.id}/usage`)).json()).refusals.length,
        { timeout: 25_000, intervals: [1000] },
      )
      .toBeGreaterThan(0);
    await visit('api_keys', `${key.id}/hasznalat`);
    await expect(page.getByRole('img', { name: /^Oszlopdiagram: \d+ hívás/ })).toBeVisible();
    await expect(page.locator('.usage-chart canvas').first()).toBeVisible({ timeout: 15_000 });
    const link = page.getByRole('link', { name: code });
    await expect(link).toHaveAttribute('href', `/api/problems/${code}`);
    expect((await service.get(`/api/problems/${code}`)).status()).toBe(200);
    await page.getByRole('button', { name: `Azonosító másolása: ${request_id}` }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(request_id);
    await page.getByText('Ugyanez táblázatban').click();
    await expect(page.getByRole('columnheader', { name: 'Elutasítva' })).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      await settled(page);
      await expectAccessible(page);
    }
    for (const width of [1024, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      expect(await smallTargets(page), `small targets at ${width}`).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        `scrolls sideways at ${width}`,
      ).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    // The address holds in both languages.
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page).toHaveURL(new RegExp(`/api-keys/${key.id}/usage$`));
    await expect(page.getByText('The last 100 refusals')).toBeVisible();
    await page.getByRole('button', { name: 'Magyar', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`${key.id}/hasznalat$`));
    await page.reload();
    await expect(page.getByText('Az utolsó 100 elutasítás')).toBeVisible();
    await service.delete(`${place.api}/api-keys/${key.id}`);
    await caller.dispose();
  },
);

test(
  'keys of the whole company name their restaurants',
  { tag: '@nightly' },
  async ({ page, place, service, visit }) => {
    const name = `Lánc ${Date.now()}`;
    await visit('api_keys');
    await page.getByRole('button', { name: 'Egész cég' }).click();
    await expect(page).toHaveURL(/of=company/);
    await page.getByRole('button', { name: 'Új API-kulcs' }).first().click();
    const form = page.getByRole('dialog').first();
    await form.getByLabel('Név').fill(name);
    await form.getByRole('combobox', { name: 'Éttermek' }).click();
    // A restaurant other than the one of the screen.
    const rows = (await (
      await service.get(`/api/v3/admin/partners/${place.partner}/restaurants`)
    ).json()) as {
      id: string;
      name: string;
    }[];
    const other = rows.find((row) => row.id !== place.restaurant)!;
    await page.getByRole('option').first().waitFor({ state: 'attached' });
    await page.keyboard.type(other.name);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Mentés', exact: true }).click();
    const shown = page.getByRole('dialog', { name: new RegExp(name) });
    await expect(shown.locator('.key-address')).toHaveText([
      new RegExp(`${other.name}.*/restaurants/${other.id}$`),
    ]);
    await page.getByRole('button', { name: 'Eltettem' }).click();
    const [key] = (
      await (await service.get(`/api/v3/admin/partners/${place.partner}/api-keys`)).json()
    ).filter((row: { name: string }) => row.name === name);
    expect(key.restaurant_ids).toEqual([other.id]);
    await service.delete(`/api/v3/admin/partners/${place.partner}/api-keys/${key.id}`);
  },
);

test.describe(() => {
  test.use({ role: 'super' });
  test(
    'the operator changes the limits of a key; the partner sees them',
    { tag: '@nightly' },
    async ({ page, visit, service, place }) => {
      const made = await (
        await service.post(`${place.api}/api-keys`, { data: { name: `Keret ${Date.now()}` } })
      ).json();
      await visit('api_keys', made.id);
      const factor = page.getByRole('dialog').getByRole('spinbutton', { name: 'Keret szorzója' });
      await expect(factor).toHaveValue('1');
      await factor.fill('20');
      await page.keyboard.press('Enter');
      await expect(page.getByText('A keret módosítva')).toBeVisible();
      const stored = async () =>
        (await (await service.get(`${place.api}/api-keys`)).json()).find(
          (key: { id: string }) => key.id === made.id,
        ).limit_factor;
      expect(await stored()).toBe(20);
      await expect(page.getByRole('dialog').getByText('a szokásos 20-szorosa')).toBeVisible();
      await page.getByRole('button', { name: 'Visszavonás' }).click();
      await expect.poll(stored).toBe(1);
      await service.delete(`${place.api}/api-keys/${made.id}`);
    },
  );
});
