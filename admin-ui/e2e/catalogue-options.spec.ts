import { CATALOGUE, it, type Menu, type Size, unique } from './catalogue-menu.ts';
import { expect, expectAccessible, settled } from './fixtures.ts';
import { pathOf } from './screens.ts';
import { expectSound } from './sound.ts';

it.describe('options', () => {
  it(
    'a group is given to many sizes at once, and taken from others',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const [name, home] = [unique(), unique()];
      const group = await menu.group(name);
      const category = await menu.category(home);
      const size = (label: string, rest: object = {}) => ({ name: label, price: 990, ...rest });
      const ham = await menu.product(category.id, 'Sonkás', {
        base_price: undefined,
        subproducts: [size('30 cm', { option_group_ids: [group.id] }), size('45 cm')],
      });
      const soup = await menu.product(category.id, 'Gombás');
      await visit('options', group.id);
      await page.getByRole('button', { name: 'Kiszerelésekhez adás' }).click();
      const drawer = page.getByRole('dialog', { name: `${name}: kiszerelések` });
      await drawer.getByRole('searchbox').fill(`${home} 30`);
      await expect(drawer.getByRole('checkbox', { name: '30 cm' })).toBeChecked();
      await expect(drawer.getByRole('checkbox', { name: 'Gombás' })).toHaveCount(0);
      await drawer.getByRole('searchbox').fill(home);
      await drawer.getByRole('checkbox', { name: home }).check();
      await expect(drawer.getByText('Hozzáadás: 2, levétel: 0')).toBeVisible();
      await drawer.getByRole('checkbox', { name: '30 cm' }).uncheck();
      await expect(drawer.getByText('Hozzáadás: 2, levétel: 1')).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page
        .getByRole('dialog', { name: 'Mentés nélkül zárod be?' })
        .getByRole('button', { name: 'Mégsem' })
        .click();
      await drawer.getByRole('button', { name: 'Mentés' }).click();
      await expect(drawer).toHaveCount(0);
      await expect(page.locator('#main').getByText(/Ennyi kiszerelés használja: 2/)).toBeVisible();
      const groups = async (id: string) =>
        (await menu.productOf(category.id, id)).subproducts.map((row) => row.option_group_ids);
      expect(await groups(ham.id)).toEqual([[], [group.id]]);
      expect(await groups(soup.id)).toEqual([[group.id]]);
    },
  );

  it('a group with its type, options, a copy, a move, sorting', async ({ page, visit, menu }) => {
    const [name, other] = [unique(), await menu.group(unique())];
    await visit('options');
    await page.getByRole('button', { name: 'Új opciócsoport' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Név*').fill(name);
    await drawer.getByRole('radio', { name: /Megadott számú/ }).check();
    await expect(drawer.getByLabel('Legalább ennyi')).toHaveValue('1');
    await expect(drawer.getByLabel('Legfeljebb ennyi')).toHaveValue('3');
    await drawer.getByLabel('Legfeljebb ennyi').fill('0');
    await expect(drawer.getByText('Legalább 1 választandó')).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    const group = page.url().split('/').at(-1)!;
    menu.made(`option-groups/${group}`);
    expect(await menu.get(`option-groups/${group}`)).toMatchObject({
      type: 'min_max',
      min_no_options: 1,
      max_no_options: 0,
    });

    for (const [option, price] of [
      ['Rizs', ''],
      ['Krokett', '350'],
    ] as const) {
      await page.getByRole('button', { name: 'Új opció' }).first().click();
      await drawer.getByLabel('Név*').fill(option);
      await drawer.getByRole('spinbutton', { name: 'Felár' }).fill(price);
      await page.keyboard.press('Control+s');
      await expect(drawer).toHaveCount(0);
    }
    const options = async (of = group) =>
      (await menu.get<Size[]>(`option-groups/${of}/options`)).map((o) => [o.name, o.price]);
    expect(await options()).toEqual([
      ['Rizs', 0],
      ['Krokett', 350],
    ]);

    await page.getByRole('button', { name: 'Sorrend' }).click();
    await page.getByRole('button', { name: 'Feljebb: Krokett' }).click();
    await page.keyboard.press('Control+s');
    await expect(page.getByText('A sorrend elmentve')).toBeVisible();
    expect((await options()).map(([n]) => n)).toEqual(['Krokett', 'Rizs']);

    await page.getByRole('button', { name: 'További műveletek: Rizs' }).click();
    await page.getByRole('menuitem', { name: 'Másolat készítése' }).click();
    await expect(drawer.getByLabel('Név*')).toHaveValue('Rizs (másolat)');
    await drawer.getByRole('combobox', { name: 'Opciócsoport' }).fill(other.name);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('heading', { level: 1, name: other.name })).toBeVisible();
    expect(await options(other.id)).toEqual([['Rizs (másolat)', 0]]);
  });

  it(
    'an option stands for a size, and for none again',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const [name, drink] = [unique(), unique()];
      const { id: category } = await menu.category(unique());
      const product = await menu.product(category, drink);
      const { id: group } = await menu.group(unique());
      const option = await menu.option(group, name);
      const saved = async () =>
        (
          await menu.get<(Size & { subproduct_id: string | null; subproduct_pieces: number })[]>(
            `option-groups/${group}/options`,
          )
        ).map((row) => [row.subproduct_id, row.subproduct_pieces]);
      await visit('options', `${group}/${option.id}`);
      const drawer = page.getByRole('dialog');
      const part = drawer.getByRole('group', { name: 'Menü része: kész étel vagy ital' });
      await expect(part.getByText('Nincs megadva')).toBeVisible();
      // What is folded is not looked at.
      const folded = drawer.locator('details:not([open]) > summary');
      while (await folded.count()) await folded.first().click();
      await drawer.getByRole('combobox', { name: 'Melyik kiszerelés' }).fill(drink);
      await page.keyboard.press('Enter');
      await drawer.getByLabel('Darab', { exact: true }).fill('2');
      await settled(page);
      await expectAccessible(page);
      await page.keyboard.press('Control+s');
      await expect(drawer).toHaveCount(0);
      expect(await saved()).toEqual([[product.subproducts[0]!.id, 2]]);
      await visit('options', `${group}/${option.id}`);
      await expect(part.getByText(`2 × ${drink}`)).toBeVisible();
      await part.locator('summary').click();
      await drawer.locator('.ant-select', { hasText: drink }).hover();
      await drawer.locator('.ant-select', { hasText: drink }).locator('.ant-select-clear').click();
      await page.keyboard.press('Control+s');
      await expect(drawer).toHaveCount(0);
      expect((await saved())[0]![0]).toBeNull();
    },
  );

  it(
    'a group is copied with its options and deleted by name',
    { tag: '@nightly' },
    async ({ page, visit, menu }) => {
      const { id, name } = await menu.group(unique());
      await menu.option(id, 'Rizs');
      await visit('options');
      await page.getByRole('button', { name: `További műveletek: ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Másolat készítése' }).click();
      const drawer = page.getByRole('dialog');
      await expect(drawer.getByLabel('Név*')).toHaveValue(`${name} (másolat)`);
      await expect(page.getByText('Rizs')).toBeVisible();
      await drawer.getByRole('button', { name: 'Törlés' }).click();
      await page
        .getByRole('dialog', { name: `Törlöd ezt: „${name} (másolat)”?` })
        .getByRole('button', { name: 'Törlés' })
        .click();
      await expect(page.getByText(`Törölve: ${name} (másolat)`)).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: 'Opciók' })).toBeVisible();
    },
  );

  it('a link with group and option opens the option', { tag: '@nightly' }, async ({ page, visit, menu }) => {
    const { id } = await menu.group(unique());
    const option = await menu.option(id, 'Rizs');
    await visit('options');
    await page.goto(`${page.url()}?option_group_id=${id}&option_id=${option.id}`);
    await expect(page.getByRole('dialog').getByLabel('Név*')).toHaveValue('Rizs');
    await expect(page).toHaveURL(new RegExp(`${id}/${option.id}$`));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

/** A list and an editor of each kind, by screen. */
const KINDS = {
  [CATALOGUE]: async (menu: Menu) => {
    const { id: category } = await menu.category(unique());
    const group = await menu.group(unique());
    const product = await menu.product(category, unique(), {
      base_price: undefined,
      subproducts: [
        { name: 'Kicsi', price: 500, option_group_ids: [group.id] },
        { name: 'Nagy', price: 900 },
      ],
    });
    return [
      category,
      `${category}/szerkesztes`,
      `${category}/${product.id}?subproduct=${product.subproducts[0]!.id}`,
    ];
  },
  options: async (menu: Menu) => {
    const { id: group } = await menu.group(unique());
    const option = await menu.option(group, 'Rizs', { price: 300 });
    return [group, `${group}/szerkesztes`, `${group}/${option.id}`];
  },
};

for (const [screen, placesOf] of Object.entries(KINDS)) {
  it(
    `lists and editors of ${screen} are sound`,
    { tag: '@nightly' },
    async ({ page, visit, menu, place }) => {
      const places = await placesOf(menu);
      await visit(screen, places[0]);
      await expectSound(
        page,
        places.map((at) => ({ name: at, path: `${pathOf(screen, place.restaurant)}/${at}` })),
      );
    },
  );
}
