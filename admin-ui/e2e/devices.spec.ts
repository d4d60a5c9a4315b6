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

test('a TV is paired by six digits, and goes dark when it is revoked', async ({ page, visit, service, place, context }) => {
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
  expect(code).toMatch(/^\d{3} \d{3}$/);
  await settled(page);
  await expectAccessible(page);

  const tv = await context.newPage();
  await tv.goto('/tv');
  await expect(tv.getByRole('heading', { name: 'Kijelző csatlakoztatása' })).toBeVisible();
  await tv.getByLabel('Kód').fill('000000');
  await tv.getByRole('button', { name: 'Csatlakozás' }).click();
  await expect(tv.getByRole('alert')).toHaveText('Ez a kód nem jó, vagy már lejárt.');
  await expectAccessible(tv);
  await tv.getByLabel('Kód').fill(code);
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
  await expect(tv.getByRole('heading', { name: 'Ez a kijelző már nincs csatlakoztatva' })).toBeVisible({ timeout: 3_000 });
  await expectAccessible(tv);
  // It does not come back with the dead secret.
  await tv.reload();
  await expect(tv.getByRole('heading', { name: 'Kijelző csatlakoztatása' })).toBeVisible();
});
