import type { APIRequestContext, Page } from '@playwright/test';
import { expect, expectAccessible, type Place, settled, test } from './fixtures.ts';
import { png } from './pixels.ts';

const unique = () => `Fotó${Math.random().toString(36).slice(2, 8)}`;
const file = (name: string, buffer = png(640, 480, [200, 80, 30], [250, 220, 120])) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer,
});

async function upload(
  service: APIRequestContext,
  place: Place,
  name: string,
): Promise<{ id: string; image: { small: string } }> {
  const answer = await service.post(`${place.api}/images`, { multipart: { name, image: file(name) } });
  expect(answer.status(), await answer.text()).toBe(201);
  return answer.json();
}

/** Whether the browser has got the picture: the policy allows its address, and the store gives it. */
const drawn = (page: Page, part: string) =>
  page
    .locator(part)
    .first()
    .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 0));

test.describe('media storage', () => {
  // One after the other: each clears away what is called so.
  test.describe.configure({ mode: 'default' });

  test.afterEach(async ({ service, place }) => {
    for (const row of await (await service.get(`${place.api}/images?name=Fotó&limit=200`)).json())
      await service.delete(`${place.api}/images/${row.id}`);
  });

  test('pictures come by dialog, dragging and pasting, are renamed, found and removed', async ({
    page,
    visit,
    service,
    place,
    expectConsole,
  }) => {
    expectConsole(/415/);
    const [one, two, three] = [unique(), unique(), unique()];
    await visit('media_storage');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Képek feltöltése' }).first().click();
    await (
      await chooser
    ).setFiles([file(one), { name: 'jegyzet.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') }]);
    await expect(page.getByRole('link', { name: one })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'formátum' })).toBeVisible();
    await page.getByRole('button', { name: 'Elvetés: jegyzet' }).click();
    expect(await drawn(page, '.media-tile img')).toBe(true);

    const bytes = [...png(64, 48, [10, 120, 60], [200, 230, 90])];
    const hand = (kind: 'drop' | 'paste', name: string) =>
      page.evaluate(
        ([event, content, label]) => {
          const data = new DataTransfer();
          data.items.add(
            new File([new Uint8Array(content as number[])], `${label}.png`, { type: 'image/png' }),
          );
          if (event === 'paste')
            document.dispatchEvent(
              new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
            );
          else
            document
              .querySelector('.media-body')!
              .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [kind, bytes, name] as const,
      );
    await hand('drop', two);
    await expect(page.getByRole('link', { name: two })).toBeVisible();
    await hand('paste', three);
    await expect(page.getByRole('link', { name: three })).toBeVisible();

    await page.getByRole('link', { name: one }).click();
    const drawer = page.getByRole('dialog').first();
    await expect(drawer.getByText('640 × 480')).toBeVisible();
    expect(await drawn(page, '.media-full img')).toBe(true);
    await settled(page);
    await expectAccessible(page);
    await drawer.getByLabel('Név').fill(`${one} új`);
    await page.keyboard.press('Control+s');
    await expect(drawer.getByRole('heading', { name: `${one} új` })).toBeVisible();
    const visibility = drawer.getByRole('switch', { name: 'Nyilvános' });
    await expect(visibility).not.toBeChecked();
    await visibility.click();
    await page.keyboard.press('Control+s');
    await expect
      .poll(async () => (await (await service.get(`${place.api}/images?name=${one}`)).json())[0].is_public)
      .toBe(true);
    await expect(visibility).toBeChecked();
    await drawer.getByRole('button', { name: 'Törlés' }).click();
    await page
      .getByRole('dialog', { name: /Törlöd ezt a képet/ })
      .getByRole('button', { name: 'Törlés' })
      .click();
    await expect(page.getByRole('link', { name: one })).toHaveCount(0);

    await page.getByText('Lista', { exact: true }).click();
    await page.getByLabel('Keresés névre').fill(two);
    await expect(page.locator('.media-row')).toHaveCount(1);
    await expect(page).toHaveURL(/view=list/);
    expect(await (await service.get(`${place.api}/images?name=${one}`)).json()).toEqual([]);
  });

  test(
    'the picture of a product is chosen in its editor, and then it cannot be removed',
    { tag: '@nightly' },
    async ({ page, visit, service, place }) => {
      const [name, photo] = [unique(), unique()];
      const image = await upload(service, place, photo);
      const category = await (
        await service.post(`${place.api}/product-categories`, { data: { name } })
      ).json();
      const products = `${place.api}/product-categories/${category.id}/products`;
      const product = await (await service.post(products, { data: { name, base_price: 1000 } })).json();
      await visit('categories_and_products', `${category.id}/${product.id}`);
      await page.getByRole('button', { name: 'Kép választása' }).click();
      const picker = page.getByRole('dialog', { name: 'A termék képe' });
      await picker.getByLabel('Keresés névre').fill(photo);
      await expect(picker.locator('.media-tile')).toHaveCount(1);
      await settled(page);
      await expectAccessible(page);
      await picker.getByRole('button', { name: photo }).click();
      await page.keyboard.press('Control+s');
      await expect
        .poll(async () => (await (await service.get(`${products}/${product.id}`)).json()).image_id)
        .toBe(image.id);
      await expect(page.locator('.media-field-picture')).toHaveAttribute('src', image.image.small);

      await visit('media_storage', image.id);
      const drawer = page.getByRole('dialog').first();
      await expect(drawer.getByRole('button', { name: 'Törlés' })).toBeDisabled();
      await drawer.getByRole('link', { name }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await page.getByRole('button', { name: 'Kép levétele' }).click();
      await page.keyboard.press('Control+s');
      await expect
        .poll(async () => (await (await service.get(`${products}/${product.id}`)).json()).image_id)
        .toBe(null);
      // Elsewhere before they go: the editor reads its lists again after saving.
      await visit('couriers');
      expect((await service.delete(`${products}/${product.id}`)).status()).toBe(204);
      expect((await service.delete(`${place.api}/product-categories/${category.id}`)).status()).toBe(204);
    },
  );

  test(
    'a new picture is put there on the spot: refused with a reason, then dropped and chosen at once',
    { tag: '@nightly' },
    async ({ page, visit, service, place, expectConsole }) => {
      expectConsole(/415/);
      const [name, photo] = [unique(), unique()];
      const category = await (
        await service.post(`${place.api}/product-categories`, { data: { name } })
      ).json();
      const products = `${place.api}/product-categories/${category.id}/products`;
      const product = await (await service.post(products, { data: { name, base_price: 1000 } })).json();
      await visit('categories_and_products', `${category.id}/${product.id}`);
      await page.getByRole('button', { name: 'Kép választása' }).click();
      const picker = page.getByRole('dialog', { name: 'A termék képe' });
      const chooser = page.waitForEvent('filechooser');
      await picker.getByRole('button', { name: 'Új kép feltöltése' }).click();
      await (
        await chooser
      ).setFiles({ name: 'jegyzet.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
      await expect(picker.getByRole('alert').filter({ hasText: 'formátum' })).toBeVisible();
      await settled(page);
      await expectAccessible(page);
      await picker.getByRole('button', { name: 'Elvetés: jegyzet' }).click();

      let go: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => {
        go = resolve;
      });
      await page.route(/\/images\?catalogue=true/, async (route) => {
        await answered;
        await route.continue();
      });
      await page.evaluate(
        ([bytes, label]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(bytes)], `${label}.png`, { type: 'image/png' }));
          document
            .querySelector('[role=dialog] .media-pick')!
            .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [[...png(64, 48, [10, 120, 60], [200, 230, 90])], photo] as const,
      );
      await expect(picker.getByRole('progressbar', { name: photo })).toBeVisible();
      go();
      await expect(picker).toHaveCount(0);
      const [image] = await (await service.get(`${place.api}/images?name=${photo}`)).json();
      await expect(page.locator('.media-field-picture')).toHaveAttribute('src', image.image.small);
      await page.keyboard.press('Control+s');
      await expect
        .poll(async () => (await (await service.get(`${products}/${product.id}`)).json()).image_id)
        .toBe(image.id);
      // Elsewhere before they go: the editor reads its lists again after saving.
      await visit('couriers');
      expect((await service.delete(`${products}/${product.id}`)).status()).toBe(204);
      expect((await service.delete(`${place.api}/product-categories/${category.id}`)).status()).toBe(204);
    },
  );
});

test.describe('documents', () => {
  test.use({ role: 'super' });

  test(
    'a super admin puts a PDF there, and it is downloaded',
    { tag: '@nightly' },
    async ({ page, visit }) => {
      const title = `Próba ${unique()}`;
      await visit('documentations_admin');
      await page.getByRole('button', { name: 'Új dokumentum' }).first().click();
      const drawer = page.getByRole('dialog').first();
      await drawer.getByLabel('Cím').fill(title);
      const chooser = page.waitForEvent('filechooser');
      await drawer.getByRole('button', { name: 'PDF kiválasztása' }).click();
      await (
        await chooser
      ).setFiles({
        name: 'Kézikönyv.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.4\ntrailer<<>>\n%%EOF\n'),
      });
      await settled(page);
      await expectAccessible(page);
      await drawer.getByRole('button', { name: 'Mentés' }).click();
      await expect(page.getByRole('link', { name: title })).toBeVisible();

      await visit('api_documentation');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `Letöltés: ${title}` }).click();
      expect((await download).suggestedFilename()).toBe('Kézikönyv.pdf');

      await visit('documentations_admin');
      await page.getByRole('link', { name: title }).click();
      await drawer.getByRole('button', { name: 'Törlés' }).click();
      await page
        .getByRole('dialog', { name: /Törlöd ezt a dokumentumot/ })
        .getByRole('button', { name: 'Törlés' })
        .click();
      await expect(page.getByRole('link', { name: title })).toHaveCount(0);
    },
  );

  test(
    'a super admin opens each builder with a ticket',
    { tag: '@nightly' },
    async ({ page, visit, context, place }) => {
      await visit('site_builders');
      await expect(page.getByRole('button', { name: /Megnyitás új lapon/ })).toHaveCount(5);
      const opened = context.waitForEvent('page');
      await page.getByRole('button', { name: 'Megnyitás új lapon: Alkalmazás-szerkesztő' }).click();
      const builder = await opened;
      await builder.waitForURL(/\/builder\/app\?token=[\w-]{20,}&restaurant_id=/);
      expect(builder.url()).toContain(place.restaurant);
      await expect(builder.getByRole('heading', { name: 'A builder' })).toBeVisible();
    },
  );
});

test(
  'an admin of the company opens the builder of the company alone',
  { tag: '@nightly' },
  async ({ page, visit, context, place }) => {
    await visit('site_builders');
    await expect(page.getByRole('button', { name: /Megnyitás új lapon/ })).toHaveCount(1);
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Megnyitás új lapon: Partnerszerkesztő' }).click();
    const builder = await opened;
    await builder.waitForURL(/\/builder\/partner\?token=[\w-]{20,}&partner_id=/);
    expect(builder.url()).toContain(place.partner);
  },
);
