import { expect, it } from 'vitest';
import { ADDRESS_FIELDS, addressBody, addressValues, LONGEST } from './address';

it('empty fields of an address are sent as none, those that it must have as they are', () => {
  const values = { ...addressValues(), city: ' Pécs ', street: 'Fő utca', floor: ' ' };
  expect(addressBody(values)).toMatchObject({
    city: 'Pécs',
    street: 'Fő utca',
    premise_number: '',
    floor: null,
    name: null,
  });
});

it('what is not known of an address is empty, and nothing else is taken of it', () => {
  const values = addressValues({ city: 'Pécs', floor: null, id: 'a1' } as never);
  expect(Object.keys(values)).toEqual(ADDRESS_FIELDS);
  expect(values).toMatchObject({ city: 'Pécs', floor: '' });
});

it('each field has a longest text', () => {
  expect(Math.min(...Object.values(LONGEST))).toBeGreaterThan(0);
});
