import { expect, expectAccessible, settled } from '../fixtures.ts';
import { pathOf } from '../screens.ts';
import { expectSound } from '../sound.ts';
import { card, test } from './shop.ts';

/** How it looks: on paper, in both themes, on each kind of screen, in English. */
export function look(): void {
  test('slips of 80 mm go to the print dialog', async ({ page, visit, shop }) => {
    await page.addInitScript(() => {
      window.print = () => Object.assign(window, { slip: document.querySelector('#slip')?.textContent });
    });
    const slip = () => page.evaluate(() => (window as unknown as { slip?: string }).slip ?? '');
    await visit('fresh_orders');
    const order = await shop.send();
    const print = async (name: string) => {
      await card(page, order)
        .getByRole('button', { name: /További műveletek/ })
        .click();
      await page.getByRole('menuitem', { name }).click();
    };
    await print('Konyhai blokk');
    await expect.poll(slip).toContain('kapor nélkül');
    expect(await slip()).toContain(order.counter);
    expect(await slip()).not.toContain('Ft');
    await print('Vendégblokk');
    await expect.poll(slip).toContain('Nem adóügyi bizonylat.');
    expect(await slip()).toMatch(/Összesen[\s\d\u202f\u00a0]+Ft/);
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('#slip')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Friss rendelések' })).toBeHidden();
  });

  test('sound with orders, at every width and for fingers', async ({ page, visit, shop, place }) => {
    const order = await shop.send();
    await shop.accept(order.id);
    await shop.send({
      message: 'Hosszú megjegyzés, hogy lássuk, mi lesz vele a keskeny kártyán, ha nem fér el egy sorban.',
    });
    await visit('fresh_orders');
    await expect(card(page, order)).toBeVisible();
    await expectSound(page, [{ name: 'fresh orders', path: pathOf('fresh_orders', place.restaurant) }]);
    await expect(card(page, order)).toBeVisible();
    // Cards for fingers have other buttons.
    await expectAccessible(page);
    expect((await page.locator('.accept-main').first().boundingBox())!.height, 'the main action').toBe(56);
  });

  test('in English', { tag: '@nightly' }, async ({ page, visit, shop }) => {
    await visit('fresh_orders');
    const order = await shop.send();
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Fresh orders' })).toBeVisible();
    await expect(card(page, order)).toContainText('Picks it up');
    await card(page, order).getByRole('button', { name: 'Accept · 10 min' }).click();
    await expect(page.getByRole('region', { name: /^Accepted/ }).locator(card(page, order))).toBeVisible();
    await card(page, order)
      .getByRole('button', { name: `Ready: ${order.counter}` })
      .click();
    await page.getByText('Ready within the last two hours').click();
    await expect(page.getByRole('button', { name: `Back to preparing: ${order.counter}` })).toBeVisible();
    await settled(page);
    // What the bar at the top lies over is no small target.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'SOS close' }).click();
    const dialog = page.getByRole('dialog', { name: /^Stop taking orders here/ });
    await dialog.getByRole('radio', { name: 'For 30 minutes' }).check();
    await expect(dialog.getByText(/Opens again by itself/)).toBeVisible();
    await settled(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
}
