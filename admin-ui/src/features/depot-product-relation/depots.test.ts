import { expect, it } from 'vitest';
import type { CategoryDepot } from '../../generated/model';
import { aboveCategory, aboveProduct } from './depots';

const depots = [
  { id: 'main', name: 'Főraktár' },
  { id: 'cellar', name: 'Pince' },
];
const category = (id: string, parent_id: string | null, depot_id: string | null) =>
  ({ id, name: id, active: true, parent_id, depot_id }) as CategoryDepot;

it('the nearest level with a depot hands it down', () => {
  const rows = [
    category('drinks', null, 'cellar'),
    category('beers', 'drinks', null),
    category('wines', 'drinks', 'main'),
    category('soups', null, null),
  ];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const [drinks, beers, wines, soups] = rows as [CategoryDepot, CategoryDepot, CategoryDepot, CategoryDepot];
  const group = { depot: 'main', origin: 'group' };
  expect(aboveCategory(drinks, byId, depots)).toEqual(group);
  expect(aboveCategory(beers, byId, depots)).toEqual({ depot: 'cellar', origin: 'parent_category' });
  expect(aboveProduct(beers, byId, depots)).toEqual({ depot: 'cellar', origin: 'parent_category' });
  expect(aboveProduct(wines, byId, depots)).toEqual({ depot: 'main', origin: 'category' });
  expect(aboveProduct(soups, byId, depots)).toEqual(group);
  expect(aboveProduct(undefined, byId, [])).toEqual({ depot: null, origin: 'group' });
});
