import { expect, expectAccessible, test } from './fixtures.ts';
import { accepted, list, makeTv, open, ready, removeTvs } from './guest-tv.ts';
import { png } from './pixels.ts';
import { plainResource } from './plain-resource.ts';

test.describe.configure({ mode: 'default' });

test.describe('each night', { tag: '@nightly' }, () => plainResource('guest_tv'));

test.afterEach(async ({ service, place }) => {
  await removeTvs(service, place);
});

test('a display sees an order accepted, then ready, and nothing of the guest', async ({
  page,
  service,
  place,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const tv = await makeTv(service, place);
  await open(page, tv.tv_url);
  const order = await accepted(service, place);
  await expect(list(page, 'preparing').filter({ hasText: new RegExp(`^${order.counter}$`) })).toBeVisible();
  await expectAccessible(page);
  expect((await ready(service, place, order.id)).status()).toBe(200);
  await expect(list(page, 'ready').filter({ hasText: new RegExp(`^${order.counter}$`) })).toHaveClass(
    /tv-fresh/,
  );
  await expect(list(page, 'preparing').filter({ hasText: new RegExp(`^${order.counter}$`) })).toHaveCount(0);
  expect(await page.locator('body').innerText()).not.toContain('Titkos');
  for (const number of await page.locator('.tv-numbers li').all()) {
    expect(
      Number.parseFloat(await number.evaluate((one) => getComputedStyle(one).fontSize)),
    ).toBeGreaterThanOrEqual(24);
  }
});

test('a lost connection is shown and restored; the clock of the display does not matter', async ({
  page,
  service,
  place,
  context,
  expectConsole,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|WebSocket|Failed to load resource/);
  await page.setViewportSize({ width: 1920, height: 1080 });
  // Three hours off.
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 3 * 3600_000;
  });
  const tv = await makeTv(service, place);
  await open(page, tv.tv_url);
  const expected = new Intl.DateTimeFormat('hu', {
    timeZone: 'Europe/Budapest',
    hour: '2-digit',
    minute: '2-digit',
  });
  await expect
    .poll(async () =>
      [0, 60_000]
        .map((ago) => expected.format(Date.now() - ago))
        .includes((await page.locator('.tv-clock').textContent())!),
    )
    .toBe(true);
  let cut = true;
  await page.routeWebSocket('**/tv-board', (socket) =>
    cut ? void socket.close({ code: 1012 }) : void socket.connectToServer(),
  );
  await page.route('**/api/v3/device/board', (route) => (cut ? route.abort() : route.continue()));
  await page.reload();
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Kapcsolódás…' })).toBeVisible();
  const order = await accepted(service, place);
  cut = false;
  await expect(list(page, 'preparing').filter({ hasText: new RegExp(`^${order.counter}$`) })).toBeVisible({
    timeout: 20_000,
  });
});

test(
  'a new address closes the displays of the old one',
  { tag: '@nightly' },
  async ({ page, visit, service, place, context }) => {
    const tv = await makeTv(service, place);
    const display = await context.newPage();
    await open(display, tv.tv_url);
    await visit('guest_tv', tv.id);
    const drawer = page.getByRole('dialog').first();
    await expect(drawer.getByRole('textbox', { name: 'A kijelző címe' })).toHaveValue(tv.tv_url);
    await drawer.getByRole('button', { name: 'Új cím' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Új cím' }).click();
    await expect(drawer.getByRole('textbox', { name: 'A kijelző címe' })).not.toHaveValue(tv.tv_url);
    await expect(display.getByRole('heading', { name: 'Ez a kijelző már nincs csatlakoztatva' })).toBeVisible(
      {
        timeout: 3_000,
      },
    );
  },
);

test(
  'a picture lies behind the numbers, chosen in the editor; without it they stand as before',
  { tag: '@nightly' },
  async ({ page, visit, service, place, context, expectConsole }) => {
    expectConsole(/Failed to load resource|ERR_FAILED/);
    const name = `Háttér${Math.random().toString(36).slice(2, 8)}`;
    const made = await service.post(`${place.api}/images`, {
      multipart: {
        name,
        image: {
          name: `${name}.png`,
          mimeType: 'image/png',
          buffer: png(1920, 1080, [255, 255, 255], [240, 240, 240]),
        },
      },
    });
    expect(made.status(), await made.text()).toBe(201);
    const image = await made.json();
    const tv = await makeTv(service, place, { background_color: '#10222b' });
    const display = await context.newPage();
    await open(display, tv.tv_url);
    await expect(display.locator('.tv-background img')).toHaveCount(0);

    await visit('guest_tv', tv.id);
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('button', { name: 'Kép választása' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name }).click();
    await expect(drawer.locator('.media-field img')).toHaveAttribute('src', image.image.small);
    await page.keyboard.press('Control+s');
    const shown = display.locator('.tv-background img');
    await expect(shown).toHaveAttribute('src', image.image.original, { timeout: 5_000 });
    expect(await shown.evaluate((one: HTMLImageElement) => one.decode().then(() => one.naturalWidth))).toBe(
      1920,
    );
    expect(
      await display
        .locator('.tv-background')
        .evaluate((one) => getComputedStyle(one, '::after').backgroundColor),
    ).toBe('rgba(16, 34, 43, 0.72)');
    await expectAccessible(display);
    expect((await service.delete(`${place.api}/images/${image.id}`)).status()).toBe(409);
    expect((await (await service.get(`${place.api}/images/${image.id}`)).json()).used_by).toMatchObject([
      { resource: 'restaurant_tvs', id: tv.id },
    ]);

    // The object store is down; the numbers are still shown.
    await display.route(image.image.original, (route) => route.abort());
    await display.reload();
    await expect(display.getByRole('heading', { level: 2, name: 'Átvehető' })).toBeVisible();
    await expect(shown).toHaveCount(0);
    await expectAccessible(display);
    await removeTvs(service, place);
    expect((await service.delete(`${place.api}/images/${image.id}`)).status()).toBe(204);
  },
);
