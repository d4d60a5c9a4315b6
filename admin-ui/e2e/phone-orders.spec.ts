import { expect, expectAccessible, settled, smallTargets } from './fixtures.ts';
import { cart, fill, number, pickup, priced, SCREEN, search, send, test } from './phone-order.ts';
import { pathOf } from './screens.ts';
import { expectSound } from './sound.ts';

// One after the other: they share the menu and the orders of one restaurant.
test.describe.configure({ mode: 'serial' });

test('a restaurant without a menu says what is missing', { tag: '@nightly' }, async ({ page, visit }) => {
  await visit(SCREEN);
  await expect(page.getByText('Telefonon még nincs mit rendelni')).toBeVisible();
  await expect(page.getByLabel('Telefonszám')).toBeFocused();
});

test('an order is taken with the keyboard alone, and stands on the board', async ({
  page,
  visit,
  menu,
  orders,
  expectConsole,
}) => {
  test.setTimeout(120_000);
  // Nobody has the number yet.
  expectConsole(/404/);
  await fill(menu);
  await visit(SCREEN);
  const phone = number();
  await expect(page.getByLabel('Telefonszám')).toBeFocused();
  await page.keyboard.type(phone);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Új vendég: ezt a számot még senki sem adta meg.')).toBeVisible();
  await page.getByLabel('Vezetéknév').fill('Próba');
  await page.getByLabel('Keresztnév').fill('Réka');
  await pickup(page);

  await test.step('what the phone does not sell is not on its menu', async () => {
    await page.keyboard.press('Alt+m');
    await expect(search(page)).toBeFocused();
    await page.keyboard.type('tea');
    await expect(page.getByText('Ilyen nincs ezen az étlapon: lehet, hogy másutt kapható.')).toBeVisible();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(cart(page)).toHaveCount(0);
  });

  await test.step('two with options, and as many drinks as digits say', async () => {
    await page.keyboard.type('2 marg');
    await expect(page.getByRole('option')).toHaveCount(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Margherita, 32 cm' });
    await expect(dialog.getByLabel('Darab', { exact: true })).toHaveValue('2');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Pontosan 1 kell.')).toHaveClass(/edit-fault/);
    await dialog.getByRole('radio', { name: /Vastag/ }).check();
    await dialog.getByRole('checkbox', { name: /Sonka/ }).check();
    await dialog.getByRole('spinbutton', { name: 'Sonka: hány adag' }).fill('2');
    await expect(dialog.getByRole('checkbox', { name: /Kukorica/ })).toBeDisabled();
    await dialog.getByLabel('Kérés ehhez a tételhez').fill('jól átsütve');
    await settled(page);
    await expectAccessible(page);
    expect(await smallTargets(page), 'small targets').toEqual([]);
    await dialog.getByLabel('Kérés ehhez a tételhez').press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(search(page)).toBeFocused();
    await page.keyboard.type('limo');
    await page.keyboard.press('Enter');
    await page.keyboard.type('3');
    await expect(page.getByText('Enter: ebből 3 db legyen: Limonádé')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(cart(page)).toContainText('Vastag, 2 × Sonka');
    await expect(page.getByRole('spinbutton', { name: 'Darabszám: Limonádé' })).toHaveValue('3');
  });

  await test.step('a line is removed and comes back', async () => {
    await page.getByRole('button', { name: 'Törlés a kosárból: Limonádé' }).click();
    await expect(cart(page)).not.toContainText('Limonádé');
    await page.getByRole('button', { name: 'Visszavonás' }).click();
    await expect(cart(page)).toContainText('Limonádé');
  });

  await test.step('a code that nobody has is said at its field', async () => {
    const refused = page.getByText('„NINCSILYEN” kódú kupon nincs. Amíg itt áll, a rendelés nem vehető fel.');
    await page.getByLabel('Kuponkód').fill('NINCSILYEN');
    await page.getByLabel('Kuponkód').press('Enter');
    await expect(refused).toBeInViewport();
    await priced(page);
    await page.getByRole('button', { name: 'Kupon nélkül: NINCSILYEN' }).click();
    await expect(refused).toHaveCount(0);
    await expect(page.getByLabel('Kuponkód')).toBeFocused();
  });

  await test.step('a time is typed as people say it, and another day opens with the restaurant', async () => {
    await page.keyboard.press('Alt+t');
    await page.keyboard.press('ArrowRight');
    const time = page.getByLabel('Időpont', { exact: false }).and(page.locator('#field-expected_at'));
    await expect(time).toBeFocused();
    await page.keyboard.type('este');
    await page.keyboard.press('Tab');
    await expect(page.getByText('Ez nem időpont. Írd így: 20:30 vagy 11. 27. 12:15')).toBeVisible();
    await expect(time).toHaveValue('este');
    await time.fill('12. 31. 2030');
    await time.press('Tab');
    await expect(time).toHaveValue('20:30');
    await expect(page.getByLabel('Nap', { exact: true })).toHaveValue(/\/12\/31$/);
    await page.keyboard.press('Alt+t');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await expect(time).toHaveCount(0);
  });

  await test.step('a reload loses nothing', async () => {
    await priced(page);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(cart(page)).toContainText('Limonádé');
    await expect(page.getByLabel('Vezetéknév')).toHaveValue('Próba');
  });

  await priced(page);
  // 2 × (2000 + 200 + 2 × 300) + 3 × 900
  await expect(page.getByText(/^8\s300\sFt$/)).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  const taken = page.getByText(/^Felvéve: .+ rendelés, 8\s300\sFt$/);
  await expect(taken).toBeVisible();
  // The next call.
  await expect(page.getByLabel('Telefonszám')).toBeFocused();
  await expect(page.getByLabel('Telefonszám')).toHaveValue('');
  await expect(cart(page)).toHaveCount(0);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);

  const [order, ...others] = await orders();
  expect(others).toEqual([]);
  expect(order).toMatchObject({ platform: 'phone', pickup: true, last_name: 'Próba', total_price: 8300 });
  expect(order!.items).toMatchObject([
    { name: 'Margherita, 32 cm', quantity: 2, message: 'jól átsütve' },
    { name: 'Limonádé', quantity: 3 },
  ]);
  await page.getByRole('link', { name: 'Friss rendelések' }).last().click();
  await expect(page.locator(`[data-order="${order!.id}"]`)).toContainText('Próba');
});

test(
  'who has called before is known, and the last order is one tap',
  { tag: '@nightly' },
  async ({ page, visit, menu, orders, service, place }) => {
    await fill(menu);
    const phone = number();
    const shown = await (
      await service.get(
        `/api/v3/partners/${place.partner}/restaurants/${place.restaurant}/menu?channel=phone`,
      )
    ).json();
    const sizes = shown.categories.flatMap(
      (category: { products: { name: string; subproducts: { id: string }[] }[] }) =>
        category.products.map(({ name, subproducts }) => [name, subproducts[0]!.id]),
    ) as [string, string][];
    const drink = sizes.find(([name]) => name === 'Limonádé')![1];
    const answer = await service.post(
      `/api/v3/partners/${place.partner}/restaurants/${place.restaurant}/orders`,
      {
        headers: { 'Idempotency-Key': crypto.randomUUID() },
        data: {
          platform: 'phone',
          pickup: true,
          last_name: 'Ismerős',
          first_name: 'Ili',
          phone_1: phone,
          items: [{ subproduct_id: drink, quantity: 4 }],
        },
      },
    );
    expect(answer.status(), await answer.text()).toBe(201);

    await visit(SCREEN);
    // Pasted in another spelling.
    await page.getByLabel('Telefonszám').fill(phone.replace('+36 30', '06 (30)').replaceAll(' ', '-'));
    // Whoever tabs on goes on with what is missing, here the address.
    await page.getByLabel('Telefonszám').press('Tab');
    await expect(page.getByText('Ismerős Ili')).toBeVisible();
    await expect(page.getByLabel('Város')).toBeFocused();
    await page.getByRole('button', { name: /^Újra ugyanez: .{16}, 4 × Limonádé$/ }).click();
    await expect(page.getByText('Minden bekerült a kosárba.')).toBeVisible();
    await expect(page.getByRole('spinbutton', { name: 'Darabszám: Limonádé' })).toHaveValue('4');
    await pickup(page);
    await priced(page);
    // A double click takes one order.
    await send(page).dblclick();
    await expect(page.getByText(/^Felvéve: /)).toBeVisible();
    await settled(page);
    expect((await orders()).map(({ last_name }) => last_name)).toEqual(['Ismerős', 'Ismerős']);
  },
);

test('where the region says no, it is delivered with a reason, by another region, or fetched', async ({
  page,
  visit,
  menu,
  orders,
  service,
  place,
  expectConsole,
}) => {
  test.setTimeout(90_000);
  expectConsole(/404/);
  await fill(menu);
  const made = await service.post(`${place.api}/delivery-regions`, {
    data: { name: 'Belváros', price: 700, min_order_price: 2500 },
  });
  expect(made.status(), await made.text()).toBe(201);
  const { id: region } = await made.json();
  await service.post(`${place.api}/delivery-regions/${region}/streets`, {
    data: { name: 'Szív utca', city: 'Budapest' },
  });

  await visit(SCREEN);
  await page.getByLabel('Telefonszám').fill(number());
  await page.getByLabel('Telefonszám').press('Enter');
  await page.getByLabel('Vezetéknév').fill('Házhoz');
  await page.getByLabel('Város').fill('Budapest');
  await page.getByLabel('Utca').fill('Szív u.');
  await page.getByLabel('Házszám').fill('14');
  const found = page.locator('.phone-region');
  await expect(found).toContainText(/Belváros\s*700\sFt/);

  await search(page).fill('limo');
  await search(page).press('Enter');
  await expect(page.getByText(/A kosár nem éri el a minimumot: 2\s500\sFt/)).toBeVisible();
  await priced(page);
  await send(page).click();
  await page.getByRole('button', { name: 'Kiszállítás mégis' }).click();
  await page.getByLabel('Miért szállítjuk ki mégis').fill('törzsvendég');
  await expect(page.getByText(/A kosár nem éri el a minimumot/)).toHaveCount(0);

  await page.getByLabel('Utca').fill('Másik utca');
  await expect(found).toContainText(/körzetben sem található|nincs kiszállítás/);
  await expect(found).toContainText('Hiányzik az irányítószám: lehet, hogy azon múlik.');
  const free = page.getByText('Körzet nélkül nincs szállítási díj. Ha kell díj, válassz körzetet.');
  await expect(free).toBeVisible();
  await priced(page);
  await expect(page.locator('.taking-total')).toContainText(/^Fizetendő\s*900\sFt/);
  const regions = page.getByRole('combobox', { name: 'Körzet' });
  // Tab leaves the open list, and chooses nothing.
  await regions.focus();
  await page.keyboard.press('ArrowDown');
  await expect(regions).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(regions).toHaveAttribute('aria-expanded', 'false');
  await expect(regions).not.toBeFocused();
  await expect(free).toBeVisible();
  await regions.fill('Belv');
  await page.keyboard.press('Enter');
  await expect(free).toHaveCount(0);
  await expect(regions).toBeFocused();
  await priced(page);
  await settled(page);
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/^Felvéve: /)).toBeVisible();
  const [order] = await orders();
  expect(order).toMatchObject({ delivery_price: 700, delivery_override_reason: 'törzsvendég' });
});

test(
  'a price that has changed is shown beside the one that was told',
  { tag: '@nightly' },
  async ({ page, visit, menu, orders, expectConsole }) => {
    expectConsole(/404|409/);
    const category = await menu.category('Leves');
    const soup = await menu.product(category.id, 'Gulyás', { base_price: 1500 });
    await visit(SCREEN);
    await page.getByLabel('Telefonszám').fill(number());
    await page.getByLabel('Telefonszám').press('Enter');
    await page.getByLabel('Vezetéknév').fill('Áras');
    await pickup(page);
    await search(page).fill('gulyás');
    await search(page).press('Enter');
    await expect(page.locator('.taking-total')).toContainText(/1\s500\sFt/);
    await priced(page);
    await menu.put(`product-categories/${category.id}/products/${soup.id}`, {
      subproducts: [{ id: soup.subproducts[0]!.id, price: 1700 }],
    });
    await send(page).click();
    const dialog = page.getByRole('dialog', { name: 'Megváltozott az ár' });
    await expect(dialog.getByRole('row', { name: /Gulyás/ })).toContainText(/1\s500\sFt.*1\s700\sFt/);
    await settled(page);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /^Így is kéri: 1\s700\sFt$/ }).click();
    await expect(page.getByText(/^Felvéve: .*1\s700\sFt$/)).toBeVisible();
    expect((await orders()).map(({ total_price }) => total_price)).toEqual([1700]);
  },
);

for (const how of ['at once', 'after a reload'])
  test(
    `an order that nobody answered is sent again ${how} as the same one`,
    { tag: how === 'at once' ? '@nightly' : [] },
    async ({ page, visit, menu, orders, expectConsole }) => {
      expectConsole(/404|ERR_FAILED|ERR_TIMED_OUT/);
      await fill(menu);
      await visit(SCREEN);
      await page.getByLabel('Telefonszám').fill(number());
      await page.getByLabel('Telefonszám').press('Enter');
      await page.getByLabel('Vezetéknév').fill('Kétszer');
      await pickup(page);
      await search(page).fill('limo');
      await search(page).press('Enter');
      await priced(page);
      // It arrives, and the answer is lost.
      await page.route(
        '**/orders',
        async (route) => {
          await route.fetch();
          await route.abort('failed');
        },
        { times: 1 },
      );
      await send(page).click();
      await expect(page.getByLabel('Vezetéknév')).toBeDisabled();
      if (how === 'at once') await page.getByRole('button', { name: 'Küldés újra' }).click();
      else {
        page.once('dialog', (dialog) => void dialog.accept());
        await page.reload();
        await expect(page.getByText('Lehet, hogy ez a rendelés már bent van')).toBeVisible();
        await expect(cart(page)).toContainText('Limonádé');
        await priced(page);
        await send(page).click();
      }
      await expect(page.getByText(/^Felvéve: /)).toBeVisible();
      expect(await orders()).toHaveLength(1);
    },
  );

test('leaving asks, and forgets what was taken down', { tag: '@nightly' }, async ({ page, visit, menu }) => {
  await fill(menu);
  await visit(SCREEN);
  await search(page).fill('limo');
  await search(page).press('Enter');
  await page.getByRole('link', { name: 'Friss rendelések' }).first().click();
  const ask = page.getByRole('dialog', { name: 'Nem mentett változások' });
  await ask.getByRole('button', { name: 'Elvetés' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Friss rendelések' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('the screen is sound with an order on it', { tag: '@nightly' }, async ({ page, visit, menu, place }) => {
  await fill(menu);
  await visit(SCREEN);
  await search(page).fill('2 limo');
  await search(page).press('Enter');
  await expect(cart(page)).toContainText('Limonádé');
  await priced(page);
  await expectSound(page, [{ name: SCREEN, path: pathOf(SCREEN, place.restaurant) }]);
});
