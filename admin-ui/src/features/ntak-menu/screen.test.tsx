import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { NtakCategory, NtakProposal, Restaurant } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { showAt, stage } from '../../lib/stage.test-data';
import catalogue from '../categories-and-products/en';
import categoriesAndProducts from '../categories-and-products/feature';
import NtakMenu from '.';
import en from './en';
import feature from './feature';

const calls = vi.hoisted(() => ({
  categories: vi.fn(),
  proposals: vi.fn(),
  create: vi.fn(),
  list: vi.fn(),
  undo: vi.fn(),
  menu: vi.fn(),
}));
vi.mock('../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  ntakCategoriesList: calls.categories,
  ntakProposalsGet: calls.proposals,
  ntakChangesCreate: calls.create,
  ntakChangesList: calls.list,
  ntakChangesUndo: calls.undo,
  productCategoriesList: calls.menu,
}));
vi.setConfig({ testTimeout: 60_000 });

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  currency: 'huf',
  timezone: 'Europe/Budapest',
  primary_language: 'hu',
} as Restaurant;

const pair = (id: string, sub: string, state: NtakCategory['state'] = 'valid'): NtakCategory => ({
  id,
  main_category: 'ETEL',
  main_category_name: 'Étel',
  main_category_name_en: 'Food',
  sub_category: sub.toUpperCase(),
  sub_category_name: sub,
  sub_category_name_en: sub,
  state,
  version: 1,
});
const proposal = (id: string, over: Partial<NtakProposal> = {}): NtakProposal => ({
  level: 'category',
  id,
  product_category_id: id,
  category: `Category ${id}`,
  ntak_category_id: 'soup',
  ntak_quantity_unit: 'portion',
  replaces: false,
  ...over,
});
const FOUND = {
  catalogue_version: 7,
  proposals: [
    proposal('1'),
    proposal('2', { replaces: true, current_ntak_category_id: 'old' }),
    proposal('3', {
      level: 'subproduct',
      category: 'Beers',
      product: 'Ale',
      subproduct: '5 dl',
      ntak_category_id: null,
      ntak_quantity_unit: null,
      ntak_quantity: 0.5,
    }),
  ],
};

stage(
  RESTAURANT,
  { ...catalogue, ...en },
  {
    'categories-and-products': categoriesAndProducts,
    'ntak-menu': feature,
  },
);
beforeEach(() => {
  for (const call of Object.values(calls)) call.mockReset();
  calls.categories.mockResolvedValue([pair('soup', 'soup'), pair('old', 'old', 'ended')]);
  calls.proposals.mockResolvedValue(FOUND);
  calls.create.mockResolvedValue({});
  calls.undo.mockResolvedValue({});
  calls.list.mockResolvedValue([]);
});
const show = (query = '') => showAt(RESTAURANT, `ntak-categories-of-the-menu${query}`, <NtakMenu />);

it('takes in one step what replaces nothing, and what is chosen besides', async () => {
  show();
  expect(await screen.findByText('Chosen: 2 of 3')).toBeTruthy();
  await waitFor(() => expect(screen.getAllByText('Food / soup · portion')).toHaveLength(2));
  expect(screen.getByText('0.5')).toBeTruthy();
  expect(screen.getByText(/Food \/ old \(ended\)/)).toBeTruthy();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Category 2' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Choose Category 1' }));
  fireEvent.click(screen.getByRole('button', { name: 'Take (2)' }));
  await waitFor(() => expect(calls.create).toHaveBeenCalled());
  expect(calls.create.mock.calls[0]!.slice(0, 3)).toEqual([
    'p',
    'r',
    {
      catalogue_version: 7,
      rows: [
        { level: 'category', id: '2', ntak_category_id: 'soup', ntak_quantity_unit: 'portion' },
        { level: 'subproduct', id: '3', ntak_quantity: 0.5 },
      ],
    },
  ]);
});

it('asks for the rest too, and reads again when the menu has changed meanwhile', async () => {
  calls.create.mockRejectedValueOnce(new ApiError({ status: 409, code: 'NTAK_CHANGE_OUTDATED' } as never));
  show('?all=1');
  expect(await screen.findByText('Chosen: 2 of 3')).toBeTruthy();
  expect(calls.proposals).toHaveBeenCalledWith('p', 'r', { all: true });
  fireEvent.click(screen.getByRole('button', { name: 'Take (2)' }));
  calls.proposals.mockResolvedValue({ catalogue_version: 8, proposals: [] });
  fireEvent.click(await screen.findByRole('button', { name: 'Read the proposals again' }));
  expect(await screen.findByText('No proposals')).toBeTruthy();
});

it('sets category and unit of many rows; what is left alone is not sent', async () => {
  const effective = {
    ntak_category: { id: null, from: 'restaurant' },
    ntak_quantity_unit: { value: null, from: 'restaurant' },
  };
  const row = (id: string, name: string) => ({
    id,
    name,
    parent_id: null,
    ranking: 0,
    ntak_category_id: null,
    ntak_quantity_unit: null,
    effective,
    products: [],
  });
  calls.menu.mockResolvedValue([row('a', 'Soups'), row('b', 'Stews')]);
  show('?view=menu');
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Chosen: 0 of 2' }));
  fireEvent.click(screen.getByRole('button', { name: 'Set (2)' }));
  const dialog = await screen.findByRole('dialog');
  const verb = within(dialog).getByRole('button', { name: 'Set' });
  expect(verb.hasAttribute('disabled')).toBe(true);
  fireEvent.mouseDown(within(dialog).getByRole('combobox', { name: 'NTAK category' }));
  // What has ended cannot be chosen.
  expect(await screen.findByTitle('Food / soup')).toBeTruthy();
  expect(screen.queryByTitle('Food / old (ended)')).toBeNull();
  fireEvent.click(screen.getByTitle('Inherit'));
  fireEvent.click(verb);
  await waitFor(() => expect(calls.create).toHaveBeenCalled());
  expect(calls.create.mock.calls[0]![2]).toEqual({
    rows: [
      { level: 'category', id: 'a', ntak_category_id: null },
      { level: 'category', id: 'b', ntak_category_id: null },
    ],
  });
});

it('takes a change back, once and while it can be', async () => {
  const made = {
    categories: 1,
    products: 2,
    subproducts: 3,
    actor_name: 'Anna',
    created_at: '2026-05-01T10:00:00Z',
  };
  calls.list.mockResolvedValue([
    { id: 'new', ...made, undo_until: '2026-05-02T10:00:00Z' },
    { id: 'back', ...made, undone_at: '2026-05-01T11:00:00Z' },
    { id: 'old', ...made },
  ]);
  calls.undo.mockRejectedValueOnce(
    new ApiError({ status: 409, code: 'NTAK_CHANGE_CHANGED', changed: ['Goulash'] } as never),
  );
  show();
  const undo = await screen.findAllByRole('button', { name: 'Undo' });
  expect(undo).toHaveLength(1);
  expect(screen.getByText('Undone')).toBeTruthy();
  fireEvent.click(undo[0]!);
  const asked = await screen.findByRole('dialog');
  fireEvent.click(within(asked).getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls.undo).toHaveBeenCalledWith('p', 'r', 'new'));
  expect(await screen.findByText('Goulash')).toBeTruthy();
});
