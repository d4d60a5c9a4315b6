import { expect, expectAccessible, settled, test } from './fixtures.ts';
import { slugFor } from './screens.ts';

test('the log: old and new values, filters in the address, the history of a record', async ({
  page,
  visit,
  service,
  place,
}) => {
  const last_name = `Napló${Date.now()}`;
  const courier = await (
    await service.post(`${place.api}/couriers`, { data: { last_name, first_name: 'Péter', vehicle: 'foot' } })
  ).json();
  await service.put(`${place.api}/couriers/${courier.id}`, {
    data: { vehicle: 'car', version: courier.version },
  });
  await visit('audit');
  await expect(page.getByText('Futár: módosítva').first()).toBeVisible();
  const line = page.getByRole('listitem').filter({ hasText: 'Futár: módosítva' }).first();
  // Fields and values are called as on their own screen.
  await expect(line).toContainText('Jármű');
  await expect(line.locator('del')).toContainText('Gyalog');
  await expect(line.locator('ins')).toContainText('Autó');
  await settled(page);
  await expectAccessible(page);

  await line.getByRole('button', { name: /^A rekord előzményei/ }).click();
  await expect(page).toHaveURL(new RegExp(`record_id=${courier.id}`));
  await expect(page.getByText('Összesen 2')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Rekord azonosítója' })).toHaveValue(courier.id);
  await expect(page.getByText('Összesen 2')).toBeVisible();

  await page.getByRole('button', { name: 'Szűrők törlése' }).click();
  await page.getByRole('combobox', { name: 'Művelet' }).click();
  await page.keyboard.type('Futár');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/action=couriers/);
  await page.getByRole('textbox', { name: 'Személy vagy kulcs' }).fill('senki ilyen');
  await expect(page.getByText('Nincs találat')).toBeVisible();
  await expectAccessible(page);
  await service.delete(`${place.api}/couriers/${courier.id}`);
});

test(
  'days are the restaurant’s: the range goes into the address and back',
  { tag: '@nightly' },
  async ({ page, place }) => {
    const requests: string[] = [];
    page.on('request', (request) => request.url().includes('/audit?') && requests.push(request.url()));
    await page.goto(`/r/${place.restaurant}/${slugFor('audit')}?from=2026-07-01&till=2026-07-02`);
    await expect(page.getByText('Nincs találat')).toBeVisible();
    const query = new URL(requests.at(-1)!).searchParams;
    expect([query.get('from'), query.get('till')]).toEqual(['2026-06-30T22:00:00Z', '2026-07-02T22:00:00Z']);
    await expect(page.getByRole('textbox', { name: 'Időszak' }).first()).toHaveValue('2026/07/01');
  },
);

test('the company’s log is for admins of the whole company', { tag: '@nightly' }, async ({ page, visit }) => {
  await visit('audit');
  await page.getByRole('button', { name: 'Egész cég' }).click();
  await expect(page).toHaveURL(/of=company/);
  await expect(page.getByRole('listitem').first()).toBeVisible();
});

test.describe('of one restaurant', () => {
  test.use({ role: 'restaurant' });
  test('an admin sees only that one’s', async ({ page, visit }) => {
    await visit('audit');
    await expect(page.getByRole('button', { name: 'Egész cég' })).toHaveCount(0);
  });
});

test('states: failed and empty', { tag: '@nightly' }, async ({ page, visit, expectConsole }) => {
  expectConsole(/500/);
  await page.route('**/audit?*', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      json: { status: 500, code: 'UNKNOWN_ERROR', title: 'x', keys: [], request_id: 'abc123' },
    }),
  );
  await visit('audit');
  await expect(page.getByText('Nem sikerült betölteni')).toBeVisible();
  await expect(page.getByText('abc123')).toBeVisible();
  await page.unroute('**/audit?*');
  await page.route('**/audit?*', (route) => route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } }));
  await page.getByRole('button', { name: 'Újra' }).click();
  await expect(page.getByText('Még nem történt módosítás')).toBeVisible();
  await expectAccessible(page);
});
