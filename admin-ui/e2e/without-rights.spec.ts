import { expect, go, settled, test } from './fixtures.ts';
import { makePerson, removePeople, sessionOf } from './people.ts';
import { pathOf, screens } from './screens.ts';

test('without rights nothing is shown and nothing requested', async ({ browser, service, place }) => {
  const person = await makePerson(service, place, {}, ['admin_login']);
  const context = await browser.newContext({ storageState: await sessionOf(person.email) });
  const page = await context.newPage();
  const open = pathOf('knowledge_repository', place.restaurant);
  await page.goto(open);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settled(page);
  const closed = page.getByRole('main').getByText('Ehhez nincs jogosultságod');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  for (const screen of screens.filter((s) => s.rights && !s.needsPath)) {
    // From one that is open each time: what is read there cannot be of the screen before.
    await go(page, open);
    await expect(closed).toHaveCount(0);
    await go(page, pathOf(screen.key, place.restaurant));
    await expect(closed, screen.key).toBeVisible();
    await expect(page.getByRole('navigation').locator(`a[href$="/${screen.slug}"]`), screen.key).toHaveCount(
      0,
    );
  }
  expect(refused).toEqual([]);
  await context.close();
  await removePeople(service, place);
});
