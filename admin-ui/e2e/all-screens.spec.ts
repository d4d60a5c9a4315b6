import { expect, type Role, test } from './fixtures.ts';
import { pathOf, screens } from './screens.ts';
import { expectSound } from './sound.ts';

/** Screens that one window walks through. */
const LOT = 7;

// Each screen of the menu: opens without a word in the console and is sound, and has its address and its name
// in both languages.
const open = screens.filter((s) => !s.needsPath);
for (const role of ['partner', 'super'] satisfies Role[]) {
  const all = open.filter((s) => s.platform === (role === 'super'));
  for (let from = 0; from < all.length; from += LOT) {
    const lot = all.slice(from, from + LOT);
    test.describe(() => {
      test.use({ role });
      test(`${lot.map((s) => s.key).join(', ')} are sound`, async ({ page, place, visit }) => {
        await visit(lot[0]!.key);
        const addresses = lot.map(({ key, title }) => ({
          name: key,
          path: `${pathOf(key, place.restaurant)}?from=zz`,
          title,
        }));
        await expectSound(page, addresses, from / LOT);
        // It kept its query, and its address came back.
        await expect(page).toHaveURL(addresses[0]!.path);
      });
    });
  }
}
