import accountEn from '../src/features/account/en.ts';
import accountHu from '../src/features/account/hu.ts';
import { PUBLIC, type PublicPage } from '../src/features/public/pages.ts';
import { publicTexts } from '../src/features/public/texts.ts';
import usersEn from '../src/features/users/en.ts';
import usersHu from '../src/features/users/hu.ts';
import { expect, test } from './fixtures.ts';
import { dress, looks, nameOf, picture, wordsOf } from './looks.ts';
import { idsOf, type Person } from './people.ts';
import { slugFor } from './screens.ts';

// One after the other: they make the same people.
test.describe.configure({ mode: 'default' });

for (const look of looks) {
  const name = nameOf(look);
  const language = look.language ?? 'hu';
  const account = wordsOf(look, accountHu, accountEn);
  test.describe(`people ${name}`, () => {
    test.beforeEach(({ page }) => dress(page, look));

    test('users and the account', async ({ page, visit, service, place }) => {
      const path = `/api/v3/admin/partners/${place.partner}/admins`;
      const make = async (first_name: string, surfaces: string[], keys: string[]) =>
        (await (
          await service.post(path, {
            data: {
              last_name: 'Próba',
              first_name,
              email: `proba.${first_name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()}@pult.example`,
              restaurant_ids: [place.restaurant],
              surfaces,
              permission_ids: await idsOf(service, ...keys),
            },
          })
        ).json()) as Person;
      const people = [
        await make(
          'Felszolgáló',
          ['admin', 'pos'],
          ['admin_login', 'fresh_order', 'order_accept', 'pos_cart_discount', 'pos_modify_order'],
        ),
        await make('Konyha', ['admin'], ['admin_login', 'fresh_order', 'catalog_activate']),
        await make('Könyvelő', ['admin'], ['admin_login', 'all_order', 'stat_summary', 'order_export']),
      ];
      await visit('users');
      await picture(page, `users-${name}`);
      await visit('users', people[0]!.id);
      await picture(page, `user-${name}`);
      await page.getByLabel(wordsOf(look, usersHu, usersEn)('users.search_rights')).scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector('.perms')?.scrollIntoView());
      await page.evaluate(() => scrollBy(0, -180));
      await picture(page, `user_rights-${name}`);
      await visit('my_account');
      await picture(page, `my_account-${name}`);
      await page.getByRole('button', { name: account('account.second_factor_begin') }).click();
      await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
      await page.evaluate(() => document.querySelector('.account-qr')?.scrollIntoView({ block: 'center' }));
      await picture(page, `second_factor-${name}`);
      for (const person of people) await service.delete(`${path}/${person.id}`);

      const provider = `/api/v3/admin/partners/${place.partner}/sign-in-provider`;
      await service.put(provider, {
        data: {
          name: 'Céges fiók',
          issuer: 'https://belepes.pult.example',
          client_id: 'pult',
          client_secret: 'x',
          domains: ['pult.example'],
        },
      });
      await page.goto(`/r/${place.restaurant}/${slugFor('sign_in_provider')}`);
      await picture(page, `sign_in_provider-${name}`);
      await service.delete(provider);
    });

    test.describe('outside', () => {
      test.use({ role: 'none' });
      test('public pages', async ({ page, expectConsole }) => {
        expectConsole(/401/);
        await page.route('**/api/v3/admins/sign_in', (route) =>
          route.fulfill({
            status: 401,
            contentType: 'application/problem+json',
            json: { status: 401, code: 'SECOND_FACTOR_REQUIRED', title: 'x' },
          }),
        );
        await page.route('**/api/v3/admins/invitations/*', (route) =>
          route.fulfill({
            json: {
              email: 'proba.felszolgalo@pult.example',
              partner_id: 'x',
              partner_name: 'Pult Demó',
              has_password: false,
              surfaces: ['admin'],
              partners: [{ partner_id: 'y', partner_name: 'Régi Bisztró' }],
            },
          }),
        );
        await page.route('**/api/v3/admins/password-reset/*', (route) =>
          route.fulfill({
            json: { email: 'proba.felszolgalo@pult.example', has_password: true, partners: [] },
          }),
        );
        const say = publicTexts[language];
        const at = (key: PublicPage) => PUBLIC[key][language];
        await page.goto(at('login'));
        await picture(page, `login-${name}`);
        await page.getByLabel(say['login.email']).fill('partner@pult.example');
        await page.getByLabel(say['login.password'], { exact: true }).fill('x');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('heading', { name: say['code.title'] })).toBeVisible();
        await picture(page, `login_code-${name}`);
        for (const [key, path] of [
          ['forgotten_password', at('forgotten')],
          ['change_password', `${at('password')}?token=x`],
          ['invitation', `${at('invitation')}?token=x`],
          ['unauthorized', at('unauthorized')],
        ] as const) {
          await page.goto(path);
          await picture(page, `${key}-${name}`);
        }
        await page.goto(`${at('posLogin')}?token=x`);
        await expect(page.getByRole('link', { name: say['password.to_login'] })).toBeVisible();
        await picture(page, `pos_login-${name}`);
      });
    });
  });
}
