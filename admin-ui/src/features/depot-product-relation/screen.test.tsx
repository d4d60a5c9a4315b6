import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import errors from '../../generated/errors.en.gen';
import type { CategoryDepot, ProductDepot, Restaurant } from '../../generated/model';
import { registerFeatures } from '../../lib/features';
import { ApiError } from '../../lib/http';
import { RestaurantContext, setTarget } from '../../lib/target';
import shared from '../../lib/texts/en';
import catalogue from '../categories-and-products/en';
import DepotProductRelation from '.';
import en from './en';
import feature from './feature';

const calls = vi.hoisted(() => ({
  categories: vi.fn(),
  products: vi.fn(),
  category: vi.fn(),
  product: vi.fn(),
}));
vi.mock('../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  productCategoriesDepots: calls.categories,
  productsDepots: calls.products,
  productCategoriesDepot: calls.category,
  productsDepot: calls.product,
}));
vi.mock('../../generated/client/restaurants/restaurants', async (original) => ({
  ...(await original<object>()),
  depotsPick: async () => [
    { id: 'main', name: 'Main store' },
    { id: 'cellar', name: 'Cellar' },
  ],
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', currency: 'huf', timezone: 'Europe/Budapest' } as Restaurant;
const category = (id: string, name: string, parent_id: string | null, depot_id: string | null) =>
  ({ id, restaurant_id: 'r', name, active: true, parent_id, depot_id }) as CategoryDepot;

beforeAll(async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  registerFeatures({ './depot-product-relation/feature.ts': { default: feature } });
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...errors, ...catalogue, ...en } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  setTarget(RESTAURANT);
});
afterAll(() => {
  vi.unstubAllGlobals();
  setTarget(undefined);
  registerFeatures({});
});
let depot: string | null;
beforeEach(() => {
  depot = null;
  calls.categories
    .mockReset()
    .mockImplementation(async () => [
      category('drinks', 'Drinks', null, depot),
      category('beers', 'Beers', 'drinks', null),
    ]);
  calls.category.mockReset().mockImplementation(async (_p, _r, _id, body: { depot_id: string | null }) => {
    depot = body.depot_id;
  });
  calls.product.mockReset();
  calls.products.mockReset().mockResolvedValue([
    {
      id: 'lager',
      restaurant_id: 'r',
      name: 'Lager',
      active: false,
      product_category_id: 'beers',
    } as ProductDepot,
  ]);
});
afterEach(cleanup);

function open(path = '') {
  const router = createMemoryRouter([{ path: '/r/:restaurant/:slug/*', element: <DepotProductRelation /> }], {
    initialEntries: [`/r/r/depot-of-products${path}`],
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RestaurantContext value={RESTAURANT}>
          <RouterProvider router={router} />
        </RestaurantContext>
      </App>
    </QueryClientProvider>,
  );
}
/** What a select shows. */
const shown = (row: string) =>
  screen.getByRole('combobox', { name: `Depot: ${row}` }).closest('.ant-select')!.textContent;
async function choose(row: string, name: string) {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: `Depot: ${row}` }));
  fireEvent.click(await screen.findByTitle(name));
}

it('says that it acts with stock, and hands a choice down at once; undo takes it back', async () => {
  open();
  const list = await screen.findByRole('list', { name: 'Depots of categories' });
  expect(screen.getByRole('note').textContent).toContain('This acts with stock: there is no stock yet');
  expect(within(list).getAllByRole('listitem')).toHaveLength(2);
  expect(shown('Drinks')).toBe('Inherits: Main store (the group’s first depot)');
  expect(screen.queryByRole('link', { name: 'Drinks' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Beers' }).getAttribute('href')).toContain('/beers');
  await choose('Drinks', 'Cellar');
  await waitFor(() => expect(shown('Beers')).toBe('Inherits: Cellar (from the category above)'));
  expect(calls.category).toHaveBeenCalledWith('p', 'r', 'drinks', { depot_id: 'cellar' });
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(shown('Drinks')).toContain('Inherits'));
  expect(calls.category).toHaveBeenLastCalledWith('p', 'r', 'drinks', { depot_id: null });
});

it('shows the products of a category, and those that a search finds; a refusal leaves what was', async () => {
  calls.product.mockRejectedValue(
    new ApiError({ status: 404, code: 'PRODUCT_NOT_EXIST' } as ConstructorParameters<typeof ApiError>[0]),
  );
  open('/beers');
  await screen.findByRole('list', { name: 'Beers: depots of products' });
  expect(calls.products).toHaveBeenCalledWith('p', 'r', { product_category_id: 'beers' });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Beers');
  expect(screen.getByText('Inactive')).toBeTruthy();
  await choose('Lager', 'Cellar');
  expect(await screen.findByRole('alert')).toBeTruthy();
  await waitFor(() => expect(shown('Lager')).toContain('Inherits: Main store'));
  cleanup();
  open('?q=lag');
  await screen.findByRole('list', { name: 'Depots of the products found' });
  expect(calls.products).toHaveBeenLastCalledWith('p', 'r', { name: 'lag' });
  cleanup();
  open('/gone');
  expect(await screen.findByText('No such category')).toBeTruthy();
});
