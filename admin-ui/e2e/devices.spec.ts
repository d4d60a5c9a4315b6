import type { APIRequestContext } from '@playwright/test';
import { expect, expectAccessible, type Place, settled, test } from './fixtures.ts';

test.describe.configure({ mode: 'default' });

/** Other files run at the same time: each removes its own. */
const made: string[] = [];
const unique = () => `Próba${Math.random().toString(36).slice(2, 8)}`;

async function makeTv(service: APIRequestContext, place: Place, name: string) {
  const answer = await service.post(`${place.api}/restaurant-tvs`, { data: { name } });
  expect(answer.status(), await answer.text()).toBe(201);
  const tv = (await answer.json()) as { id: string; name: string; tv_url: string };
  made.push(tv.id);
  return tv;
}

test.afterEach(async ({ service, place }) => {
  for (const id of made.splice(0)) await service.delete(`${place.api}/restaurant-tvs/${id}`);
});

test('a TV is paired by a code, and goes dark when it is revoked', async ({
  page,
  visit,
  service,
  place,
  context,
}) => {
  const name = unique();
  await makeTv(service, place, name);
  await visit('devices', 'uj');
  const drawer = page.getByRole('dialog').first();
  await drawer.getByLabel('Név').fill(`${name} kijelző`);
  await drawer.getByLabel('Melyik vendég TV-t mutatja').click();
  await page.getByTitle(name, { exact: true }).click();
  await drawer.getByRole('button', { name: 'Kód készítése' }).click();
  const dialog = page.getByRole('dialog', { name: `Csatlakoztatás: ${name} kijelző` });
  const code = (await dialog.getByLabel('Kód').textContent())!;
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  await settled(page);
  await expectAccessible(page);

  const tv = await context.newPage();
  await tv.goto('/tv');
  await expect(tv.getByRole('heading', { name: 'Kijelző csatlakoztatása' })).toBeVisible();
  await tv.getByLabel('Kód').fill('0000 0000');
  await tv.getByRole('button', { name: 'Csatlakozás' }).click();
  await expect(tv.getByRole('alert')).toHaveText('Ez a kód nem jó, vagy már lejárt.');
  await expectAccessible(tv);
  await tv.getByLabel('Kód').fill(` ${code.toLowerCase().replace('-', ' ')}`);
  await tv.getByRole('button', { name: 'Csatlakozás' }).click();
  await expect(tv.getByRole('heading', { level: 2, name: 'Átvehető' })).toBeVisible();
  await expect(dialog.getByText('A készülék csatlakozott.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Bezárás' }).last().click();

  const row = page.getByRole('row', { name: new RegExp(`${name} kijelző`) });
  await expect(row).toContainText('Kapcsolódva');
  await row.getByRole('link').first().click();
  await drawer.getByRole('button', { name: 'További műveletek' }).click();
  await page.getByRole('menuitem', { name: 'Törlés' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Törlés' }).last().click();
  await expect(tv.getByRole('heading', { name: 'Ez a kijelző már nincs csatlakoztatva' })).toBeVisible({
    timeout: 3_000,
  });
  await expectAccessible(tv);
  // It does not come back with the dead secret.
  await tv.reload();
  await expect(tv.getByRole('heading', { name: 'Kijelző csatlakoztatása' })).toBeVisible();
});

test(
  'a kiosk is paired on its own page, which takes its secret; the TV’s page leaves its code alone',
  { tag: '@nightly' },
  async ({ page, visit, service, place, context }, info) => {
    const name = unique();
    const kiosk = (await (await service.post(`${place.api}/kiosks`, { data: { name } })).json()) as {
      id: string;
    };
    const device = (await (
      await service.post(`${place.api}/devices`, {
        data: { name: `${name} állvány`, kind: 'kiosk', restaurant_kiosk_id: kiosk.id },
      })
    ).json()) as { id: string };
    await visit('devices', device.id);
    await page.getByRole('button', { name: 'Csatlakoztatás újra' }).click();
    const dialog = page.getByRole('dialog', { name: `Csatlakoztatás: ${name} állvány` });
    const code = (await dialog.getByLabel('Kód').textContent())!;
    await expect(dialog.locator('.pairing-where')).toHaveText(/\/kiosk$/);
    await settled(page);
    await page.screenshot({ path: info.outputPath('pairing.png') });

    // Typed at a TV by mistake: it says where the code belongs, and the code is still good.
    const tv = await context.newPage();
    await tv.goto('/tv');
    await tv.getByLabel('Kód').fill(code);
    await tv.getByRole('button', { name: 'Csatlakozás' }).click();
    await expect(tv.getByRole('alert')).toContainText('/kiosk');
    await tv.close();

    const at = await context.newPage();
    await at.setViewportSize({ width: 1080, height: 1920 });
    // The code is taken, but the kiosk cannot come with its secret yet: it is not connected.
    let reached = false;
    await at.route('**/api/v3/device', (route) => (reached ? route.continue() : route.abort()));
    await at.goto('/kiosk');
    await expect(at.getByRole('heading', { name: 'Kioszk csatlakoztatása' })).toBeVisible();
    await at.screenshot({ path: info.outputPath('kiosk-code.png') });
    await expectAccessible(at);
    await at.getByLabel('Kód').fill(code);
    await at.getByRole('button', { name: 'Csatlakozás' }).click();
    await expect(dialog.getByText('A kódot beírták.')).toBeVisible();
    await expect(at.getByText('Nincs kapcsolat, újra próbáljuk.')).toBeVisible();
    await expect(dialog.getByText('A készülék csatlakozott.')).toBeHidden();
    reached = true;
    await expect(at.getByRole('status')).toHaveText('Kapcsolódva', { timeout: 15_000 });
    await expect(at.getByText(`${name} állvány`)).toBeVisible();
    await expect(dialog.getByText('A készülék csatlakozott.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Bezárás' }).last().click();
    await at.getByText('Átadás a rendelő alkalmazásnak').click();
    const secret = at.getByLabel('A kioszk titka');
    await expect(secret).toHaveAttribute('type', 'password');
    expect(await secret.inputValue()).toMatch(/^pd_/);
    await at.screenshot({ path: info.outputPath('kiosk.png') });
    await expectAccessible(at);
    // The device stores its secret.
    await at.reload();
    await expect(at.getByRole('status')).toHaveText('Kapcsolódva');

    // The ordering app takes over with its own secret; ten minutes later, or revoked, this page is nobody.
    expect((await service.delete(`${place.api}/kiosks/${kiosk.id}`)).status()).toBe(204);
    await at.reload();
    await expect(at.getByRole('heading', { name: 'Ez a kioszk itt már nincs csatlakoztatva' })).toBeVisible();
    await expectAccessible(at);
  },
);
