import { expect, it } from 'vitest';
import { again } from './again';
import { bookOf } from './menu';
import { MENU } from './sample.test-data';

const book = bookOf(MENU);
type Item = Parameters<typeof again>[0][number];
const item = (subproduct_id: string, part: Partial<Item> = {}): Item => ({
  subproduct_id,
  name: subproduct_id,
  quantity: 1,
  item_options: [],
  ...part,
});
const option = (id: string, quantity = 1) =>
  ({ option_id: id, quantity, option: { name: id } }) as Item['item_options'][number];

it('adds what the menu still has, with its options and wishes', () => {
  const { wanted, missing } = again(
    [item('m32', { quantity: 2, message: 'hot', item_options: [option('thin')] }), item('c')],
    book,
  );
  expect(missing).toEqual([]);
  expect(wanted).toEqual([
    { subproduct_id: 'm32', name: 'Margherita, 32 cm', quantity: 2, options: { thin: 1 }, message: 'hot' },
    { subproduct_id: 'c', name: 'Cola Zero', quantity: 1, options: {}, message: '' },
  ]);
});

it('tells what is gone, not for the phone, or not to be had now, and leaves gifts out', () => {
  const { wanted, missing } = again(
    [item('gone'), item('z'), item('e'), item('c', { gift_of: 'promotion' })],
    book,
  );
  expect(wanted).toEqual([]);
  expect(missing.map(({ name, why }) => [name, why])).toEqual([
    ['gone', 'gone'],
    ['z', 'gone'],
    ['e', 'unavailable'],
  ]);
});

it('adds without options that are gone or do not fit any more, and tells them', () => {
  const { wanted, missing } = again(
    [item('m32', { item_options: [option('thin'), option('thick', 2), option('ham')] })],
    book,
  );
  expect(wanted[0]?.options).toEqual({ thin: 1 });
  expect(missing).toEqual([{ name: 'm32', why: 'options', options: ['thick', 'ham'] }]);
});
