import type { Locator } from '@playwright/test';
import { expect, settled, test } from './fixtures.ts';
import { dress, looks, picture as keep } from './looks.ts';

/** A user who reads each page first and types slowly. ms */
const READS = 4000;
const AIMS = 900;
const TYPES = 180;

/**
 * From a company that has a restaurant already to another one that takes orders: pictures of each step, time
 * and clicks.
 */
test('the guide, walked', async ({ page, visit }) => {
  test.setTimeout(300_000);
  await dress(page, looks[0]);
  let clicks = 0;
  let keys = 0;
  const times: [string, number, number][] = [];
  let begun = Date.now();
  const click = async (what: Locator) => {
    await page.waitForTimeout(AIMS);
    await what.click({ timeout: 10_000 });
    clicks += 1;
  };
  const type = async (label: string, text: string) => {
    await click(page.getByLabel(label));
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text, { delay: TYPES });
    keys += text.length;
  };
  const step = async (name: string, heading: string | RegExp) => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await settled(page);
    await page.waitForTimeout(READS);
    times.push([name, Date.now() - begun, clicks]);
  };
  const picture = async (name: string, seen?: Locator) => {
    const at = Date.now();
    await page.evaluate(() => scrollTo(0, 0));
    await seen?.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await keep(page, `onboarding-${name}`);
    begun += Date.now() - at; // taking the picture is not the user's time
  };
  const next = () => click(page.getByRole('button', { name: 'Tovább' }));

  await visit('restaurant_groups');
  await settled(page);
  begun = Date.now();
  await click(page.getByRole('button', { name: 'Új étterem' }));
  await page.keyboard.type('Zöldfa Vendéglő', { delay: TYPES });
  await click(page.getByRole('dialog').first().getByRole('button', { name: 'Mentés' }));
  await step('list', /Név és cég|Kezdeti lépések/);
  await picture('list');
  await click(
    page
      .getByRole('button', { name: 'Folytatás' })
      .or(page.getByRole('button', { name: 'Vezetett beállítás' }))
      .first(),
  );

  await step('identity', 'Név és cég');
  await type('E-mail-cím', 'konyha@zoldfa.example');
  await type('Telefonszám', '+36 62 555 010');
  await type('Cégnév', 'Zöldfa Kft.');
  await type('Adószám', '12345678-2-06');
  await type('Székhely', '6720 Szeged, Kárász utca 9.');
  await picture('identity');
  await next();

  await step('address', 'Cím és térkép');
  await type('Irányítószám', '6720');
  await type('Város', 'Szeged');
  await type('Utca', 'Kárász utca');
  await type('Házszám', '9');
  await click(page.getByRole('button', { name: 'Keresés a cím alapján' }));
  await expect(page.getByText(/^Megtalálva/)).toBeVisible();
  await picture('address', page.getByLabel('Szélesség (észak)'));
  await next();

  await step('hours', 'Nyitvatartás');
  await click(page.getByRole('switch', { name: 'Hétfő' }));
  await click(page.getByRole('button', { name: 'Hétfő: másolás más napra' }));
  await click(page.getByRole('menuitem', { name: 'Minden napra' }));
  await picture('hours');
  await next();

  await step('food', 'Átvétel és fizetés');
  await click(page.getByRole('checkbox', { name: 'Bankkártya' }));
  await picture('food');
  await next();

  await step('menu', 'Étlap');
  await picture('menu');
  await click(page.getByRole('button', { name: 'Példaétlap létrehozása' }));
  await expect(page.getByText('Van étlap')).toBeVisible();
  await next();

  await step('try', 'Próbarendelés');
  await click(page.getByRole('button', { name: 'Próbarendelés küldése' }));
  await expect(page.getByText(/Megérkezett a próba/)).toBeVisible();
  await picture('try');
  await click(page.getByRole('link', { name: 'Megnézem a friss rendelések között' }));
  await expect(page.locator('[data-order]')).toHaveCount(1);
  times.push(['end', Date.now() - begun, clicks]);
  await settled(page);
  await picture('order');
  for (const [name, ms, done] of times)
    process.stdout.write(`\n${name}: ${Math.round(ms / 1000)} s, ${done} clicks`);
  process.stdout.write(`\n${keys} characters typed\n`);
});
