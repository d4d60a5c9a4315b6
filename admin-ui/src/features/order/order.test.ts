import { describe, expect, it } from 'vitest';
import {
  addressDetails,
  addressLine,
  fulfilment,
  guestName,
  isPaid,
  itemName,
  mapUrl,
  type Order,
  priceRows,
} from './model';
import { sampleOrder } from './sample.test-data';
import { formatPhone, phoneUrl } from './phone';
import { dayOf, dueTone, minutesSince, timeWindow, waitingTone } from './times';

const BUDAPEST = 'Europe/Budapest';
const NOW = Date.parse('2026-11-20T11:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

describe('times', () => {
  it('shows ten minutes to both sides, in the zone of the restaurant', () => {
    expect(timeWindow('2026-11-20T11:30:00Z', BUDAPEST)).toBe('12:20–12:40');
    expect(timeWindow('2026-07-20T11:30:00Z', 'Europe/London')).toBe('12:20–12:40');
    expect(timeWindow('2026-11-20T22:55:00Z', BUDAPEST), 'over midnight').toBe('23:45–00:05');
  });

  it('shows the margin in wall time also where the clock changes', () => {
    expect(timeWindow('2026-10-25T01:00:00Z', BUDAPEST)).toBe('02:50–02:10');
  });

  it.each([
    ['2026-11-20T22:30:00Z', 'today'],
    ['2026-11-20T23:30:00Z', 'tomorrow'],
    ['2026-11-21T22:59:00Z', 'tomorrow'],
    ['2026-11-21T23:00:00Z', 'other'],
    ['2026-11-19T10:00:00Z', 'other'],
  ])('%s is %s', (moment, day) => expect(dayOf(moment, NOW, BUDAPEST)).toBe(day));

  it('knows tomorrow on the day with 25 hours', () => {
    expect(dayOf('2026-10-26T10:00:00Z', Date.parse('2026-10-24T22:30:00Z'), BUDAPEST)).toBe('tomorrow');
  });

  it.each([
    [0, 'calm'],
    [4.9, 'calm'],
    [5, 'amber'],
    [9.9, 'amber'],
    [10, 'red'],
    [300, 'red'],
    [-3, 'calm'],
  ])('an order that waits %d minutes is %s', (minutes, tone) =>
    expect(waitingTone(minutesAgo(minutes), NOW)).toBe(tone),
  );

  it.each([
    [-1, 'calm'],
    [0, 'amber'],
    [10, 'amber'],
    [11, 'red'],
    [119, 'red'],
    [120, 'calm'],
  ])('%d minutes over its time an accepted one is %s', (minutes, tone) =>
    expect(dueTone(minutesAgo(minutes), NOW)).toBe(tone),
  );

  it('has no tone without a time, and no negative age', () => {
    expect(dueTone(null, NOW)).toBe('calm');
    expect(minutesSince(minutesAgo(-2), NOW)).toBe(0);
  });
});

describe('phone', () => {
  it.each([
    ['+36301234567', '+36 30 123 4567'],
    ['+36 (30) 123-4567', '+36 30 123 4567'],
    ['0036301234567', '+36 30 123 4567'],
    ['06301234567', '06 30 123 4567'],
    ['+3612345678', '+36 1 234 5678'],
    ['0652123456', '06 52 123 456'],
    ['+436601234567', '+43 660 123 4567'],
    ['+421905123456', '+421 905 123 456'],
    ['+12025550123', '+1 202 555 0123'],
    ['kapucsengő 12', 'kapucsengő 12'],
    ['  ', ''],
  ])('%s', (typed, shown) => expect(formatPhone(typed)).toBe(shown));

  it('dials digits only', () => expect(phoneUrl('+36 (30) 123-4567')).toBe('tel:+36301234567'));
});

const order = (part: Partial<Order> = {}): Order => sampleOrder(part);

describe('an order', () => {
  it.each<[Partial<Order>, string]>([
    [{}, 'delivery'],
    [{ pickup: true }, 'pickup'],
    [{ platform: 'take_away' }, 'pickup'],
    [{ platform: 'kiosk_take_away' }, 'pickup'],
    [{ platform: 'sit_in' }, 'here'],
    [{ platform: 'kiosk_sit_in', pickup: true }, 'here'],
    [{ table_name: '12' }, 'here'],
  ])('%o is handed over: %s', (part, how) => expect(fulfilment(order(part))).toBe(how));

  it('is paid when nothing is due, or its online payment made it an order', () => {
    const online = {
      id: 'm',
      payment_key: 'card_online',
      payment_type: 'card_online',
      name: 'Online',
      name_en: 'Online',
      paid_online: true,
    };
    expect(isPaid(order())).toBe(false);
    expect(isPaid(order({ payment_method: online }))).toBe(true);
    expect(isPaid(order({ payment_method: online, status: 'received' }))).toBe(false);
    expect(isPaid(order({ due: 0 }))).toBe(true);
    expect(isPaid(order({ due: -500 }))).toBe(true);
  });

  it('writes names and addresses as the language does', () => {
    const guest = { first_name: 'Réka', last_name: 'Kovács' };
    expect(guestName(guest, 'hu')).toBe('Kovács Réka');
    expect(guestName(guest, 'en')).toBe('Réka Kovács');
    expect(guestName({ first_name: ' ', last_name: null }, 'hu')).toBe('');
    const address = {
      city: 'Budapest',
      postcode: '1061',
      street: 'Szív utca',
      premise_number: '14',
      floor: '2',
      doorbell: 'Kovács',
      door_number: 'fszt. 1.',
    };
    expect(addressLine(address, 'hu')).toBe('1061 Budapest, Szív utca 14');
    expect(addressLine(address, 'en')).toBe('Szív utca 14, 1061 Budapest');
    expect(addressDetails(address)).toEqual([
      { key: 'floor', value: '2', bare: true },
      { key: 'door_number', value: 'fszt. 1.', bare: false },
      { key: 'doorbell', value: 'Kovács', bare: true },
    ]);
    expect(mapUrl(address)).toBe(
      'https://www.openstreetmap.org/search?query=Sz%C3%ADv+utca+14+1061+Budapest',
    );
  });

  it('names an item as the service does', () => {
    const item = { name: 'Gulyás, Nagy', name_sec_lang: 'Goulash, Nagy' };
    expect(itemName(item)).toBe('Gulyás, Nagy');
    expect(itemName(item, true)).toBe('Goulash, Nagy');
    expect(itemName({ name: 'Gulyás' }, true)).toBe('Gulyás');
  });

  it('explains the total as the service does', () => {
    const lines = [
      { step: 'item', ref: 's1', amount: 8270 },
      { step: 'gift', ref: 's2', amount: 780 },
      { step: 'discount', ref: 'd1', amount: -1780 },
      { step: 'discount', ref: 'd2', amount: -100 },
      { step: 'deposit', ref: null, amount: 50 },
    ];
    const promotions = [
      { promotion_id: 'd1', name: 'Ebéd', discount_type: 'discount', code: null, amount: 1780 },
    ];
    expect(priceRows(order({ lines, promotions }))).toEqual([
      { step: 'discount', amount: -1780, name: 'Ebéd' },
      { step: 'discount', amount: -100 },
      { step: 'deposit', amount: 50 },
    ]);
  });

  it('explains the total without rows of nothing', () => {
    expect(priceRows(order())).toEqual([{ step: 'products', amount: 9050 }]);
    expect(priceRows(order({ delivery_price: 690, courier_tip: 200 })).map((row) => row.step)).toEqual([
      'products',
      'delivery_fee',
      'courier_tip',
    ]);
    expect(
      priceRows(order({ discount_price: 1000, original_price: 10_050, delivery_price: 690 })).slice(0, 2),
    ).toEqual([
      { step: 'original', amount: 10_050 },
      { step: 'discount', amount: '-1000' },
    ]);
  });
});
