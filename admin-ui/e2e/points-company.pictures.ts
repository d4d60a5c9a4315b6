import accountEn from '../src/features/account/en.ts';
import accountHu from '../src/features/account/hu.ts';
import keysEn from '../src/features/api-keys/en.ts';
import keysHu from '../src/features/api-keys/hu.ts';
import rulesEn from '../src/features/sign-in-provider/en.ts';
import rulesHu from '../src/features/sign-in-provider/hu.ts';
import { PUBLIC } from '../src/features/public/pages.ts';
import { expect, test } from './fixtures.ts';
import { dress, looks, nameOf, picture, wanted, wordsOf } from './looks.ts';
import { linkTo, MAILS, makeOwn, makePerson, oneMore, PASS, removePeople } from './people.ts';
import { createSampleData } from './sampleData.ts';
import { pathOf } from './screens.ts';
import { HISTORY, SAVE, type Row, rowsOf, done, nothingNew, dialogOf, close, into } from './points.ts';

const MORE = /^(További műveletek|More actions)/;
test.beforeEach(({ context }) => nothingNew(context));

for (const look of looks) {
  const name = nameOf(look);
  const english = look.language === 'en';
  const say = (hu: Record<string, string>, en: Record<string, string>) => wordsOf(look, hu, en);

  test(`keys ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`point_revoked_keys-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const words = say(keysHu, keysEn);
    await visit('api_keys');
    const filter = page.getByRole('combobox', { name: words('api_keys.with_revoked') });
    const hidden = !(await filter.isVisible());
    if (hidden) await page.getByRole('button', { name: /^(Szűrők|Filters)/ }).click();
    await filter.click();
    await page.getByRole('option').first().waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    const revokedText = new RegExp(words('api_keys.revoked_at', { at: '' }));
    let revoked = page.getByText(revokedText).first();
    if (!(await revoked.isVisible({ timeout: 3000 }).catch(() => false))) {
      // Each run of other tests leaves some; here is the first.
      const made = await done(service.post(`${place.api}/api-keys`, { data: { name: 'Régi webshop' } }));
      await done(service.delete(`${place.api}/api-keys/${made.id}`));
      await page.reload();
      revoked = page.getByText(revokedText).first();
    }
    await expect(revoked).toBeVisible();
    await into(revoked);
    await picture(page, `point_revoked_keys-${name}`);
    const gone = (
      await rowsOf<Row & { revoked_at: string | null }>(service, `${place.api}/api-keys?with_revoked=true`)
    ).find((key) => key.revoked_at)!;
    await visit('api_keys', `${gone.id}/hasznalat`);
    await picture(page, `point_revoked_usage-${name}`);
    const key = await done(service.post(`${place.api}/api-keys`, { data: { name: 'Cserélt kulcs' } }));
    await visit('api_keys', key.id);
    await picture(page, `point_key-${name}`);
    await page.getByRole('button', { name: words('api_keys.rotate') }).click();
    await picture(page, `point_key_rotate-${name}`);
    await dialogOf(page)
      .getByRole('button', { name: words('api_keys.rotate') })
      .click();
    await expect(page.getByLabel(/^(API-kulcs|API key)$/).last()).toHaveValue(/^pk_/);
    await picture(page, `point_key_shown-${name}`);
    await done(service.delete(`${place.api}/api-keys/${key.id}`));
  });

  test(`the company ${name}`, async ({ page, visit, service, place }) => {
    test.skip(!wanted(`point_company_export-${name}`));
    await createSampleData(place);
    await dress(page, look);
    const rules = say(rulesHu, rulesEn);
    await visit('company_export');
    await picture(page, `point_company_export-${name}`);
    await visit('users');
    await picture(page, `point_users-${name}`);
    await visit('users', 'uj');
    await page.locator('.perms').evaluate((element) => element.scrollIntoView());
    await picture(page, `point_user_rights-${name}`);
    await visit('sign_in_provider');
    await picture(page, `point_sign_in-${name}`);
    await into(page.getByRole('heading', { name: rules('sign_in_rules.title') }));
    await picture(page, `point_sign_in_rules-${name}`);
    await visit('payment_methods_pos');
    await picture(page, `point_payment_pos-${name}`);
    const rate = page.getByText(/^(Egy euró ára|Price of one euro)/);
    if (await rate.isVisible()) await into(rate);
    const groups = await rowsOf<Row & { restaurants: number }>(
      service,
      `/api/v3/admin/partners/${place.partner}/restaurant-groups`,
    );
    await visit('restaurant_groups', groups.find((group) => group.restaurants > 0)!.id);
    await picture(page, `point_group-${name}`);
  });

  test(`an account of one's own ${name}`, async ({ browser, service, place }) => {
    test.skip(!wanted(`point_account-${name}`) || !MAILS, 'the mails are elsewhere');
    const account = say(accountHu, accountEn);
    const { person, state } = await makeOwn(service, place, { surfaces: ['admin', 'pos'] });
    const context = await browser.newContext({ storageState: state });
    const elsewhere = await oneMore(browser, context, place);
    const page = await context.newPage();
    await nothingNew(context);
    await dress(page, look);
    await page.goto(pathOf('my_account', place.restaurant));
    await expect(page.getByLabel(account('account.tel'))).toBeVisible();
    await picture(page, `point_account-${name}`);
    await page.getByRole('button', { name: account('details.billing_add') }).click();
    await page.getByRole('button', { name: account('details.address_add') }).click();
    await into(page.getByRole('group', { name: account('details.billing') }));
    await picture(page, `point_account_billing-${name}`);
    const address = page.getByRole('group', { name: account('details.address_number', { number: 1 }) });
    await into(address);
    await picture(page, `point_account_address-${name}`);
    await address.locator('xpath=ancestor::form').getByRole('button', { name: SAVE }).click();
    await expect(page.getByText(account('details.name_short'))).toBeVisible();
    await picture(page, `point_account_errors-${name}`);
    await page.getByRole('button', { name: account('details.billing_remove') }).click();
    await page.getByRole('button', { name: account('details.address_remove') }).click();
    await page.getByRole('button', { name: account('account.till_open') }).click();
    const qr = page.getByRole('img', { name: account('account.till_qr') });
    await expect(qr).toBeVisible();
    await into(qr);
    await picture(page, `point_till_ticket-${name}`);
    await into(page.getByRole('heading', { name: account('account.sessions') }));
    await picture(page, `point_sessions-${name}`);
    await page.goto('about:blank');
    await page.goto(`${pathOf('my_account', place.restaurant)}#pin`);
    await expect(page.getByLabel(account('account.pin_new'), { exact: true })).toBeFocused();
    await picture(page, `point_pin-${name}`);
    await elsewhere.close();
    await context.close();

    // Invited again, the person has a password already; a new one has none.
    const admins = `/api/v3/admin/partners/${place.partner}/admins`;
    await done(service.delete(`${admins}/${person.id}`));
    const nobody = await browser.newContext();
    await nothingNew(nobody);
    const guest = await nobody.newPage();
    await dress(guest, look);
    const invited = async (email: string) => {
      await guest.goto('about:blank');
      const link = await linkTo(email, PUBLIC.invitation.hu);
      await guest.goto(link.replace(PUBLIC.invitation.hu, PUBLIC.invitation[english ? 'en' : 'hu']));
    };
    const noPassword = { password: undefined, password_again: undefined };
    const fresh = await makePerson(service, place, noPassword);
    await invited(fresh.email);
    await expect(guest.locator('input[type=password]').first()).toBeVisible();
    await picture(guest, `point_invitation_new-${name}`);
    await guest.locator('[type=submit]').click();
    await picture(guest, `point_invitation_errors-${name}`);
    const used = await linkTo(person.email, PUBLIC.invitation.hu);
    const again = await makePerson(service, place, { ...noPassword, email: person.email });
    await expect.poll(() => linkTo(again.email, PUBLIC.invitation.hu), { timeout: 20_000 }).not.toBe(used);
    await invited(again.email);
    await expect(guest.locator('[type=submit]')).toBeVisible();
    await expect(guest.locator('input[type=password]')).toHaveCount(0);
    await picture(guest, `point_invitation_known-${name}`);
    await guest.locator('[type=submit]').click();
    await expect(guest.locator('.pub-done')).toBeVisible();
    await picture(guest, `point_invitation_done-${name}`);
    // Who sets a password is led into the guide.
    await invited(fresh.email);
    await expect(guest.locator('input[type=password]')).toHaveCount(2);
    for (const input of await guest.locator('input[type=password]').all()) await input.fill(PASS);
    await guest.locator('[type=submit]').click();
    await guest.waitForURL(/\/r\//);
    await picture(guest, `point_invitation_inside-${name}`);
    await nobody.close();
    await removePeople(service, place);
  });

  test.describe(() => {
    test.use({ role: 'super' });
    test(`the platform ${name}`, async ({ page, visit, place }) => {
      test.skip(!wanted(`point_vat-${name}`));
      await dress(page, look);
      await visit('vats', 'uj');
      await picture(page, `point_new_vat-${name}`);
      await visit('vats');
      await page
        .getByRole('link', { name: english ? 'General rate' : 'Általános kulcs' })
        .or(page.locator('.row-link'))
        .first()
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await picture(page, `point_vat-${name}`);
      await page.getByRole('dialog').getByRole('button', { name: HISTORY }).click();
      await picture(page, `point_history_vats-${name}`);
      await close(page).catch(() => page.keyboard.press('Escape'));
      await visit('partner_page', place.partner);
      const archived = page.locator('.archived-restaurants, .list-card').last();
      await into(archived);
      await picture(page, `point_partner_archived-${name}`);
      await page.getByRole('button', { name: MORE }).first().click();
      await picture(page, `point_partner_more-${name}`);
      await page.keyboard.press('Escape');
      await visit('couriers');
      await picture(page, `point_super_strip-${name}`);
    });
  });
}
