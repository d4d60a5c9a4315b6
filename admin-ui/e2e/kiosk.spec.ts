import { expect, test } from './fixtures.ts';
import { plainResource } from './plain-resource.ts';

test.describe.configure({ mode: 'default' });

test.describe('each night', { tag: '@nightly' }, () => plainResource('kiosk'));

test('a kiosk gets a PIN, and no two the same', async ({ page, visit, service, place, expectConsole }) => {
  expectConsole(/422/);
  const name = `Próba${Math.random().toString(36).slice(2, 8)}`;
  await visit('kiosk', 'uj');
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Név').fill(name);
  await page.keyboard.press('Control+s');
  await expect(drawer).toHaveCount(0);
  const [made] = await (await service.get(`${place.api}/kiosks?name=${name}`)).json();
  expect(made.pin).toMatch(/^\d{6}$/);
  await expect(page.getByText(made.pin)).toBeVisible();

  await visit('kiosk', 'uj');
  await drawer.getByLabel('Név').fill(`${name} 2`);
  await drawer.getByLabel('PIN').fill(made.pin);
  await page.keyboard.press('Control+s');
  await expect(drawer.getByLabel('PIN')).toBeFocused();
  expect(await (await service.get(`${place.api}/kiosks?name=${name}`)).json()).toHaveLength(1);
  await service.delete(`${place.api}/kiosks/${made.id}`);
});
