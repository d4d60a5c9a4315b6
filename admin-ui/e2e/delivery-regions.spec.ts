import type { Page } from '@playwright/test';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test } from './new-restaurant.ts';
import { pathOf } from './screens.ts';
import { API_HEADERS, SERVICE, stateFile } from './sign-in.ts';
import { expectSound } from './sound.ts';

// One after the other: they share the regions of one restaurant.
test.describe.configure({ mode: 'serial' });

const SCREEN = 'delivery_regions';
const SAVED = 'Sikeres mentés';
const csv = (text: string) => ({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

interface Region {
  id: string;
  name: string;
  active: boolean;
  price: number;
  min_order_price: number;
  streets: number;
  polygons: number;
}

/** Chooses a file behind a button that opens the file dialog. */
async function choose(page: Page, button: string, file: ReturnType<typeof csv>): Promise<void> {
  const [dialog] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ]);
  await dialog.setFiles(file);
}

test('a region and its streets are entered, switched off and found', async ({
  page,
  visit,
  service,
  place,
}) => {
  const regions = async () => (await (await service.get(`${place.api}/delivery-regions`)).json()) as Region[];
  await visit(SCREEN, 'lista');
  await expect(page.getByText('Még nincs körzet', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Új körzet' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Új körzet' });
  await expect(drawer.getByRole('textbox', { name: 'Név', exact: true })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(drawer.getByText('Ezt a mezőt ki kell tölteni!')).toHaveCount(3);
  await drawer.getByRole('textbox', { name: 'Név', exact: true }).fill('Budaörs');
  await drawer.getByLabel('Szállítási díj').fill('990');
  await drawer.getByLabel('Legkisebb rendelés').fill('3 000');
  await drawer.getByLabel('Értékhatár', { exact: true }).fill('6000');
  await drawer.getByLabel('Díj az értékhatár alatt').fill('1490');
  await settled(page);
  await expectAccessible(page);
  await page.keyboard.press('Control+s');
  await expect(page.getByText(SAVED)).toBeVisible();
  await expect(drawer).toHaveCount(0);
  await expect
    .poll(async () => (await regions())[0])
    .toMatchObject({
      name: 'Budaörs',
      price: 990,
      min_order_price: 3000,
      active: true,
    });

  // Its streets.
  await page.getByRole('link', { name: 'Budaörs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Budaörs: utcák' })).toBeVisible();
  await page.getByRole('button', { name: 'Új utca' }).first().click();
  const street = page.getByRole('dialog', { name: 'Új utca' });
  await expect(street.getByText(/a körzet díja érvényes: 990\sFt/)).toBeVisible();
  await street.getByRole('textbox', { name: 'Utca' }).fill('Fő utca');
  await street.getByLabel('Díj', { exact: true }).fill('690');
  await street.getByRole('button', { name: 'Mentés és új' }).click();
  await expect(page.getByText(SAVED).first()).toBeVisible();
  await street.getByRole('checkbox', { name: 'Az egész település vagy irányítószám' }).check();
  await page.keyboard.press('Control+s');
  await expect(street.getByText('Add meg az irányítószámot vagy a várost!')).toBeVisible();
  await street.getByRole('textbox', { name: 'Irányítószám' }).fill('2040');
  await page.keyboard.press('Control+s');
  await expect(street).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Az összes utca itt: 2040' })).toBeVisible();
  await expect(page.getByText('Összesen 2')).toBeVisible();

  // Searched, and switched off at once.
  await page.getByRole('textbox', { name: 'Keresés névre' }).fill('fo');
  await expect(page.getByText('Összesen 1')).toBeVisible();
  await page.getByRole('switch', { name: 'Aktív: Fő utca' }).click();
  await expect(page.getByRole('row', { name: /Fő utca/ }).getByText('Inaktív')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Vissza a körzetekhez' }).click();
  await page.getByRole('switch', { name: 'Aktív: Budaörs' }).click();
  const last = page.getByRole('dialog', { name: 'Budaörs: az utolsó bekapcsolt körzet' });
  await expect(last.getByRole('radio', { name: 'Sehova nem szállítunk' })).toBeChecked();
  await last.getByRole('button', { name: 'Kikapcsolás' }).click();
  await expect.poll(async () => (await regions())[0]?.active).toBe(false);
  await page.getByRole('switch', { name: 'Aktív: Budaörs' }).click();
  await expect.poll(async () => (await regions())[0]?.active).toBe(true);
});

test('a list of towns is rehearsed, and read in; a faulty one says its rows', async ({
  page,
  visit,
  service,
  place,
  expectConsole,
}) => {
  expectConsole(/422/);
  await visit(SCREEN, 'lista');
  await page.getByRole('button', { name: 'Települések beolvasása' }).click();
  const drawer = page.getByRole('dialog', { name: 'Települések beolvasása' });
  await choose(page, 'Fájl kiválasztása', csv('település;díj;minimum\nPáty;nem szám;3000\n'));
  await expect(drawer.getByText(/^Hibák a fájlban: 1/)).toBeVisible();
  await expect(drawer.getByRole('row', { name: /2\. sor\s+Páty\s+Szállítási díj/ })).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Fájl kiválasztása' })).toBeFocused();
  await settled(page);
  await expectAccessible(page);
  await choose(
    page,
    'Fájl kiválasztása',
    csv('település;díj;minimum;irányítószám\nPáty;1290;5000;2071\nBudaörs;890;3000;2040\n'),
  );
  await expect(drawer.getByText('lista.csv: új 1, módosul 1, változatlan 0.')).toBeVisible();
  await expect(drawer.getByRole('row', { name: /Páty\s+2071/ })).toBeVisible();
  await expect(drawer.getByText(/^Ahol irányítószám áll, ott csak az/)).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Beolvasás', exact: true })).toBeFocused();
  expect(await (await service.get(`${place.api}/delivery-regions`)).json()).toHaveLength(1);
  await settled(page);
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Beolvasás', exact: true }).click();
  await expect(drawer).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Páty' })).toBeVisible();
  await expect
    .poll(async () =>
      ((await (await service.get(`${place.api}/delivery-regions`)).json()) as Region[]).map((one) => [
        one.name,
        one.price,
      ]),
    )
    .toEqual([
      ['Budaörs', 890],
      ['Páty', 1290],
    ]);
});

test('an address is tested: which region delivers, for how much, and why', async ({ page, visit }) => {
  await visit(SCREEN, 'lista');
  await page.getByRole('button', { name: 'Cím kipróbálása' }).click();
  const drawer = page.getByRole('dialog', { name: 'Cím kipróbálása' });
  await drawer.getByLabel('Irányítószám').fill('2071');
  await drawer.getByLabel('Város').fill('páty');
  await page.keyboard.press('Enter');
  const result = drawer.getByRole('region', { name: 'Eredmény' });
  await expect(result.getByRole('heading', { name: /Ide szállítunk\s*Páty/ })).toBeVisible();
  await expect(result.getByText(/1\s290\sFt/).first()).toBeVisible();
  await expect(result.getByText('Ez szállít: más körzet nem jön szóba.')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await drawer.getByLabel('Irányítószám').fill('9999');
  await page.keyboard.press('Enter');
  await expect(result.getByText('Ide nem szállítunk')).toBeVisible();
});

test('a shape is drawn by its points, saved with the map, and there after a reload', async ({
  page,
  visit,
  service,
  place,
}) => {
  const shapes = async () =>
    (await (await service.get(`${place.api}/delivery-regions/polygons`)).json()) as {
      polygon_type: string;
      polygon_data: { radius?: number };
    }[];
  await visit(SCREEN, 'terkep');
  // No picture of the map: shapes are edited by their points all the same.
  await page.getByRole('button', { name: 'Pontok szerint' }).click();
  const drawer = page.getByRole('dialog', { name: 'Új alakzat pontok szerint' });
  const points = [
    ['47,46', '18,94'],
    ['47,46', '18,97'],
    ['47,48', '18,97'],
    ['47,48', '18,94'],
  ];
  await drawer.getByRole('button', { name: 'Pont hozzáadása' }).click();
  for (const [index, [lat, lng]] of points.entries()) {
    await drawer.getByLabel(`${index + 1}. pont szélessége`).fill(lat!);
    await drawer.getByLabel(`${index + 1}. pont hosszúsága`).fill(lng!);
  }
  await drawer.getByRole('button', { name: '2. pont lejjebb' }).click();
  await drawer.getByRole('button', { name: 'Térképre' }).click();
  await expect(drawer.getByText('A körvonal keresztezi önmagát.')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await drawer.getByRole('button', { name: '2. pont lejjebb' }).click();
  await drawer.getByRole('button', { name: 'Térképre' }).click();

  // It has no region yet.
  const which = page.getByRole('dialog', { name: 'Melyik körzeté?' });
  await expect(which).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await which.getByRole('button', { name: 'Később' }).click();
  await expect(page.getByRole('heading', { name: 'Alakzatok körzet nélkül: 1' })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Előbb válassz körzetet minden alakzatnak.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Körzet az alakzatoknak' }).fill('Páty');
  await page.keyboard.press('Enter');
  await expect(page.locator('.dr-shape')).toHaveCount(1);
  await page.getByRole('button', { name: 'Mentés', exact: true }).click();
  await expect(page.getByText(SAVED)).toBeVisible();
  await expect.poll(async () => (await shapes()).length).toBe(1);

  // A circle; taken back step by step; guarded.
  await page.getByRole('button', { name: 'Pontok szerint' }).click();
  await drawer.getByText('Kör', { exact: true }).click();
  await drawer.getByLabel('A középpont szélessége (észak)').fill('47,5');
  await drawer.getByLabel('A középpont hosszúsága (kelet)').fill('18,83');
  await drawer.getByLabel('Sugár (egész méter)').fill('1500');
  await drawer.getByRole('combobox', { name: 'Körzet' }).fill('Budaörs');
  await page.keyboard.press('Enter');
  await drawer.getByRole('button', { name: 'Térképre' }).click();
  await expect(page.getByText('Kör, 1 500 m')).toBeVisible();
  await expect(page.getByText('Nem mentett változások')).toBeVisible();
  await page.getByRole('button', { name: 'Visszavonás' }).click();
  await expect(page.getByText('Kör, 1 500 m')).toHaveCount(0);
  await expect(page.getByText('Nem mentett változások')).toHaveCount(0);
  await page.getByRole('button', { name: 'Alakzat törlése: Páty, Sokszög, 4 pont' }).click();
  await page.getByText('Utcák szerint').click();
  const ask = page.getByRole('dialog', { name: 'Nem mentett változások' });
  await expect(ask).toBeVisible();
  await ask.getByRole('button', { name: 'Maradok' }).click();
  await expect(ask).toBeHidden();
  await page.locator('.save-bar').getByRole('button', { name: 'Elvetés' }).click();
  await page
    .getByRole('dialog', { name: /^Elveted a térkép/ })
    .getByRole('button', { name: 'Elvetés' })
    .click();

  await page.reload();
  await expect(page.getByText('Sokszög, 4 pont')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  expect(await smallTargets(page)).toEqual([]);
});

test(
  'a point on the map is tested by a click',
  { tag: '@nightly' },
  async ({ page, visit, playwright, place }) => {
    // How places are found is set by super admins.
    const platform = await playwright.request.newContext({
      baseURL: SERVICE,
      extraHTTPHeaders: API_HEADERS,
      storageState: stateFile('super'),
    });
    const done = await platform.put(`/api/v3/super-admin/restaurants/${place.restaurant}/switches`, {
      data: { delivery_method: 'gps_based' },
    });
    expect(done.ok(), await done.text()).toBe(true);
    await platform.dispose();
    // Loaded anew, such a restaurant begins with its map.
    await visit(SCREEN, 'lista');
    await page.goto(pathOf(SCREEN, place.restaurant));
    await page.getByRole('button', { name: 'Mind látsszon' }).click();
    await page.getByText('Próba', { exact: true }).click();
    const map = page.getByRole('group', { name: 'Térkép a körzetekkel' });
    const box = (await map.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(page.getByLabel('Szélesség (észak)')).toHaveValue(/^47\.4/);
    await page.getByRole('button', { name: 'Kipróbálom' }).click();
    await expect(page.getByText('Ide szállítunk')).toBeVisible();
  },
);

test(
  'GeoJSON goes out and comes in, holes are refused with their place',
  { tag: '@nightly' },
  async ({ page, visit }) => {
    await visit(SCREEN, 'terkep');
    const file = page.getByRole('button', { name: 'Fájl', exact: true });
    await file.click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'GeoJSON letöltése' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('korzetek.geojson');
    const ring = [
      [18.9, 47.4],
      [18.92, 47.4],
      [18.92, 47.42],
      [18.9, 47.4],
    ];
    const feature = (coordinates: unknown, name: string) => ({
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Polygon', coordinates },
    });
    const text = JSON.stringify({
      type: 'FeatureCollection',
      features: [feature([ring], 'PÁTY'), feature([ring, ring], 'Lyukas')],
    });
    await file.click();
    const [dialog] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('menuitem', { name: 'GeoJSON beolvasása' }).click(),
    ]);
    await dialog.setFiles({
      name: 'be.geojson',
      mimeType: 'application/geo+json',
      buffer: Buffer.from(text),
    });
    const shown = page.getByRole('dialog', { name: 'be.geojson' });
    await expect(shown.getByText(/Lyuk van benne.*Itt: 47,4; 18,9/)).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await shown.getByRole('button', { name: 'Térképre' }).click();
    await expect(page.getByText('Sokszög, 3 pont')).toBeVisible();
    await page.locator('.save-bar').getByRole('button', { name: 'Elvetés' }).click();
    await page
      .getByRole('dialog', { name: /^Elveted a térkép/ })
      .getByRole('button', { name: 'Elvetés' })
      .click();
  },
);

test(
  'list, streets and map are sound in every look',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const [first] = (await (await service.get(`${place.api}/delivery-regions`)).json()) as Region[];
    await visit(SCREEN, 'lista');
    const path = pathOf(SCREEN, place.restaurant);
    await expectSound(page, [
      { name: 'list', path: `${path}/lista` },
      { name: 'streets', path: `${path}/${first!.id}` },
      { name: 'map', path: `${path}/terkep` },
    ]);
  },
);
