import devicesEn from '../src/features/devices/en.ts';
import devicesHu from '../src/features/devices/hu.ts';
import exportsEn from '../src/features/order-export/en.ts';
import exportsHu from '../src/features/order-export/hu.ts';
import terminalsEn from '../src/features/terminals/en.ts';
import terminalsHu from '../src/features/terminals/hu.ts';
import { expect, test } from './fixtures.ts';
import { createSampleData } from './sampleData.ts';
import { accepted, list, makeTv, open, ready, removeTvs } from './guest-tv.ts';
import { dress, looks, nameOf, picture, wanted } from './looks.ts';
import { screens } from './screens.ts';

const FORMS = [
  'discounts',
  'devices',
  'guest_tv',
  'kiosk',
  'push_notification',
  'terminals',
  'announcements_admin',
  'release_infos_admin',
  'documentations_admin',
];

test.beforeEach(async ({ place }) => createSampleData(place));

for (const look of looks) {
  const name = nameOf(look);
  for (const platform of [false, true]) {
    test.describe(() => {
      test.use({ role: platform ? 'super' : 'partner' });
      test(`forms${platform ? ' of the platform' : ''} ${name}`, async ({ page, visit }) => {
        await dress(page, look);
        for (const { key } of screens.filter(
          (s) => FORMS.includes(s.key) && s.platform === platform && wanted(`${s.key}_form-${name}`),
        )) {
          await visit(key, 'uj');
          await picture(page, `${key}_form-${name}`);
        }
      });
    });
  }

  test(`rows, opened ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`guest_tv_row-${name}`));
    await dress(page, look);
    for (const [key, path] of [
      ['devices', 'devices'],
      ['guest_tv', 'restaurant-tvs'],
      ['kiosk', 'kiosks'],
      ['push_notification', 'push-notifications'],
      ['media_storage', 'images'],
    ] as const) {
      const [row] = (await (await service.get(`${place.api}/${path}`)).json()) as { id: string }[];
      await visit(key, row!.id);
      await picture(page, `${key}_row-${name}`);
    }
  });
}

for (const look of looks) {
  const name = nameOf(look);
  const english = look.language === 'en';

  test(`what opens over a page ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`devices_pairing-${name}`));
    await dress(page, look);
    await visit('order_export');
    await page
      .getByRole('button', { name: (english ? exportsEn : exportsHu)['export_requests.order'] })
      .click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await picture(page, `order_export_pin-${name}`);

    const devices = (await (await service.get(`${place.api}/devices`)).json()) as {
      id: string;
      by_address: boolean;
    }[];
    await visit('devices', devices.find((one) => !one.by_address)!.id);
    await page.getByRole('button', { name: (english ? devicesEn : devicesHu)['devices.again'] }).click();
    await expect(page.locator('.pairing-code')).toBeVisible();
    await picture(page, `devices_pairing-${name}`);
    await page.goto('/tv');
    await picture(page, `tv_pairing-${name}`);

    // Answers of this page's own, so that they open in no other.
    const points = [
      {
        title: 'Étlap importálása',
        description: '<p>Előbb <strong>próba</strong>, és csak utána íródik be.</p>',
      },
      { title: 'Vendég TV', description: '<p>A kész rendelések számai egy képernyőn.</p>' },
    ];
    let announced = [{ id: 'a1', message: 'Vasárnap hajnalban karbantartás:\n02:00–04:00' }];
    await page.route(/\/admin\/announcements(\?|$)/, (route) => route.fulfill({ json: announced }));
    await page.route(/\/release-infos\?show_only_news=true/, (route) =>
      route.fulfill({
        json: [
          {
            id: 'r1',
            version_code: '4.12.0',
            release_type: 'admin',
            lang: 'hu',
            is_draft: false,
            release_at: '2026-01-01T10:00:00Z',
            is_news: true,
            bullet_points: points,
          },
        ],
      }),
    );
    await page.route(/\/confirm$/, (route) => route.fulfill({ status: 204 }));
    await visit('couriers');
    await expect(page.getByRole('dialog')).toContainText('karbantartás');
    await picture(page, `announcement-${name}`);
    announced = [];
    await page.getByRole('dialog').getByRole('button').last().click();
    await expect(page.getByRole('dialog')).toContainText('Vendég TV');
    await picture(page, `news-${name}`);
  });

  test(`card terminals, connected ${name}`, async ({ page, visit, expectConsole }) => {
    test.skip(!wanted(`terminals_connected-${name}`));
    expectConsole(/favicon/); // of the company's page
    const words = english ? terminalsEn : terminalsHu;
    await dress(page, look);
    await visit('terminals');
    const connect = page.getByRole('button', { name: words['teya.connect'] });
    await expect(connect.or(page.getByText('SN-2240-1002'))).toBeVisible();
    // A run that was stopped may have left it connected.
    if (await connect.isVisible()) {
      await connect.click();
      await page.getByRole('button', { name: 'Agree' }).click();
      await expect(page.getByRole('radio').first()).toBeVisible();
      await picture(page, `terminals_store-${name}`);
      await page.getByRole('radio', { name: /Belvárosi üzlet/ }).check();
      await page.getByRole('button', { name: words['teya.use_store'] }).click();
    }
    await expect(page.getByText('SN-2240-1002')).toBeVisible();
    await page.mouse.move(look.width / 2, look.height - 10); // what the mouse is over stays
    await expect(page.locator('.ant-notification-notice')).toHaveCount(0, { timeout: 15_000 });
    await picture(page, `terminals_connected-${name}`);
    await page.getByRole('button', { name: words['teya.logout'] }).last().click();
    await page.getByRole('dialog').getByRole('button', { name: words['teya.logout'] }).click();
    await expect(page.getByText(words['teya.not_connected'])).toBeVisible();
  });
}

test('a full board', async ({ page, service, place }) => {
  const tv = await makeTv(service, place, { background_color: '#f6f4ef' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  const orders = [];
  for (let i = 0; i < 9; i += 1) orders.push(await accepted(service, place));
  for (const order of orders.slice(0, 4)) await ready(service, place, order.id);
  await open(page, tv.tv_url);
  await expect(list(page, 'ready').nth(3)).toBeVisible();
  await picture(page, 'tv-light');
  await service.put(`${place.api}/restaurant-tvs/${tv.id}`, { data: { background_color: '#10222b' } });
  await expect(page.locator('html')).toHaveAttribute('data-letters', 'light');
  await picture(page, 'tv-dark');
  for (const [name, width, height] of [
    ['tablet', 1024, 768],
    ['portrait', 1080, 1920],
    ['phone', 390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await picture(page, `tv-${name}`);
  }
  // They would stand on the pictures of other screens.
  for (const order of orders)
    await service.put(`${place.api}/orders/${order.id}/archive`, { data: { reason: 'test' } });
  await removeTvs(service, place);
});
