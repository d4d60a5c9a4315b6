import { Menu, type Size, unique } from './catalogue-menu.ts';
import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { test } from './new-restaurant.ts';

const EAN = '5991234567890';

test('sizes are counted, stepped, scanned and switched off for today, live in another window', async ({
  page,
  context,
  visit,
  service,
  place,
  expectConsole,
}) => {
  test.setTimeout(90_000);
  // Two type a number at the same time.
  expectConsole(/409 \(Conflict\).*sellable-quantities/);
  await page.setViewportSize({ width: 1024, height: 768 });
  const menu = new Menu(service, place);
  const soups = await menu.category('Levesek');
  const name = `Gulyás ${unique()}`;
  const made = await menu.product(soups.id, name);
  const size = made.subproducts[0]!;
  await menu.put(`product-categories/${soups.id}/products/${made.id}`, {
    subproducts: [{ id: size.id, ean_code: EAN }],
  });
  const other = await menu.product(soups.id, `Húsleves ${unique()}`);
  const held = () => menu.get<Size & { state: string }>(`sellable-quantities/${size.id}`);

  await visit('sellable_quantity');
  const row = page.getByRole('listitem').filter({ hasText: name });
  await expect(row).toBeVisible();
  await settled(page);
  await expectAccessible(page);

  // Counting begins with 20; the keyboard is enough.
  await row.getByRole('switch', { name: `Számoljuk: ${name}` }).press('Space');
  const pieces = row.getByRole('spinbutton', { name: `Darab: ${name}` });
  await expect(pieces).toHaveValue('20');
  const more = row.getByRole('button', { name: `Eggyel több: ${name}` });
  for (let n = 0; n < 5; n++) await more.click();
  await expect.poll(async () => (await held()).sellable_quantity).toBe(25);
  await row.getByRole('spinbutton', { name: `Napi mennyiség: ${name}` }).fill('30');
  await page.keyboard.press('Enter');
  await expect(row.getByText(/feltöltődik/)).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  expect(await smallTargets(page)).toEqual([]);

  // What is typed stays while an order and a colleague change other rows; it is sent when the field is left.
  await pieces.fill('12');
  await service.post(`${place.api}/sellable-quantities/${size.id}/step`, { data: { by: -1 } });
  const theirs = page.getByRole('dialog', { name: 'Közben más is módosította' });
  await expect(pieces).toHaveValue('12');
  await page.keyboard.press('Enter');
  await expect(theirs).toBeVisible();
  await theirs.getByRole('button', { name: 'Az én változatom' }).click();
  await expect.poll(async () => (await held()).sellable_quantity).toBe(12);

  // Another window follows.
  const second = await context.newPage();
  await second.goto(page.url());
  const there = second.getByRole('listitem').filter({ hasText: name });
  await expect(there.getByRole('spinbutton', { name: `Darab: ${name}` })).toHaveValue('12');
  await row.getByText('Ma nem', { exact: true }).click();
  await expect(there.getByText(/újra kapható/)).toBeVisible();
  expect((await held()).state).toBe('off_today');
  await second.close();
  await page
    .getByRole('status')
    .filter({ hasText: `Ma már nem kapható: ${name}` })
    .getByRole('button', { name: 'Visszavonás' })
    .click();
  await expect.poll(async () => (await held()).state).toBe('on');

  // A scanner while a number has the focus: the number stays, the size stands alone.
  await pieces.focus();
  // Its keys come one upon the other, however long the page takes for each.
  await Promise.all([...EAN, 'Enter'].flatMap((key) => [page.keyboard.down(key), page.keyboard.up(key)]));
  await expect(page.getByRole('listitem').filter({ hasText: other.name })).toHaveCount(0);
  await expect(row).toBeVisible();
  await expect(pieces).toHaveValue('12');
  expect((await held()).sellable_quantity).toBe(12);

  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sellable quantity' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await settled(page);
  await expectAccessible(page);
  await menu.clear();
});
