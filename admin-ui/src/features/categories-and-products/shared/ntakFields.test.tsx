import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { NtakCategory, Restaurant } from '../../../generated/model';
import { RestaurantContext, setTarget } from '../../../lib/target';
import shared from '../../../lib/texts/en';
import en from '../en';
import type { Level } from './inherit';
import { NtakFields, NtakQuantityField } from './ntakFields';
import type { Reported } from './types';

const pair = (id: string, name: string, state: NtakCategory['state']): NtakCategory => ({
  id,
  main_category: 'ETEL',
  main_category_name: 'Étel',
  main_category_name_en: 'Food',
  sub_category: name.toUpperCase(),
  sub_category_name: name,
  sub_category_name_en: name,
  state,
  version: 1,
});
vi.mock('../../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  ntakCategoriesList: vi.fn(async () => [
    pair('soup', 'soup', 'valid'),
    pair('main', 'main course', 'valid'),
    pair('old', 'snack', 'ended'),
    pair('new', 'ice cream', 'coming'),
  ]),
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', currency: 'huf', timezone: 'UTC' } as Restaurant;
const NOTHING: Reported = { ntak_category_id: null, ntak_quantity_unit: null };
const ABOVE: Level[] = [
  { origin: 'category', name: 'Soups', own: { ntak_category_id: 'soup' } },
  { origin: 'restaurant', own: { ntak_quantity_unit: 'portion' } },
];

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...en } } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
  setTarget(RESTAURANT);
});
afterAll(() => setTarget(undefined));
afterEach(cleanup);

const show = (what: React.ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RestaurantContext.Provider value={RESTAURANT}>
        <MemoryRouter>
          <App>{what}</App>
        </MemoryRouter>
      </RestaurantContext.Provider>
    </QueryClientProvider>,
  );

const card = (draft: Reported, set: (change: Partial<Reported>) => void = () => undefined, above = ABOVE) =>
  show(<NtakFields value={draft} onChange={set} above={above} />);

it('shows what is inherited and from where', async () => {
  card(NOTHING);
  expect(await screen.findByText('Inherit: Food / soup, from the category Soups')).toBeTruthy();
  expect(screen.getByText('Inherit: portion, from the restaurant')).toBeTruthy();
});

it('says so where nobody says anything', async () => {
  card(NOTHING, undefined, [{ origin: 'restaurant', own: NOTHING }]);
  expect(await screen.findAllByText('Inherit: nothing set')).toHaveLength(2);
});

it('offers what can be chosen, and returns to what is inherited', async () => {
  const set = vi.fn();
  card({ ntak_category_id: 'main', ntak_quantity_unit: 'piece' }, set);
  expect(await screen.findByText('Inherited it would be: Food / soup, from the category Soups')).toBeTruthy();
  fireEvent.mouseDown(screen.getByRole('combobox', { name: /NTAK category/ }));
  expect(await screen.findByTitle('Food / soup')).toBeTruthy();
  expect(screen.queryByTitle('Food / snack (ended)')).toBeNull();
  expect(screen.queryByTitle('Food / ice cream (not valid yet)')).toBeNull();
  fireEvent.click(screen.getByTitle('Food / soup'));
  expect(set).toHaveBeenLastCalledWith({ ntak_category_id: 'soup' });
  fireEvent.click(screen.getAllByRole('button', { name: /Inherit again/ })[1]!);
  expect(set).toHaveBeenLastCalledWith({ ntak_quantity_unit: null });
});

it('marks one that has ended where it is set', async () => {
  card({ ntak_category_id: 'old', ntak_quantity_unit: null });
  expect(await screen.findByTitle('Food / snack (ended)')).toBeTruthy();
});

it('warns of a litre that nobody meant', async () => {
  const change = vi.fn();
  show(<NtakQuantityField path="q" value="" unit="liter" onChange={change} />);
  expect(await screen.findByText(/Empty counts as 1 litre/)).toBeTruthy();
  fireEvent.change(screen.getByRole('spinbutton'), { target: { value: '0.5' } });
  expect(change).toHaveBeenLastCalledWith('0.5');
});
