import type { APIRequestContext } from '@playwright/test';
import { expect, expectAccessible, type Place, settled, test } from './fixtures.ts';
import { plainResource } from './plain-resource.ts';

/** The plain resource stands for all of them: what works here comes from lib/crud. */
// One after the other: they share the list and its order.
test.describe.configure({ mode: 'default' });

const unique = () => `Próba${Math.random().toString(36).slice(2, 8)}`;

async function make(service: APIRequestContext, place: Place, last: string, rest: object = {}) {
  const answer = await service.post(`${place.api}/couriers`, {
    data: { last_name: last, first_name: 'Ödön', active: true, ...rest },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as { id: string; version: number };
}

test.afterEach(async ({ service, place }) => {
  for (const row of await (await service.get(`${place.api}/couriers?name=Próba`)).json())
    await service.delete(`${place.api}/couriers/${row.id}`);
});

plainResource('couriers');

test('unsaved changes are guarded: Esc, menu, back; saved ones are not', async ({
  page,
  visit,
  service,
  place,
}) => {
  const name = unique();
  const { id } = await make(service, place, name);
  await visit('couriers');
  await page.getByRole('link', { name: new RegExp(name) }).click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByLabel('Megjegyzés').fill('fontos');
  const ask = page.getByRole('dialog', { name: 'Nem mentett változások' });

  await page.keyboard.press('Escape');
  await expect(ask).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await ask.getByRole('button', { name: 'Maradok' }).click();
  await expect(ask).toBeHidden();
  await expect(drawer.getByLabel('Megjegyzés')).toHaveValue('fontos');

  await page.goBack();
  await expect(ask).toBeVisible();
  await ask.getByRole('button', { name: 'Mentés és tovább' }).click();
  await expect(ask).toBeHidden();
  expect((await (await service.get(`${place.api}/couriers/${id}`)).json()).note).toBe('fontos');
});

test(
  'the language changes under an edited form without losing it',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const { id } = await make(service, place, unique());
    await visit('couriers', id);
    await page.getByLabel('Megjegyzés').fill('marad');
    // The drawer covers the top bar for the mouse, not for this test.
    await page.getByRole('button', { name: 'English', includeHidden: true }).dispatchEvent('click');
    await expect(page.getByLabel('Note')).toHaveValue('marad');
    await expect(page).toHaveURL(/couriers\//);
  },
);

test.describe('refusals', () => {
  test.beforeEach(({ expectConsole }) => expectConsole(/ERR_FAILED/));

  test('a slow net and a lost answer make one courier, not two', async ({ page, visit, service, place }) => {
    const name = unique();
    const sent: (string | undefined)[] = [];
    await page.route('**/couriers', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent.push(route.request().headers()['idempotency-key']);
      if (sent.length > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await visit('couriers', 'uj');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Vezetéknév').fill(name);
    await drawer.getByLabel('Keresztnév').fill('Ödön');
    await drawer.getByRole('button', { name: 'Mentés', exact: true }).dblclick();
    await expect(drawer.getByText('Nem tudni, hogy a mentés megtörtént-e')).toBeVisible();
    await drawer.getByRole('button', { name: 'Újra' }).click();
    await expect(drawer).toHaveCount(0);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
    expect(await (await service.get(`${place.api}/couriers?name=${name}`)).json()).toHaveLength(1);
  });
});

test(
  'the address restores filters, and cards replace the table on phones',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    const name = unique();
    await make(service, place, name, { active: false });
    await visit('couriers');
    await page.goto(`${page.url()}?active=false&q=${name}`);
    await expect(page.getByRole('link', { name: new RegExp(name) })).toBeVisible();
    await expect(page.getByText('Összesen 1')).toBeVisible();
    await page.getByRole('switch').click();
    await expect(page.getByText('Nincs találat')).toBeVisible();
    await page.getByRole('button', { name: 'Szűrők törlése' }).last().click();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.locator('.list-cards')).toBeVisible();
  },
);

test(
  'a list longer than one answer says so, and is not sorted by what is here',
  { tag: '@nightly' },
  async ({ page, visit, service, place }) => {
    await make(service, place, unique());
    await make(service, place, unique());
    await page.route(/\/couriers\?/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-total-count': '10000' } });
    });
    await visit('couriers');
    await expect(page.getByText(/Összesen 10\s000; itt az első [\d\s]+ látszik/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sorrend' })).toHaveCount(0);
    await expect(page.getByRole('columnheader', { name: 'Név' })).not.toHaveAttribute('aria-sort');
    await expect(page.locator('.ant-table-column-has-sorters')).toHaveCount(0);
  },
);
