import type { Locator, Page } from '@playwright/test';
import { it, type Menu, type Row, saved, unique } from './catalogue-menu.ts';
import { expect, expectAccessible, PASSWORD, settled, smallTargets } from './fixtures.ts';
import { pathOf } from './screens.ts';
import { expectSound } from './sound.ts';

const PIN = '2580';
/** As the service takes it, with one range of ten percent. */
const body = (name: string, rest: object = {}) => ({
  name,
  discount_type: 'discount',
  platforms: ['browser'],
  ranges: [{}],
  ...rest,
});
const make = (menu: Menu, rest: object = {}) =>
  menu.post<Row & Record<string, unknown>>('discounts', body(unique(), rest));
const found = async (menu: Menu, name: string) => {
  const rows = await menu.get<(Row & Record<string, never>)[]>(
    `discounts?activity=all&name=${encodeURIComponent(name)}`,
  );
  for (const row of rows) menu.made(`discounts/${row.id}`);
  return rows;
};
const section = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });
/** The row of the list with this name. */
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

it.describe('discounts', () => {
  it('a discount with ranges, a gift, times and limits is entered by hand', async ({ page, visit, menu }) => {
    it.setTimeout(90_000);
    const name = unique();
    const category = await menu.category(unique());
    const gift = unique();
    await menu.product(category.id, gift);
    await visit('discounts');
    await page.getByRole('button', { name: 'Új kedvezmény' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Új kedvezmény' });
    await drawer.getByLabel('Név*').fill(name);
    const first = drawer.getByRole('group', { name: '1. sáv' });
    await first.getByLabel('Mérték').fill('20');
    await drawer.getByRole('button', { name: 'Sáv hozzáadása' }).click();
    const second = drawer.getByRole('group', { name: '2. sáv' });
    await second.getByLabel('Ettől az értéktől').fill('8000');
    await second.getByLabel('Mérték').fill('0');
    await second.getByRole('checkbox', { name: 'Ingyenes kiszállítás' }).check();
    await second.getByRole('button', { name: 'Ajándék hozzáadása' }).click();
    const row = second.getByRole('group', { name: '1. ajándék' });
    await row.getByRole('combobox', { name: /Ajándék termék/ }).fill(gift);
    await page.keyboard.press('Enter');
    await drawer.getByRole('checkbox', { name: 'Telefon' }).check();
    await drawer.getByRole('radio', { name: 'Csak ezekre' }).check();
    await drawer.getByRole('combobox', { name: 'Kategóriák' }).fill(category.name);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await drawer.getByLabel('Összesen hányszor használható').fill('100');
    await section(page, 'Időszak').getByRole('button', { name: 'Időszak hozzáadása' }).click();
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    await saved(page);
    await expect(drawer).toHaveCount(0);
    const [made] = await found(menu, name);
    expect(made).toMatchObject({
      discount_type: 'discount',
      platforms: ['browser', 'android', 'ios', 'phone'],
      products_for: 'inclusion',
      product_category_ids: [category.id],
      all_max_use_qty: 100,
      time_ranges: [{ day: 'every_day', from: '11:00', till: '20:00' }],
      stackable: true,
      isValid: true,
    });
    expect(made!.ranges).toMatchObject([
      { price_from: 0, discount_value: 20, discount_type: 'percent', gifts: [] },
      {
        price_from: 8000,
        discount_value: 0,
        free_delivery: true,
        gifts: [{ quantity: 1, quantity_type: 'per_cart', discount_percentage: 100 }],
      },
    ]);
    await expect(rowOf(page, name)).toContainText('−20');
  });

  it(
    'what contradicts itself is said at its field, and nothing is sent',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      await visit('discounts', 'uj');
      const drawer = page.getByRole('dialog', { name: 'Új kedvezmény' });
      const name = unique();
      await drawer.getByRole('radio', { name: /^Kupon/ }).check();
      await drawer.getByRole('button', { name: '1. sáv törlése' }).click();
      for (const platform of ['Webshop', 'Android-alkalmazás', 'iOS-alkalmazás'])
        await drawer.getByRole('checkbox', { name: platform }).uncheck();
      await drawer.getByRole('radio', { name: 'Mindre, kivéve' }).check();
      await page.keyboard.press('Control+s');
      await expect(drawer.getByText('Ezt a mezőt ki kell tölteni!')).toHaveCount(2);
      await expect(drawer.getByText(/^Adj meg legalább egy sávot/)).toBeVisible();
      await expect(drawer.getByText('Válassz legalább egy platformot!')).toBeVisible();
      await expect(drawer.getByText('Válassz legalább egy kategóriát vagy terméket!')).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      await drawer.getByLabel('Név*').fill(name);
      expect(await found(menu, name)).toEqual([]);
      await page.keyboard.press('Escape');
      await page
        .getByRole('dialog', { name: 'Nem mentett változások' })
        .getByRole('button', { name: 'Elvetés' })
        .click();
      await expect(drawer).toHaveCount(0);
    },
  );

  it(
    'an upsell has neither products, times, limits nor customers',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      await visit('discounts', 'uj');
      const drawer = page.getByRole('dialog', { name: 'Új kedvezmény' });
      const name = unique();
      await drawer.getByLabel('Név*').fill(name);
      await drawer.getByRole('checkbox', { name: 'Telefon' }).check();
      await drawer.getByRole('radio', { name: /^Upsell/ }).check();
      await expect(drawer.getByText('Mely termékekre')).toHaveCount(0);
      await expect(drawer.getByText('Kapcsolódó vendégek')).toHaveCount(0);
      await expect(drawer.getByRole('checkbox', { name: 'Telefon' })).toHaveCount(0);
      // Another one may be switched on already.
      await drawer.getByRole('switch', { name: 'Aktív' }).click();
      await page.keyboard.press('Control+s');
      await saved(page);
      const [made] = await found(menu, name);
      expect(made).toMatchObject({ discount_type: 'upsell', stackable: false, active: false });
      expect((made!.platforms as unknown as string[]).toSorted()).toEqual(['android', 'browser', 'ios']);
      await visit('discounts', made!.id);
      const opened = page.getByRole('dialog', { name });
      await expect(opened.getByText('A mentés után már nem változtatható.')).toBeVisible();
      await expect(opened.getByRole('radio', { name: /^Kupon/ })).toHaveCount(0);
    },
  );

  it(
    'a code that another coupon has is refused at its field',
    { tag: '@nightly' },
    async ({ page, visit, menu, expectConsole }) => {
      expectConsole(/422/);
      const code = unique();
      await make(menu, { discount_type: 'coupon', code });
      await visit('discounts', 'uj');
      const drawer = page.getByRole('dialog', { name: 'Új kedvezmény' });
      await drawer.getByLabel('Név*').fill(unique());
      await drawer.getByRole('radio', { name: /^Kupon/ }).check();
      await drawer.getByLabel('Kuponkód*').fill(` ${code.toUpperCase()} `);
      await page.keyboard.press('Control+s');
      await expect(drawer.getByText('Ezt a kódot már egy másik kupon használja.')).toBeVisible();
      await expect(drawer.getByLabel('Kuponkód*')).toBeFocused();
      await page.keyboard.press('Escape');
      await page
        .getByRole('dialog', { name: 'Nem mentett változások' })
        .getByRole('button', { name: 'Elvetés' })
        .click();
    },
  );

  it('the list shows active ones, switches one off and back, copies and archives', async ({
    page,
    visit,
    menu,
  }) => {
    const on = await make(menu);
    const off = await make(menu, { active: false });
    await visit('discounts');
    await expect(rowOf(page, on.name)).toBeVisible();
    await expect(rowOf(page, off.name)).toHaveCount(0);
    await page.getByRole('switch', { name: `Aktív: ${on.name}` }).click();
    await expect(rowOf(page, on.name)).toHaveCount(0);
    await page.getByRole('button', { name: 'Visszavonás' }).click();
    await expect(rowOf(page, on.name)).toBeVisible();

    await page.getByRole('combobox', { name: 'Állapot' }).click();
    await page.getByTitle('Inaktívak').click();
    await expect(rowOf(page, off.name)).toBeVisible();
    await expect(page).toHaveURL(/activity=inactive/);
    await page.getByRole('button', { name: `További műveletek: ${off.name}` }).click();
    await page.getByRole('menuitem', { name: 'Másolat készítése' }).click();
    const drawer = page.getByRole('dialog', { name: `${off.name} (másolat)` });
    await expect(drawer.getByRole('switch', { name: 'Aktív' })).not.toBeChecked();
    menu.made(`discounts/${page.url().split('/').at(-1)}`);
    await drawer.getByRole('button', { name: 'Archiválás' }).click();
    const ask = page.getByRole('dialog', { name: `Archiválod ezt: „${off.name} (másolat)”?` });
    await expect(ask.getByRole('button', { name: 'Mégsem' })).toBeFocused();
    await ask.getByRole('button', { name: 'Archiválás' }).click();
    await expect(page.getByText(`Archiválva: ${off.name} (másolat)`)).toBeVisible();
    await expect(drawer).toHaveCount(0);
  });

  it('a copied coupon gets a code of its own', { tag: '@nightly' }, async ({ page, visit, menu }) => {
    const coupon = await make(menu, { discount_type: 'coupon', code: unique() });
    await visit('discounts');
    await page.getByRole('button', { name: `További műveletek: ${coupon.name}` }).click();
    await page.getByRole('menuitem', { name: 'Másolat készítése' }).click();
    const dialog = page.getByRole('dialog', { name: `${coupon.name}: másolat készítése` });
    const code = unique();
    await dialog.getByLabel('A másolat kódja').fill(code);
    await settled(page);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Másolat készítése' }).click();
    await expect(
      page.getByRole('dialog', { name: `${coupon.name} (másolat)` }).getByLabel('Kuponkód*'),
    ).toHaveValue(code);
    menu.made(`discounts/${page.url().split('/').at(-1)}`);
  });

  it('a series of codes is made and downloaded', { tag: '@nightly' }, async ({ page, visit, menu }) => {
    const coupon = await make(menu, { discount_type: 'coupon', code: unique() });
    await visit('discounts', `${coupon.id}/kodok`);
    const drawer = page.getByRole('dialog', { name: `${coupon.name}: egyszeri kódok` });
    await expect(drawer.getByText('Még nincs egyszeri kód')).toBeVisible();
    await drawer.getByRole('button', { name: 'Kódok készítése' }).click();
    const dialog = page.getByRole('dialog', { name: `${coupon.name}: kódok készítése` });
    await dialog.getByLabel('Hány kód készüljön').fill('50');
    await dialog.getByLabel('A kódok eleje').fill('nyar-');
    await settled(page);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Kódok készítése' }).click();
    await expect(page.getByText('Elkészült kódok: 50')).toBeVisible();
    await expect(drawer.getByText('Összesen 50')).toBeVisible();
    await expect(drawer.getByText(/^NYAR-[A-Z3-9]{9}$/)).toHaveCount(40);
    const download = page.waitForEvent('download');
    await drawer.getByRole('button', { name: 'Letöltés (xlsx)' }).click();
    expect((await download).suggestedFilename()).toBe(`${coupon.name}.xlsx`);
  });

  it(
    'what somebody else saved meanwhile is compared',
    { tag: '@nightly' },
    async ({ page, visit, menu, expectConsole }) => {
      expectConsole(/409/);
      const discount = await make(menu);
      await visit('discounts', discount.id);
      const drawer = page.getByRole('dialog', { name: discount.name });
      await drawer.getByLabel('Mérték').fill('25');
      await menu.put(`discounts/${discount.id}`, {
        ranges: [{ discount_value: 15 }],
        version: discount.version,
      });
      await page.keyboard.press('Control+s');
      const conflict = page.getByRole('dialog', { name: 'Közben más is módosította' });
      await expect(conflict).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      await conflict.getByRole('button', { name: 'Az én változatom' }).click();
      await saved(page);
      const [row] = await found(menu, discount.name);
      expect(row!.ranges).toMatchObject([{ discount_value: 25 }]);
    },
  );

  it('what runs now and what waits, with the reason', { tag: '@nightly' }, async ({ page, visit, menu }) => {
    const runs = await make(menu);
    const later = await make(menu, { valid_from: new Date(Date.now() + 86_400_000).toISOString() });
    await visit('discounts', 'most-fut');
    await expect(page.getByRole('list', { name: 'Most fut' }).getByText(runs.name)).toBeVisible();
    const waiting = page.getByRole('list', { name: 'Aktív, de most nem fut' });
    await expect(waiting.getByRole('listitem').filter({ hasText: later.name })).toContainText(
      'Később kezdődik',
    );
  });

  it('what opens over the list is sound in English', { tag: '@nightly' }, async ({ page, visit, menu }) => {
    const coupon = await make(menu, { discount_type: 'coupon', code: unique() });
    for (const [part, title] of [
      ['usage', `${coupon.name}: uses and revenue`],
      ['codes', `${coupon.name}: single-use codes`],
    ]) {
      await visit('discounts', `${coupon.id}/${part}`);
      await expect(page.getByRole('dialog')).toBeVisible();
      // The drawer covers the top bar for the mouse, not for this test.
      await page.getByRole('button', { name: 'English', includeHidden: true }).dispatchEvent('click');
      const dialog = page.getByRole('dialog', { name: title! });
      await expect(dialog).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      expect(await smallTargets(page), 'small targets').toEqual([]);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await page.getByRole('button', { name: 'Magyar', exact: true }).click();
    }
  });
});

it.describe('customers of a discount', () => {
  // The exports' test gives the partner's admin another PIN meanwhile.
  it.use({ role: 'restaurant' });

  it('customers are named behind the PIN, and taken off', async ({ page, visit, menu, place, service }) => {
    const own = `/api/v3/admin/partners/${place.partner}/pin`;
    expect((await service.put(own, { data: { pin: PIN, password: PASSWORD } })).status()).toBe(204);
    const discount = await make(menu);
    // Loaded anew: an account that was read before has no PIN, and would be asked to set one.
    await page.goto(`${pathOf('discounts', place.restaurant)}/${discount.id}`);
    const drawer = page.getByRole('dialog', { name: discount.name });
    await drawer.getByRole('switch', { name: 'Csak kiválasztott vendégeknek' }).click();
    await expect(drawer.getByText(/^A vendégek személyes adatok/)).toBeVisible();
    await drawer.getByRole('button', { name: 'Vendégek megnyitása' }).click();
    const ask = page.getByRole('dialog', { name: 'A kedvezmény vendégeinek megnyitása' });
    await ask.getByLabel('PIN-kód').fill('1234');
    await ask.getByRole('button', { name: 'Megnyitás' }).click();
    await expect(ask.getByText('Hibás PIN-kód.')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await ask.getByLabel('PIN-kód').fill(PIN);
    await ask.getByRole('button', { name: 'Újra' }).click();
    await expect(ask).toHaveCount(0);
    const picker = drawer.getByRole('combobox', { name: 'Vendég hozzáadása' });
    await picker.click();
    await expect(page.locator('.ant-select-item-option-active')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(drawer.getByText('mentéskor kerül fel', { exact: true })).toBeVisible();
    await page.keyboard.press('Control+s');
    await saved(page);
    const usages = async () => {
      const answer = await service.get(`${place.api}/discounts/${discount.id}/usages`, {
        headers: { 'X-Pin': PIN },
      });
      return (await answer.json()) as unknown[];
    };
    expect(await usages()).toHaveLength(1);

    await visit('discounts', discount.id);
    await drawer.getByRole('button', { name: 'Vendégek megnyitása' }).click();
    await ask.getByLabel('PIN-kód').fill(PIN);
    await ask.getByRole('button', { name: 'Megnyitás' }).click();
    await drawer.getByRole('button', { name: /^Levétel a listáról: / }).click();
    await expect(drawer.getByText('mentéskor kerül le', { exact: true })).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect(drawer).toHaveCount(0);
    expect(await usages()).toHaveLength(0);
  });
});

it('lists and editors of discounts are sound', { tag: '@nightly' }, async ({ page, visit, menu, place }) => {
  const discount = await make(menu, {
    discount_type: 'coupon',
    code: unique(),
    valid_till: new Date(Date.now() + 86_400_000).toISOString(),
    time_ranges: [{ day: 'mon', from: '11:00', till: '14:00' }],
  });
  await visit('discounts', 'most-fut');
  await expectSound(
    page,
    // The language is switched where nothing lies over the page.
    ['most-fut', discount.id, 'uj', `${discount.id}/hasznalat`, `${discount.id}/kodok`].map((at) => ({
      name: at,
      path: `${pathOf('discounts', place.restaurant)}/${at}`,
    })),
  );
});
