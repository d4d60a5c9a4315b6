import { expect, expectAccessible, settled, smallTargets } from '../fixtures.ts';
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
      await card(page, order).getByRole('button', { name: /További műveletek/ }).click();
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

  for (const [width, colorScheme, density] of [[1440, 'light', 'desk'], [1440, 'dark', 'desk'], [1024, 'light', 'touch'], [390, 'dark', 'touch']] as const) {
    test(`accessible with orders: ${width} px, ${colorScheme}, ${density}`, async ({ page, visit, shop }) => {
      test.slow();
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 844 });
      await page.addInitScript((value) => localStorage.setItem('pult.look', JSON.stringify({ density: value })), density);
      const order = await shop.send();
      await shop.accept(order.id);
      await shop.send({ message: 'Hosszú megjegyzés, hogy lássuk, mi lesz vele a keskeny kártyán, ha nem fér el egy sorban.' });
      await visit('fresh_orders');
      await expect(card(page, order)).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      expect(await smallTargets(page), 'targets under 24 px').toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 'scrolls sideways').toBeLessThanOrEqual(0);
      if (density === 'desk') return;
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('main a, main button')].map((el) => ({ name: el.textContent, box: el.getBoundingClientRect() })).filter(({ box }) => box.width < 44 || box.height < 44).map(({ name, box }) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`));
      expect(small, 'targets under 44 px').toEqual([]);
      expect((await page.locator('.accept-main').first().boundingBox())!.height, 'the main action').toBe(56);
    });
  }

  test('in English', async ({ page, visit, shop }) => {
    await visit('fresh_orders');
    const order = await shop.send();
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Fresh orders' })).toBeVisible();
    await expect(card(page, order)).toContainText('Picks it up');
    await card(page, order).getByRole('button', { name: 'Accept · 10 min' }).click();
    await expect(page.getByRole('region', { name: /^Accepted/ }).locator(card(page, order))).toBeVisible();
  });
}
