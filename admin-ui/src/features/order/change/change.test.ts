import { describe, expect, it } from 'vitest';
import { sampleOrder } from '../sample.test-data';
import { changeBody, type ChangeDraft, draftOf, faultsOf, isEmpty, missing, placeOf } from './model';
import { thingsOf } from './words';

const order = sampleOrder();
const edited = (part: Partial<ChangeDraft>, of = order): ChangeDraft => ({ ...draftOf(of), ...part });
const body = (part: Partial<ChangeDraft>, of = order) => changeBody(of, edited(part, of));
const street = (text: string) => ({ address: { ...draftOf(order).address, street: text } });

describe('what is sent', () => {
  it('is nothing where nothing differs, and a reason or blanks alone are nothing', () => {
    expect(isEmpty(body({}))).toBe(true);
    expect(isEmpty(body({ override_reason: 'mert' }))).toBe(true);
    expect(isEmpty(body({ first_name: ' Réka ', pin: '1234' }))).toBe(true);
  });

  it('is what differs, emptied where it is empty', () => {
    expect(body({ first_name: 'Anna', email: '', message: ' siess ' })).toEqual({
      first_name: 'Anna',
      email: null,
      message: 'siess',
    });
    expect(body({ payment_method_id: 'm2' })).toEqual({ payment_method_id: 'm2' });
    expect(body({ pays_with: '20000' })).toEqual({ pays_with: 20000 });
    expect(body({ pays_with: '' }, sampleOrder({ pays_with: 20000 }))).toEqual({ pays_with: null });
  });

  it('is a whole address, with the region that was chosen', () => {
    const sent = body({ ...street('Fő utca'), override_reason: ' mert ' });
    expect(sent).toMatchObject({ delivery_data: { street: 'Fő utca', city: 'Budapest', floor: null } });
    expect(sent.delivery_data).not.toHaveProperty('name');
    expect(sent.override_reason).toBe('mert');
    expect(sent).not.toHaveProperty('delivery_region_id');
    const chosen = sampleOrder({ delivery_found_by: 'staff', delivery_region_id: 'r1' });
    expect(body(street('Fő utca'), chosen).delivery_region_id).toBe('r1');
    expect(body({ delivery_region_id: null }, chosen)).toEqual({ delivery_region_id: null });
  });

  it('is no address of what is fetched', () => {
    expect(body({ pickup: true, ...street('Fő utca'), courier_id: 'c1' })).toEqual({ pickup: true });
    const fetched = sampleOrder({ pickup: true, delivery_data: null });
    expect(body({ pickup: false, ...street('Fő utca') }, fetched)).toMatchObject({
      pickup: false,
      delivery_data: { street: 'Fő utca' },
    });
  });

  it('is a time, or none', () => {
    const at = '2026-11-20T18:00:00Z';
    expect(body({ later: true, expected_at: at })).toEqual({ expected_at: at });
    const preorder = sampleOrder({ is_preorder: true, expected_at: at });
    expect(body({ later: false }, preorder)).toEqual({ expected_at: null });
    // The promise of an accepted order is no wanted time.
    expect(isEmpty(body({}, sampleOrder({ status: 'processed', expected_at: at })))).toBe(true);
  });
});

describe('what is missing', () => {
  it('is asked of what was touched', () => {
    expect(missing(order, edited({}))).toEqual({});
    expect(missing(order, edited({ first_name: '', last_name: ' ', phone_1: '' }))).toEqual({
      last_name: 'form.required',
      phone_1: 'form.required',
    });
    expect(missing(order, edited({ email: 'réka' }))).toEqual({ email: 'form.email' });
    expect(missing(order, edited(street('')))).toEqual({ 'address.street': 'form.required' });
    expect(missing(order, edited({ later: true }))).toEqual({ expected_at: 'form.required' });
    const table = sampleOrder({ platform: 'sit_in', table_name: '4', delivery_data: null });
    expect(missing(table, edited({ phone_1: '', last_name: '', first_name: '' }, table))).toEqual({});
  });

  it('is a PIN, but for the number to call and the note', () => {
    expect(faultsOf(order, edited({ first_name: 'Kata' }))).toEqual({ pin: 'order.pin_missing' });
    expect(faultsOf(order, edited({ first_name: 'Kata', pin: '1234' }))).toEqual({});
    expect(faultsOf(order, edited({ phone_1: '+36 30 555 0177', message: 'Csengő rossz' }))).toEqual({});
    expect(faultsOf(order, edited({ phone_1: '+36 30 555 0177', ...street('Más utca') }))).toEqual({
      pin: 'order.pin_missing',
    });
  });
});

it('finds the field of a refused key', () => {
  expect(placeOf('delivery_data.street')).toBe('address.street');
  expect(placeOf('coord_lat')).toBe('address.street');
  expect(placeOf('pin')).toBe('pin');
  expect(placeOf('version')).toBeUndefined();
});

it('names each thing once', () => {
  expect(thingsOf(['first_name', 'last_name', 'phone_1', 'coordinates'])).toEqual([
    'name',
    'phone_1',
    'place',
  ]);
});
