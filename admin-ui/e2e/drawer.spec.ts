import type { Page } from '@playwright/test';
import { Menu } from './catalogue-menu.ts';
import { expect, expectAccessible, settled } from './fixtures.ts';
import { test as inNewRestaurant } from './new-restaurant.ts';

interface Till {
  /** A pizza of 2,293 Ft that was accepted, promised in so many minutes. */
  order: (minutes: number) => Promise<{ id: string; counter: string }>;
  pay: (id: string, body: object) => Promise<void>;
  courier: (name: string) => Promise<string>;
  closes: () => Promise<{ lines: { expected: number; counted: number | null; difference: number }[] }[]>;
}

const test = inNewRestaurant.extend<{ till: Till }>({
  till: async ({ service, place }, use) => {
    const menu = new Menu(service, place);
    const category = await menu.category('Ebéd');
    const pizza = await menu.product(category.id, 'Margherita', { base_price: 2293 });
    await menu.takes('cash', 'card');
    await use({
      order: async (minutes) => {
        const id = await menu.order([{ subproduct_id: pizza.subproducts[0]!.id, quantity: 1 }], {
          pickup: true,
        });
        await menu.put(`orders/${id}/accept`, { delivery_time_minute: minutes });
        return menu.get(`orders/${id}`);
      },
      pay: (id, body) => menu.pay(id, body),
      courier: async (last_name) => (await menu.post('couriers', { first_name: 'Béla', last_name })).id,
      closes: () => menu.get('drawer/closes'),
    });
    await menu.clear();
  },
});

// They share one drawer.
test.describe.configure({ mode: 'default' });

const SCREEN = 'drawer';
/** The service's numbers have spaces that do not break. */
const ft = (amount: string) => new RegExp(`${amount.replace(' ', '\\s')}\\sFt`);
const card = (page: Page, name: string) =>
  page.locator('section.card', { has: page.getByRole('heading', { name, exact: true }) });

test('a drawer: cash in and out, an order that is assumed, a count, figures that change, a close that is printed', async ({
  page,
  visit,
  till,
  expectConsole,
}) => {
  test.setTimeout(300_000);
  // What was seen is not what is there any more.
  expectConsole(/409/);
  const silent = await till.order(1);
  const promised = Date.now() + 60_000;
  await visit(SCREEN);
  await expect(page.getByText('Üres a kassza')).toBeVisible();
  await expectAccessible(page);

  await test.step('cash goes in with its reason, once', async () => {
    await page.getByRole('button', { name: 'Betétel' }).click();
    const open = page.getByRole('dialog', { name: 'Pénz betétele a kasszába' });
    await expect(open.getByLabel('Összeg')).toBeFocused();
    await open.getByLabel('Összeg').fill('20000');
    await page.keyboard.press('Enter');
    await expect(open.getByText('Ezt a mezőt ki kell tölteni!')).toBeVisible();
    await settled(page);
    await expectAccessible(page, '[role=dialog]');
    await open.getByLabel('Miért?').fill('váltópénz');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(open).toBeHidden();
    await expect(page.getByRole('row', { name: /^váltópénz/ })).toHaveCount(1);
    await expect(page.getByRole('row', { name: /^Készpénz/ }).first()).toContainText(ft('20 000'));
  });

  await test.step('a payment elsewhere is there at once', async () => {
    await till.pay((await till.order(30)).id, { payment_method: 'cash' });
    await expect(page.getByRole('row', { name: /^Készpénz/ }).first()).toContainText(ft('22 295'));
  });

  await test.step('what nobody has said anything about is named', async () => {
    await page.waitForTimeout(Math.max(0, promised - Date.now()) + 2_000);
    await page.reload();
    const assumed = card(page, 'Záráskor feltételezett fizetések');
    await expect(
      assumed.getByRole('link', { name: new RegExp(`^${silent.counter}\\.? rendelés$`) }),
    ).toBeVisible();
    await settled(page);
    await expectAccessible(page);
  });

  await page.getByRole('link', { name: 'Kassza zárása' }).click();
  const counted = page.getByLabel(/^Megszámolva – Készpénz/);
  await test.step('notes and coins are counted, and the difference said', async () => {
    // With the assumed order: 22,295 and 2,295 Ft.
    await expect(card(page, 'Készpénz')).toContainText(ft('24 590'));
    await page.getByText('Címletenként számolom').click();
    await page.getByLabel(ft('20 000')).fill('1');
    await page.getByLabel(ft('1 000')).fill('4');
    await page.getByLabel(ft('500')).first().fill('1');
    await expect(counted).toHaveValue(/^24\s500$/);
    await expect(card(page, 'Készpénz').getByRole('status')).toHaveText(/Hiányzik 90\sFt/);
    await page.getByLabel(/^Ennyi marad benne/).fill('20000');
    await page.getByLabel('Megjegyzés').fill('kilencven forint hiányzik');
    await settled(page);
    await expectAccessible(page);
  });

  const question = page.getByRole('dialog', { name: 'Lezárod a kasszát?' });
  const close = page.getByRole('button', { name: 'Kassza zárása' });
  await test.step('figures that have changed are shown, and what was typed stays', async () => {
    await till.pay((await till.order(30)).id, { payment_method: 'cash' });
    await expect(page.getByText('Közben történt valami a kasszában.')).toBeVisible();
    await close.click();
    await expect(question).toContainText(/Kifizetettnek feltételezett rendelés: 1, összesen 2\s293\sFt/);
    await expect(question).toContainText(/Hiányzik 90\sFt, benne marad 20\s000\sFt/);
    await expect(question.getByRole('button', { name: 'Mégsem' })).toBeFocused();
    await question.getByRole('button', { name: 'Kassza zárása' }).click();
    await expect(page.getByText('Közben mások voltak a számok')).toBeVisible();
    await expect(card(page, 'Készpénz')).toContainText(ft('26 885'));
    await expect(counted).toHaveValue(/^24\s500$/);
    await counted.fill('26885');
    await expect(card(page, 'Készpénz').getByRole('status')).toHaveText('Egyezik');
  });

  await test.step('the close stands, and is printed', async () => {
    await close.click();
    await question.getByRole('button', { name: 'Kassza zárása' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Kasszazárás, / })).toBeVisible();
    await expect(page.getByText('kilencven forint hiányzik')).toBeVisible();
    expect(await till.closes()).toMatchObject([
      { lines: [{ expected: 26_885, counted: 26_885, difference: 0, left_over: 20_000 }] },
    ]);
    await settled(page);
    await expectAccessible(page);
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    await page.getByRole('button', { name: 'Nyomtatás' }).click();
    await expect(page.locator('#slip')).toContainText(/Megszámolva26\s885\sFt/);
  });

  await test.step('an assumed payment is corrected at its order', async () => {
    await page.getByRole('link', { name: `Javítás: ${silent.counter}` }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(silent.counter);
    await expect(page.getByRole('button', { name: /^Visszaadás: Készpénz/ })).toBeVisible();
    await visit(SCREEN);
    await expect(card(page, 'Korábbi zárások').getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row', { name: /^Készpénz/ }).first()).toContainText(ft('20 000'));
  });
});

test('a courier hands in what he holds, and has a drawer of his own', async ({
  page,
  visit,
  till,
  place,
}) => {
  const courier = await till.courier('Futó');
  await till.pay((await till.order(30)).id, { payment_method: 'cash', courier_id: courier });
  await visit(SCREEN);
  await page.getByRole('button', { name: 'Leadás: Futó Béla' }).click();
  const open = page.getByRole('dialog', { name: 'A futár leadja a pénzt' });
  await expect(open.getByLabel('Összeg')).toHaveValue(/^2\s295$/);
  await open.getByLabel('Összeg').fill('2000');
  await open.getByRole('button', { name: 'Átvétel' }).click();
  await expect(open).toBeHidden();
  await expect(page.getByRole('row', { name: /^Futó Béla/ })).toContainText(/295\sFt/);
  await page.getByRole('link', { name: 'Futó Béla' }).click();
  await expect(page).toHaveURL(new RegExp(`courier=${courier}`));
  await page.reload();
  await settled(page);
  await expect(page.getByRole('row', { name: /^Készpénz/ }).first()).toContainText(/-2\s000\sFt/);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 780 });
  await page.getByRole('link', { name: 'Kassza zárása' }).click();
  await expect(page.getByText('Futó Béla: számold meg')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByLabel(/^Megszámolva – Készpénz/).fill('295');
  await expect(page.getByText('Egyezik')).toBeVisible();
  // What was typed is not lost without a question.
  await page.goBack();
  const ask = page.getByRole('dialog', { name: 'Nem mentett változások' });
  await ask.getByRole('button', { name: 'Elvetés' }).click();
  await expect(page).toHaveURL(new RegExp(`${place.restaurant}/kassza\\?courier`));
});
