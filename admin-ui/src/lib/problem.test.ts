import { expect, it } from 'vitest';
import { ApiError } from './http';
import { namePath, placeKeys } from './problem';

it('reads dotted keys as paths', () => {
  expect(namePath('ranges.0.price_from')).toEqual(['ranges', 0, 'price_from']);
});

it('puts each refused key to its input, to the nearest above it, or nowhere', () => {
  const error = new ApiError({
    status: 422,
    code: 'VALIDATION_FAILED',
    keys: ['name', 'rows.1.price', 'time_ranges.0.day', 'version'],
  });
  const { atInputs, elsewhere } = placeKeys(error, [['name'], ['rows', 1, 'price'], ['time_ranges']]);
  expect(atInputs).toEqual([
    { name: ['name'], key: 'name' },
    { name: ['rows', 1, 'price'], key: 'rows.1.price' },
    { name: ['time_ranges'], key: 'time_ranges.0.day' },
  ]);
  expect(elsewhere).toEqual(['version']);
});
