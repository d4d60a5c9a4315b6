import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Me, Restaurant } from '../../../generated/model';
import { FieldStateContext, focusSoon } from '../../../lib/form/fieldState';
import { session } from '../../../lib/session';
import { RestaurantContext, setTarget } from '../../../lib/target';
import shared from '../../../lib/texts/en';
import { newGroup, newOption } from '../../options/option';
import options from '../../options/en';
import { newCategory } from '../category';
import en from '../en';
import { newProduct, newSubproduct, type SubproductDraft } from '../product';
import { SubproductFields } from '../SubproductFields';
import { OffAbove, ShownGroup, TaxGroup, WhereGroup } from './cards';
import { INHERITS, NO_PERIOD } from './draft';
import { CATEGORY, OPTION, OPTION_GROUP, PRODUCT, SIZE } from './groups';
import { inheritedSitIn, type Level, levelOf, restaurantLevel } from './inherit';
import type { ProductCategory } from './types';

vi.mock('../../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  ntakCategoriesList: vi.fn(async () => []),
  allergensList: vi.fn(async () => []),
  subproductsPick: vi.fn(async () => []),
  optionGroupsList: vi.fn(async () => []),
  vatsList: vi.fn(async () =>
    [27, 18, 5].map((percent) => ({ id: `v${percent}`, percent, name_local: '', name_en: '' })),
  ),
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  currency: 'huf',
  timezone: 'UTC',
  vat_id: 'v27',
  sit_in_vat_id: null,
} as unknown as Restaurant;
const category = (over: object) =>
  ({
    ...INHERITS,
    ...NO_PERIOD,
    id: 'pizzas',
    name: 'Pizzas',
    parent_id: null,
    active: true,
    time_ranges: [],
    ...over,
  }) as unknown as ProductCategory;
const PIZZAS = category({
  visible_phone: false,
  vat_id: 'v18',
  time_ranges: [{ day: 'mon', from: '11:00', till: '14:00' }],
});
const ABOVE: Level[] = [levelOf('category', PIZZAS), restaurantLevel(RESTAURANT)];

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...en, ...options } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  setTarget(RESTAURANT);
});
afterAll(() => setTarget(undefined));
afterEach(() => {
  cleanup();
  session.set(null);
});

const mayDo = (...permissions: string[]) =>
  session.set({
    id: 'me',
    super_admin: false,
    targets: [{ partner_id: 'p', target_type: 'Partner', permissions }],
  } as unknown as Me);

const page = (what: ReactNode, faults: Record<string, string> = {}) => {
  const router = createMemoryRouter(
    [
      {
        path: '/r/:restaurant/:slug/*',
        element: (
          <App>
            <FieldStateContext value={{ faults, busy: false, locked: false }}>{what}</FieldStateContext>
          </App>
        ),
      },
    ],
    { initialEntries: ['/r/r/x'] },
  );
  return (
    <QueryClientProvider client={new QueryClient()}>
      <RestaurantContext.Provider value={RESTAURANT}>
        <RouterProvider router={router} />
      </RestaurantContext.Provider>
    </QueryClientProvider>
  );
};
const group = (name: string) => screen.getByRole<HTMLDetailsElement>('group', { name });

const { key: _key, ...size } = newSubproduct();
it.each([
  ['a category', newCategory(null), CATEGORY],
  ['a product', newProduct('c'), PRODUCT],
  ['a size', size, SIZE],
  ['an option group', newGroup(), OPTION_GROUP],
  ['an option', newOption('g'), OPTION],
])('each field of %s is in one group', (_, draft, groups) => {
  const fields = Object.values<readonly string[]>(groups).flat();
  expect(fields.toSorted()).toEqual(Object.keys(draft).toSorted());
});

it('is folded, and says what holds, whose it is, and what limits it from above', async () => {
  const draft = { ...INHERITS, ...NO_PERIOD, visible_online: false, available_to: '2020-01-01T10:00:00Z' };
  const form = { draft, set: () => undefined };
  render(page(<WhereGroup form={form} above={ABOVE} chain={[PIZZAS]} fields={PRODUCT.where} />));
  const where = group('Where and when it is sold');
  expect(where.open).toBe(false);
  expect(
    within(where).getByText(
      'Hidden: web, phone · Own setting: web · Ended 2020/01/01 10:00 · Also limited by the times of the category: Pizzas',
    ),
  ).toBeTruthy();
  expect(where.querySelector('.above')!.textContent).toBe('This holds too: Pizzas: Monday, 11:00–14:00');
});

it('says so where nothing is set', () => {
  const form = { draft: { ...INHERITS, ...NO_PERIOD }, set: () => undefined };
  const above = [restaurantLevel(RESTAURANT)];
  render(page(<WhereGroup form={form} above={above} chain={[]} fields={PRODUCT.where} />));
  expect(screen.getByText('Shown everywhere · Sold at any time')).toBeTruthy();
});

it('a fault opens its group, which counts it and takes the focus', async () => {
  const tax = (
    <TaxGroup
      value={INHERITS}
      onChange={() => undefined}
      above={ABOVE}
      fields={SIZE.tax}
      prefix="subproducts.a."
    />
  );
  const { rerender } = render(page(tax, { 'subproducts.b.vat_id': 'Wrong.', name: 'Wrong.' }));
  expect(group('VAT, service fee, NTAK').open).toBe(false);
  rerender(page(tax, { 'subproducts.a.vat_id': 'Wrong.' }));
  expect(group('VAT, service fee, NTAK').open).toBe(true);
  expect(screen.getByText('To correct: 1')).toBeTruthy();
  focusSoon('subproducts.a.vat_id');
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(document.getElementById('field-subproducts.a.vat_id')),
  );
});

it('a value of the row itself says what it would inherit, and leads there and back', async () => {
  mayDo('restaurant_general');
  const change = vi.fn();
  render(
    page(
      <>
        <TaxGroup
          value={{ ...INHERITS, vat_id: 'v5' }}
          onChange={change}
          above={ABOVE}
          fields={PRODUCT.tax}
        />
        <ShownGroup value={{ ...INHERITS, visible_phone: true }} onChange={change} above={ABOVE} />
      </>,
    ),
  );
  expect(await screen.findByText(/^VAT: 5\s?%, own setting$/)).toBeTruthy();
  const help = document.getElementById('field-vat_id-help')!;
  expect(help.textContent).toMatch(/^Inherited it would be: 18\s?%, from the category Pizzas$/);
  expect(help.querySelector('a')!.getAttribute('href')).toMatch(/\/pizzas\/edit$/);
  fireEvent.click(screen.getByText('Inherit again').closest('button')!);
  expect(change).toHaveBeenLastCalledWith({ vat_id: null });

  const phone = document.getElementById('field-visible_phone-help')!;
  expect(phone.textContent!.trim()).toBe(
    'visible, own setting. Inherited it would be: hidden, from the category Pizzas',
  );
  fireEvent.click(
    within(screen.getByRole('radiogroup', { name: 'Phone orders', hidden: true })).getByLabelText('Inherit'),
  );
  expect(change).toHaveBeenLastCalledWith({ visible_phone: null });
  expect(document.getElementById('field-visible_online-help')!.textContent!.trim()).toBe(
    'visible, by default',
  );
});

it('what the restaurant says is a link for who may open its settings', async () => {
  const tax = (
    <TaxGroup
      value={INHERITS}
      onChange={() => undefined}
      above={[restaurantLevel(RESTAURANT)]}
      fields={PRODUCT.tax}
    />
  );
  const links = () => [...document.querySelectorAll('.group-body a')].map((a) => a.getAttribute('href'));
  mayDo('order');
  const { unmount } = render(page(tax));
  await screen.findByText(/^VAT: 27\s?%, from the restaurant$/);
  expect(links()).toEqual([]);
  unmount();
  mayDo('restaurant_general', 'pos_settings');
  render(page(tax));
  await screen.findByText(/^VAT: 27\s?%, from the restaurant$/);
  expect(links()).toEqual(['/r/r/general', '/r/r/pos-settings']);
});

it('eaten here the VAT of the row holds where no level has another', () => {
  const none = [restaurantLevel(RESTAURANT)];
  expect(inheritedSitIn(none, null)).toEqual({ value: 'v27', origin: 'own_vat' });
  expect(inheritedSitIn(none, 'v5')).toEqual({ value: 'v5', origin: 'own_vat' });
  const set = [levelOf('category', category({ sit_in_vat_id: 'v5' })), ...none];
  expect(inheritedSitIn(set, 'v18')).toMatchObject({ value: 'v5', origin: 'category', id: 'pizzas' });
});

it('what is switched off above is named', () => {
  render(page(<OffAbove rows={[category({ active: false })]} edit={(id) => `/edit/${id}`} />));
  expect(screen.getByRole('link', { name: 'Pizzas' }).getAttribute('href')).toBe('/edit/pizzas');
  cleanup();
  render(page(<OffAbove rows={[PIZZAS]} edit={String} />));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('the only size hides what repeats its product, and nothing that is set', async () => {
  const fields = (row: SubproductDraft, single: boolean) =>
    page(
      <SubproductFields
        row={row}
        single={single}
        productName="Cola"
        above={[{ origin: 'restaurant', own: { ntak_quantity_unit: 'liter' } }]}
        others={[]}
        onChange={() => undefined}
      />,
    );
  const row = { ...newSubproduct(), key: 'a', name: 'Cola' };
  const { rerender } = render(fields(row, true));
  expect(within(group('Own name and description')).getByText('The same as of the product')).toBeTruthy();
  // A litre that nobody meant is told although its field is folded.
  expect(screen.getByText(/ · Empty counts as 1 litre: enter the volume/)).toBeTruthy();
  const full = {
    ...row,
    description: 'ice-cold',
    deposit_pieces: 1,
    ean_code: '599',
    wolt_id: 'w1',
    ntak_quantity: '0.5',
  };
  rerender(fields(full, true));
  for (const [name, said] of [
    ['Own name and description', 'ice-cold'],
    ['Parts of a set menu, deposit', 'Bottles or cans with a deposit: 1'],
    ['Barcode and other systems', 'EAN code: 599 · Wolt id: w1'],
  ] as const) {
    expect(group(name).open).toBe(false);
    expect(group(name).querySelector('.group-said')!.textContent).toBe(said);
  }
  expect(screen.getByText(/NTAK quantity: 0.5$/)).toBeTruthy();
  rerender(fields(full, false));
  expect(screen.queryByRole('group', { name: 'Own name and description' })).toBeNull();
  expect(document.getElementById('field-subproducts.a.price')).not.toBeNull();
});
