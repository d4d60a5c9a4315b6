import { expect, expectAccessible, settled, test } from './fixtures.ts';
import { slugFor } from './screens.ts';

// What an operator sees, and the jobs that failed.
test.use({ role: 'super' });
const SA = '/api/v3/super-admin';

test(
  'the operator sees instances, what failed, what is slow and who causes load, at each width',
  { tag: '@nightly' },
  async ({ page, visit, service }) => {
    await visit('operating');
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Üzemeltetés');
    // The service itself, as it says within its first ten seconds.
    const instances = main.locator('section', {
      has: page.getByRole('heading', { name: 'Az utóbbi óra példányai' }),
    });
    await expect(instances.getByText('Kérések és feladatok').first()).toBeVisible({ timeout: 20_000 });
    await expect(instances.getByText('Kész', { exact: true }).first()).toBeVisible();
    await expect(main.getByText('Válaszoló példányok')).toBeVisible();
    // What it asks for renews itself; the span stands in the address.
    await main.getByText('60 perc').click();
    await expect(page).toHaveURL(/minutes=60/);
    const seen = await (await service.get(`${SA}/operating?minutes=60`)).json();
    if (seen.partners.length > 0)
      await expect(main.getByRole('link', { name: seen.partners[0].partner_name }).first()).toBeVisible();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await expectAccessible(page);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `test-results/operating-${width}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await main.locator('dl').getByRole('link').nth(1).click();
    await expect(page).toHaveURL(/state=failed/);
  },
);

test('jobs open with the failed ones; the error is whole, run again and discard', async ({ page, visit }) => {
  const job = {
    id: 7,
    kind: 'partner_migrate',
    partner_id: null,
    partner_name: null,
    state: 'failed',
    attempts: 5,
    last_error: 'relation "x" does not exist\nat line 3',
    run_at: '2026-11-20T10:00:00Z',
    created_at: '2026-11-20T09:00:00Z',
  };
  const requests: string[] = [];
  await page.route(`**${SA}/jobs**`, async (route) => {
    const url = new URL(route.request().url());
    requests.push(
      `${route.request().method()} ${url.pathname}${url.searchParams.has('state') ? `?state=${url.searchParams.get('state')}` : ''}`,
    );
    if (route.request().method() !== 'GET') return route.fulfill({ status: 204 });
    if (url.pathname.endsWith('/jobs/7')) return route.fulfill({ json: job });
    await route.fulfill({ json: [job], headers: { 'X-Total-Count': '1' } });
  });
  await visit('jobs');
  await expect(page).toHaveURL(/state=failed/);
  await expect(page.getByText('Sikertelen').last()).toBeVisible();
  expect(requests[0]).toContain('?state=failed');
  await page.getByRole('link', { name: 'Partner migrációja' }).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('at line 3')).toBeVisible();
  await settled(page);
  await expectAccessible(page);
  await drawer.getByRole('button', { name: 'Futtatás újra' }).click();
  await expect(page.getByText('Elindult: Partner migrációja')).toBeVisible();
  expect(requests).toContain(`POST ${SA}/jobs/7/run`);
  await page.getByRole('link', { name: 'Partner migrációja' }).click();
  await drawer.getByRole('button', { name: 'Elvetés' }).click();
  await page
    .getByRole('dialog', { name: /^Elveted/ })
    .getByRole('button', { name: 'Elvetés' })
    .click();
  await expect(page.getByText('Elvetve: Partner migrációja')).toBeVisible();
  expect(requests).toContain(`DELETE ${SA}/jobs/7`);
});

test(
  'what failed leads to its jobs, which run again together',
  { tag: '@nightly' },
  async ({ page, visit, expectConsole }) => {
    const failed = [1, 2].map((id) => ({
      id,
      kind: 'push_send',
      partner_id: null,
      partner_name: null,
      state: 'failed',
      attempts: 10,
      last_error: 'the company is away '.repeat(40),
      run_at: '2026-11-20T10:00:00Z',
      created_at: '2026-11-20T09:00:00Z',
    }));
    let left = failed;
    const asked: unknown[] = [];
    let away = false;
    await page.route(`**${SA}/operating?**`, async (route) => {
      if (away) return route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
      const real = await (await route.fetch()).json();
      const failures = [
        {
          kind: 'push_send',
          dead: 2,
          repeated: 0,
          since: failed[0]!.run_at,
          last_error: failed[0]!.last_error,
        },
      ];
      await route.fulfill({ json: { ...real, failures } });
    });
    await page.route(`**${SA}/jobs**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.endsWith('/jobs/2') && left.length > 0) return route.fulfill({ json: failed[1] });
      if (/\/jobs\/[29]$/.test(pathname))
        return route.fulfill({ status: 404, json: { code: 'JOB_NOT_EXIST' } });
      if (!pathname.endsWith('/run-failed'))
        return route.fulfill({ json: left, headers: { 'X-Total-Count': String(left.length) } });
      asked.push(route.request().postDataJSON());
      left = [];
      await route.fulfill({ json: { count: 2 } });
    });
    expectConsole(/404|503/);
    await page.clock.install();
    await visit('operating');
    const way = page.getByRole('link', { name: 'Push értesítés küldése' });
    await expect(way).toBeVisible();
    // What was read last stays in sight.
    away = true;
    await page.clock.runFor(60_000);
    await expect(page.getByText(/^A frissítés nem sikerült/)).toBeVisible();
    await way.click();
    await expect(page).toHaveURL(/state=failed&kind=push_send/);
    await settled(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Mind újra' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Futtatás újra' }).click();
    await expect(page.getByText('Újra elindult: 2')).toBeVisible();
    await expect(page.getByText('Nincs találat')).toBeVisible();
    expect(asked).toEqual([{ kind: 'push_send' }]);
    // Of all kinds at once nothing can be run.
    await page.getByRole('button', { name: 'Szűrők törlése' }).first().click();
    await expect(page.getByRole('button', { name: 'Mind újra' })).toHaveCount(0);
    // One that is done while it is open.
    left = failed;
    await visit('jobs', '2');
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByRole('button', { name: 'Futtatás újra' })).toBeVisible();
    left = [];
    await page.clock.runFor(11_000);
    await expect(drawer.getByText('Ez a feladat már nincs meg')).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Futtatás újra' })).toHaveCount(0);
    // One that is done already, and an address that names none.
    for (const id of ['9', 'nincs']) {
      await visit('jobs', id);
      await expect(page.getByText('Ez a feladat már nincs meg')).toBeVisible();
    }
    await page.goto(`/platform/${slugFor('jobs')}?state=nincs`);
    await expect(page).toHaveURL(/state=failed$/);
  },
);
