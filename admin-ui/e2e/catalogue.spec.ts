import type { Page } from '@playwright/test';
import { CATALOGUE, it, type Product, region, saved, unique } from './catalogue-menu.ts';
import { expect, expectAccessible, settled } from './fixtures.ts';

it.describe('categories and products', () => {
  it(
    'a product is copied from its list and from its editor',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const name = unique();
      const category = await menu.category(unique());
      await menu.product(category.id, name, { ean_code: '599' });
      await visit(CATALOGUE, category.id);
      await page.getByRole('button', { name: `További műveletek: ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Másolat készítése' }).click();
      await expect(page.getByRole('heading', { level: 1, name: `${name} (másolat)` })).toBeVisible();
      await expect(page.locator('#main').getByText('Inaktív', { exact: true }).first()).toBeVisible();
      await page.getByRole('button', { name: 'Másolat készítése' }).click();
      await expect(page.getByRole('heading', { level: 1, name: `${name} (másolat 2)` })).toBeVisible();
      const rows = await menu.get<Product[]>(`product-categories/${category.id}/products`);
      expect(rows.map((row) => [row.name, row.active])).toEqual([
        [name, true],
        [`${name} (másolat)`, false],
        [`${name} (másolat 2)`, false],
      ]);
      for (const row of rows.slice(1)) menu.made(`product-categories/${category.id}/products/${row.id}`);
    },
  );

  it('a category, and in it a product with two sizes, an option group and the second language, by keyboard and mouse', async ({
    page,
    visit,
    menu,
  }) => {
    const [name, group] = [unique(), unique()];
    await menu.group(group, { type: 'min_max', min_no_options: 0, max_no_options: 2 });
    await visit(CATALOGUE);
    await page.getByRole('button', { name: 'Új kategória' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Név' }).first()).toBeFocused();
    await page.keyboard.type(name);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Test dishes');
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page).toHaveURL(/[0-9a-f-]{36}$/);
    const category = page.url().split('/').at(-1)!;
    menu.made(`product-categories/${category}`);
    expect(await menu.get(`product-categories/${category}`)).toMatchObject({
      name,
      name_sec_lang: 'Test dishes',
    });

    await page.getByRole('button', { name: 'Új termék' }).first().click();
    await page.getByLabel('Név*').fill(name);
    await page.getByLabel('Név (angol)').first().fill('Lemonade');
    await page.getByLabel('Ár*').fill('1 250,90 Ft');
    await page.getByLabel('Ár*').blur();
    await expect(page.getByLabel('Ár*')).toHaveValue(/^1\s250$/);
    await page.getByRole('button', { name: 'Új kiszerelés' }).click();
    const second = region(page, 'névtelen kiszerelés');
    await expect(second.getByLabel('Név*')).toBeFocused();
    await page.keyboard.type('Nagy');
    const large = region(page, 'Nagy');
    await large.getByLabel('Név (angol)').fill('Large');
    await large.getByLabel('Ár*').fill('1800');
    await large.getByRole('combobox', { name: 'Opciócsoport hozzáadása' }).fill(group);
    await page.keyboard.press('Enter');
    await expect(large.getByRole('link', { name: group })).toBeVisible();
    await large.getByRole('checkbox', { name: 'tej' }).check();
    await large.getByRole('checkbox', { name: 'tojás' }).check();
    await large.getByRole('switch', { name: 'Eladható mennyiség számolása' }).click();
    await expect(large.getByLabel('Eladható mennyiség', { exact: true })).toHaveValue('20');
    // The first size has no name yet: with several each needs one.
    await page.keyboard.press('Control+s');
    const first = region(page, 'névtelen kiszerelés');
    await expect(first.getByLabel('Név*')).toBeFocused();
    await page.keyboard.type('Kicsi');
    await page.keyboard.press('Control+s');
    await saved(page);
    await expect(page).toHaveURL(new RegExp(`${category}/[0-9a-f-]{36}`));
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    menu.made(`product-categories/${category}/products/${id}`);
    const product = await menu.productOf(category, id);
    expect(product).toMatchObject({ name, name_sec_lang: 'Lemonade' });
    expect(
      product.subproducts.map((s) => [
        s.name,
        s.name_sec_lang,
        s.price,
        s.allergenic_ids.length,
        s.option_group_ids.length,
        s.sellable_quantity,
      ]),
    ).toEqual([
      ['Kicsi', null, 1250, 0, 0, null],
      ['Nagy', 'Large', 1800, 2, 1, 20],
    ]);
    await expect(page.getByRole('button', { name: 'Mentés', exact: true })).toHaveCount(0);
  });

  it(
    'a menu has components and bottles with a deposit',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const { id: category } = await menu.category(unique());
      const [soup, drink] = [unique(), unique()];
      const parts = [await menu.product(category, soup), await menu.product(category, drink)];
      const product = await menu.product(category, unique());
      await visit(CATALOGUE, `${category}/${product.id}?subproduct=${product.subproducts[0]!.id}`);
      await page.getByText('Menü részei és betétdíj').click();
      await page.getByLabel('Betétdíjas palack vagy doboz').fill('1');
      await page.getByRole('button', { name: 'Menü összeállítása' }).click();
      for (const [at, name] of [soup, drink].entries()) {
        await page.getByRole('combobox', { name: `${at + 1}. összetevő kiszerelése` }).fill(name);
        await page.keyboard.press('Enter');
      }
      await page.getByLabel('2. összetevő darabszáma').fill('2');
      // The split comes from the service, at the prices of the menu and its parts.
      await expect(page.getByRole('row', { name: new RegExp(`^2 × ${drink}`) })).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Rendben' }).click();
      await page.keyboard.press('Control+s');
      await saved(page);
      const [size] = (await menu.productOf(category, product.id)).subproducts;
      expect(size).toMatchObject({
        deposit_pieces: 1,
        components: [
          { subproduct_id: parts[0]!.subproducts[0]!.id, pieces: 1 },
          { subproduct_id: parts[1]!.subproducts[0]!.id, pieces: 2 },
        ],
      });
      await page.getByRole('button', { name: 'Összeállítás módosítása' }).click();
      await page.getByRole('combobox', { name: '2. összetevő kiszerelése' }).fill(soup);
      await page.keyboard.press('Enter');
      await expect(page.getByText(/^Egy kiszerelés csak egyszer/)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Rendben' })).toBeDisabled();
      await page.getByRole('button', { name: 'Mégsem' }).click();
    },
  );

  it('sizes are sorted, switched off, added and deleted in the draft, and saved with the product', async ({
    page,
    visit,
    menu,
  }) => {
    const { id: category } = await menu.category(unique());
    const product = await menu.product(category, unique(), {
      base_price: undefined,
      subproducts: [
        { name: 'Kicsi', price: 500, sellable_quantity: 9 },
        { name: 'Közepes', price: 700 },
        { name: 'Nagy', price: 900 },
      ],
    });
    await visit(CATALOGUE, `${category}/${product.id}`);
    await page.getByRole('button', { name: 'Áthelyezés húzással: Nagy' }).focus();
    await page.keyboard.press('Alt+Home');
    await expect(page.getByRole('button', { name: 'Áthelyezés húzással: Nagy' })).toBeFocused();
    await page.getByRole('switch', { name: 'Aktív: Közepes' }).click();
    await page.getByRole('button', { name: 'Kiszerelés törlése: Kicsi' }).click();
    const sure = page.getByRole('dialog', { name: 'Törlöd ezt: „Kicsi”?' });
    await sure.getByRole('button', { name: 'Törlés' }).click();
    await expect(page.getByText('Nem mentett változások')).toBeVisible();
    expect((await menu.productOf(category, product.id)).subproducts).toHaveLength(3);
    await page.getByRole('button', { name: 'Mentés', exact: true }).click();
    await saved(page);
    expect((await menu.productOf(category, product.id)).subproducts.map((s) => [s.name, s.active])).toEqual([
      ['Nagy', true],
      ['Közepes', false],
    ]);
  });

  it(
    'products are sorted in one call that can be taken back',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const { id: category } = await menu.category(unique());
      for (const name of ['A', 'B', 'C']) await menu.product(category, `Próba ${name}`);
      await visit(CATALOGUE, category);
      const calls: string[] = [];
      page.on('request', (request) => {
        // Which restaurant was opened last is noted at its own time.
        if (request.method() === 'PUT' && !request.url().endsWith('/me/target')) calls.push(request.url());
      });
      await page.getByRole('button', { name: 'Sorrend' }).click();
      await expect(page.locator('#main').getByRole('textbox')).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Próba A' })).toHaveCount(0);
      await page.getByRole('button', { name: 'Áthelyezés húzással: Próba C' }).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Alt+ArrowUp');
      await expect(page.getByText('Próba C: 1. hely, összesen 3')).toBeAttached();
      await page.getByRole('button', { name: 'Lejjebb: Próba A' }).click();
      await settled(page);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Sorrend mentése' }).click();
      await expect(page.getByText('A sorrend elmentve')).toBeVisible();
      const order = async () =>
        (await menu.get<Product[]>(`product-categories/${category}/products`)).map((p) => p.name);
      expect(await order()).toEqual(['Próba C', 'Próba B', 'Próba A']);
      expect(calls).toHaveLength(1);
      await page.getByRole('button', { name: 'Visszavonás' }).click();
      await expect(page.getByText('Visszavonva')).toBeVisible();
      expect(await order()).toEqual(['Próba A', 'Próba B', 'Próba C']);
    },
  );

  it(
    'a long category is there at once and grows as one walks down it',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const { id: category } = await menu.category(unique());
      const product = await menu.product(category, unique());
      const last = 'Próba az utolsó';
      // The same each time: the list is read again when another test changes the menu.
      const ids = Array.from({ length: 450 }, (_, n) => (n === 0 ? product.id : crypto.randomUUID()));
      await page.route(/products$/, async (route) => {
        const answer = await route.fetch();
        const [row] = (await answer.json()) as Product[];
        await route.fulfill({
          response: answer,
          json: ids.map((id, n) => ({
            ...row,
            id,
            name: n === 449 ? last : `Próba ${n}`,
          })),
        });
      });
      await visit(CATALOGUE, category);
      await expect(page.getByRole('link', { name: 'Próba 99', exact: true })).toBeAttached();
      await expect(page.getByText('Összesen 450')).toBeVisible();
      expect(await page.locator('.row-link').count()).toBeLessThan(450);
      await page.getByRole('link', { name: 'Próba 99', exact: true }).scrollIntoViewIfNeeded();
      await expect(page.getByRole('link', { name: 'Próba 199', exact: true })).toBeAttached();
      expect(await page.locator('.row-link').count()).toBeLessThan(450);
      await page.getByRole('link', { name: 'Próba 99', exact: true }).focus();
      await page.keyboard.press('End');
      await expect(page.getByRole('link', { name: last })).toBeFocused();
      await expect(page.locator('.row-link')).toHaveCount(450);
    },
  );

  it('a product is switched off at once; the boxes hide it and are remembered', async ({
    page,
    visit,
    menu,
  }) => {
    const { id: category } = await menu.category(unique());
    const product = await menu.product(category, unique());
    await menu.product(category, unique());
    await visit(CATALOGUE, category);
    await page.getByRole('switch', { name: `Aktív: ${product.name}` }).click();
    await expect.poll(async () => (await menu.productOf(category, product.id)).active).toBe(false);
    await page.getByRole('checkbox', { name: 'Inaktívak' }).uncheck();
    await expect(page.getByRole('link', { name: product.name })).toHaveCount(0);
    expect((await page.context().cookies()).find((c) => c.name === 'pult_show_inactive')?.value).toBe('0');
    await page.reload();
    await expect(page.getByRole('checkbox', { name: 'Inaktívak' })).not.toBeChecked();
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('checkbox', { name: 'Inaktívak' }).check();
    await expect(page.getByRole('link', { name: product.name })).toBeVisible();
  });

  it.describe(() => {
    it.beforeEach(({ expectConsole }) => expectConsole(/409|422|500/));

    it('a refused switch goes back', { tag: '@nightly' }, async ({ page, visit, menu }) => {
      const { id: category } = await menu.category(unique());
      const { name } = await menu.product(category, unique());
      await visit(CATALOGUE, category);
      await page.route('**/products/*', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({
              status: 500,
              contentType: 'application/problem+json',
              body: JSON.stringify({ status: 500, code: 'UNKNOWN_ERROR', request_id: 'r1' }),
            })
          : route.continue(),
      );
      await page.getByRole('switch', { name: `Aktív: ${name}` }).click();
      await expect(page.getByText('r1')).toBeVisible();
      await expect(page.getByRole('switch', { name: `Aktív: ${name}` })).toBeChecked();
    });

    it(
      'errors of the service are shown at the field of their size',
      { tag: '@nightly' },
      async ({ page, visit, menu }) => {
        const { id: category } = await menu.category(unique());
        const product = await menu.product(category, unique(), {
          base_price: undefined,
          subproducts: [
            { name: 'Kicsi', price: 500 },
            { name: 'Nagy', price: 900 },
          ],
        });
        await visit(CATALOGUE, `${category}/${product.id}`);
        await page.route('**/products/*', (route) =>
          route.request().method() === 'PUT'
            ? route.fulfill({
                status: 422,
                contentType: 'application/problem+json',
                body: JSON.stringify({
                  status: 422,
                  code: 'VALIDATION_FAILED',
                  keys: ['subproducts.1.ean_code', 'name'],
                }),
              })
            : route.continue(),
        );
        await page.getByLabel('Név*').first().fill('Más');
        await page.keyboard.press('Control+s');
        const large = region(page, 'Nagy');
        await expect(large.getByLabel('EAN-kód')).toBeFocused();
        await expect(large.getByText('Ezt az értéket nem lehet elfogadni.')).toBeVisible();
        await expect(page.getByRole('button', { name: /^Nagy javítandó/ })).toBeVisible();
        await expect(page.getByText('Javítandó mezők: 2')).toBeVisible();
        await expect(page.getByLabel('Név*').first()).toHaveValue('Más');
        await settled(page);
        await expectAccessible(page);
      },
    );

    it(
      'a category that is not empty explains why it stays',
      { tag: '@nightly' },
      async ({ page, visit, menu }) => {
        const { id: category, name } = await menu.category(unique());
        await menu.product(category, unique());
        await visit(CATALOGUE, `${category}/szerkesztes`);
        await page.getByRole('button', { name: 'Törlés' }).click();
        const sure = page.getByRole('dialog', { name: `Törlöd ezt: „${name}”?` });
        await expect(sure.getByRole('button', { name: 'Mégsem' })).toBeFocused();
        await sure.getByRole('button', { name: 'Törlés' }).click();
        await expect(page.getByRole('dialog', { name: new RegExp(`${name}.*használatban`) })).toContainText(
          'Termék van benne (1)',
        );
      },
    );
  });

  it(
    'another category is a move after the save, and the address follows',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const [from, to] = [await menu.category(unique()), await menu.category(unique())];
      const product = await menu.product(from.id, unique());
      await visit(CATALOGUE, `${from.id}/${product.id}`);
      await page.getByLabel('Leírás', { exact: true }).first().fill('frissen');
      await page.getByRole('combobox', { name: 'Kategória', exact: true }).fill(to.name);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+s');
      await expect(page).toHaveURL(new RegExp(`${to.id}/${product.id}`));
      menu.made(`product-categories/${to.id}/products/${product.id}`);
      expect((await menu.productOf(to.id, product.id)).description).toBe('frissen');
    },
  );

  it(
    'inherited values show their origin, and can be inherited again',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const parent = await menu.category(unique(), { visible_phone: false });
      const child = await menu.category(unique(), { parent_id: parent.id });
      await visit(CATALOGUE, `${child.id}/szerkesztes`);
      const where = page.getByRole('group', { name: 'Hol és mikor kapható' });
      await expect(where.getByText('Rejtve: telefon · Bármikor kapható')).toBeVisible();
      await where.locator('summary').focus();
      await page.keyboard.press('Enter');
      const phone = page.getByRole('radiogroup', { name: 'Telefonos rendelés' });
      await expect(phone).toHaveAccessibleDescription(`rejtve, a főkategóriából: ${parent.name}`);
      await phone.getByText('Igen').click();
      await expect(phone).toHaveAccessibleDescription(
        `látható, saját beállítás. Örökölve ez lenne: rejtve, a főkategóriából: ${parent.name}`,
      );
      await expect(page.getByRole('radiogroup', { name: 'Online rendelés' })).toHaveAccessibleDescription(
        'látható, alapértelmezés szerint',
      );
      await where.locator('summary').click();
      await expect(where.getByText('Mindenhol látható · Saját beállítás: telefon')).toBeVisible();
      await page.getByText('Áfa, szervizdíj, NTAK').click();
      await page.getByRole('combobox', { name: 'Áfa', exact: true }).click();
      await page.getByTitle(/^5\s%/).click();
      const would = page.getByText(/Örökölve ez lenne: \d+\s%, az étteremből/);
      await expect(would).toBeVisible();
      await expect(would.getByRole('link', { name: 'az étteremből' })).toBeVisible();
      await page.getByRole('button', { name: 'Örökölje: Áfa', exact: true }).click();
      await expect(would).toHaveCount(0);
      await page.keyboard.press('Control+s');
      await saved(page);
      expect(await menu.get(`product-categories/${child.id}`)).toMatchObject({
        visible_phone: true,
        vat_id: null,
        effective: { visible_phone: { value: true, from: 'category' } },
      });
    },
  );

  it('fields stand in groups: folded ones say what is set in them, and open where something is wrong', async ({
    page,
    visit,
    menu,
    expectConsole,
  }) => {
    expectConsole(/422/);
    const lunch = await menu.category(unique(), {
      visible_online: false,
      time_ranges: [{ day: 'mon', from: '11:00', till: '14:00' }],
    });
    const product = await menu.product(lunch.id, unique(), { ean_code: '599' });
    await visit(CATALOGUE, `${lunch.id}/${product.id}`);
    const group = (name: string) => page.getByRole('group', { name, exact: true });
    const [where, till] = [group('Hol és mikor kapható'), group('Kassza, vonalkód, más rendszerek')];
    await expect(till.getByText('EAN-kód: 599')).toBeVisible();
    await expect(page.getByLabel('EAN-kód').first()).toBeHidden();
    await expect(
      where.getByText(`Rejtve: online · A kategória ideje is korlátozza: ${lunch.name}`),
    ).toBeVisible();
    // All of them opened are sound too: what is folded is not looked at.
    const folded = page.locator('#main details:not([open]) > summary');
    while (await folded.count()) await folded.first().click();
    await settled(page);
    await expectAccessible(page);
    await expect(where.getByText(/^Ez is érvényes rá: .*: Hétfő 11:00–14:00$/i)).toBeVisible();
    await till.locator('summary').click();

    await page.route('**/api/v3/admin/**/products/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 422,
            contentType: 'application/problem+json',
            body: JSON.stringify({ status: 422, code: 'VALIDATION_FAILED', keys: ['ean_code'] }),
          })
        : route.continue(),
    );
    await page.getByLabel('Név*').first().fill('Más');
    await page.keyboard.press('Control+s');
    await expect(till.getByLabel('EAN-kód')).toBeFocused();
    await expect(till.getByText('Javítandó: 1')).toBeVisible();
    await page.unroute('**/api/v3/admin/**/products/*');
    await page.getByRole('button', { name: 'Elvetés' }).click();
    await where.getByRole('link', { name: `a kategóriából: ${lunch.name}` }).click();
    await expect(page.getByRole('heading', { level: 1, name: lunch.name })).toBeVisible();
    await settled(page);
  });

  it(
    'a category with sub-categories is descended into, search finds both levels and products without accents',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const name = unique();
      const parent = await menu.category(name);
      const child = await menu.category(`${name} üdítő`, { parent_id: parent.id });
      const product = await menu.product(child.id, `${name} limonádé`);
      await visit(CATALOGUE);
      await page.getByRole('textbox', { name: 'Kategória keresése' }).fill(`${name.toUpperCase()} UDITO`);
      await expect(page.getByRole('link', { name: child.name })).toBeVisible();
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(page).toHaveURL(/q=/);
      await page.getByRole('textbox', { name: 'Kategória keresése' }).fill('');
      await page.getByRole('textbox', { name: 'Termék keresése' }).fill(`${name} limonade`);
      await expect(page.getByRole('link', { name: product.name })).toBeVisible();
      await expect(page.getByText(`${name} › ${name} üdítő`)).toBeVisible();
      await page.getByRole('textbox', { name: 'Termék keresése' }).fill('');
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
      await page.getByRole('link', { name: child.name }).click();
      await page.getByRole('link', { name: product.name }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: product.name })).toBeVisible();
      await page.getByRole('link', { name: 'Vissza' }).click();
      await expect(page.getByRole('heading', { level: 1, name: child.name })).toBeVisible();
    },
  );

  it('other screens jump straight to a size', { tag: '@nightly' }, async ({ page, visit, menu }) => {
    const { id: category } = await menu.category(unique());
    const product = await menu.product(category, unique(), {
      base_price: undefined,
      subproducts: [
        { name: 'Kicsi', price: 500 },
        { name: 'Nagy', price: 900 },
      ],
    });
    await visit(CATALOGUE);
    await page.goto(`${page.url()}?product_id=${product.id}&subproduct_id=${product.subproducts[1]!.id}`);
    await expect(region(page, 'Nagy').getByLabel('Ár*')).toHaveValue('900');
    await expect(page).toHaveURL(
      new RegExp(`${category}/${product.id}\\?subproduct=${product.subproducts[1]!.id}$`),
    );
    await page.reload();
    await expect(region(page, 'Nagy')).toBeVisible();
  });

  it(
    'the jump does not depend on timers, which come late in a tab behind others and on a busy machine',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const { id: category } = await menu.category(unique());
      const product = await menu.product(category, unique(), {
        base_price: undefined,
        subproducts: [
          { name: 'Kicsi', price: 500 },
          { name: 'Nagy', price: 900 },
        ],
      });
      await page.addInitScript(() => {
        const prompt = window.setTimeout.bind(window);
        window.setTimeout = ((run: () => void, ms = 0) =>
          prompt(run, Math.max(ms, 1000))) as typeof window.setTimeout;
      });
      await visit(CATALOGUE);
      await page.goto(`${page.url()}?product_id=${product.id}&subproduct_id=${product.subproducts[1]!.id}`);
      await expect(page.getByRole('button', { name: /^Nagy/ })).toBeVisible({ timeout: 15_000 });
      await expect(region(page, 'Nagy').getByLabel('Ár*')).toHaveValue('900');
      await expect(page).toHaveURL(
        new RegExp(`${category}/${product.id}\\?subproduct=${product.subproducts[1]!.id}$`),
      );
    },
  );
});

it.describe('without rights', () => {
  const only = (keys: string[]) => async (page: Page) => {
    await page.route('**/api/v3/admin/me', async (route) => {
      const answer = await route.fetch();
      const me = (await answer.json()) as { targets: { permissions: string[] }[] };
      await route.fulfill({
        response: answer,
        json: {
          ...me,
          super_admin: false,
          targets: me.targets.map((target) => ({ ...target, permissions: keys, full_target_access: false })),
        },
      });
    });
  };

  it('to edit: everything can be read, nothing changed', async ({ page, visit, menu }) => {
    const { id: category } = await menu.category(unique());
    const product = await menu.product(category, unique());
    await only(['admin_login', 'order'])(page);
    await visit(CATALOGUE, category);
    await expect(page.getByRole('link', { name: product.name })).toBeVisible();
    for (const name of ['Új termék', 'Sorrend', `További műveletek: ${product.name}`])
      await expect(page.getByRole('button', { name })).toHaveCount(name.startsWith('További') ? 1 : 0);
    await expect(page.getByRole('switch')).toHaveCount(0);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await page.getByRole('link', { name: product.name }).click();
    await expect(page.getByLabel('Név*').first()).toBeDisabled();
    await expect(page.getByRole('button', { name: /Mentés|Törlés|Új kiszerelés/ })).toHaveCount(0);
  });

  it(
    'to activate only: the switch works, the rest does not',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const { id: category } = await menu.category(unique());
      const product = await menu.product(category, unique());
      await only(['admin_login', 'order', 'catalog_activate'])(page);
      await visit(CATALOGUE, category);
      await page.getByRole('switch', { name: `Aktív: ${product.name}` }).click();
      await expect.poll(async () => (await menu.productOf(category, product.id)).active).toBe(false);
      await expect(page.getByRole('button', { name: 'Új termék' })).toHaveCount(0);
      await page.getByRole('link', { name: product.name }).click();
      await expect(page.getByLabel('Név*').first()).toBeDisabled();
      await page.getByRole('switch', { name: 'Aktív', exact: true }).click();
      await page.keyboard.press('Control+s');
      await saved(page);
      expect((await menu.productOf(category, product.id)).active).toBe(true);
    },
  );

  it(
    'to the menu at all: no entry, and the address shows the missing right',
    { tag: '@nightly' },
    async ({ page, visit }) => {
      await only(['admin_login', 'courier'])(page);
      await visit(CATALOGUE);
      await expect(page.getByText('Ehhez nincs jogosultságod')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Opciók' })).toHaveCount(0);
    },
  );
});
