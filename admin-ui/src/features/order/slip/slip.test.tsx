import { render } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import en from '../en';
import hu from '../hu';
import { sampleOrder } from '../sample.test-data';
import { printSlip, slipLanguage } from './print';
import { GuestSlip, KitchenSlip, type SlipRestaurant } from './Slip';

const restaurant: SlipRestaurant = {
  name: 'Kispiac Bisztró',
  timezone: 'Europe/Budapest',
  currency: 'huf',
  primary_language: 'hu',
  postcode: '1055',
  city: 'Budapest',
  street: 'Hold utca',
  premise_number: '13',
  phone_1: '+3612345678',
};
const now = new Date('2026-11-20T11:05:00Z');
const accepted = sampleOrder({ expected_at: '2026-11-20T11:30:00Z', message: 'Csengő nem működik' });
/** Texts with plain spaces, as people read them. */
const textOf = (node: Element) => node.textContent!.replace(/[\u00a0\u202f]/g, ' ');

beforeAll(async () => {
  await i18next.init({
    lng: 'hu',
    resources: { hu: { translation: hu }, en: { translation: en } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});

describe('the kitchen slip', () => {
  it('shows items, options and time, and no prices', () => {
    const { container } = render(
      <KitchenSlip order={accepted} restaurant={restaurant} language="hu" now={now} />,
    );
    const text = textOf(container);
    for (const part of [
      'A-012',
      'Kiszállítás · Weboldal',
      '12:20–12:40',
      '2×Csirkepaprikás, Nagy',
      '+ 2× Tejföl',
      'kapor nélkül',
      'Csengő nem működik',
      'Kovács Réka',
      'Rendelve: 11:58',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Ft');
    expect(container.querySelectorAll('.slip-remark')).toHaveLength(2);
  });

  it('marks tests and preorders, and names the table', () => {
    const order = sampleOrder({
      is_test: true,
      is_preorder: true,
      table_name: '12',
      expected_at: '2026-11-21T11:30:00Z',
    });
    const text = textOf(
      render(<KitchenSlip order={order} restaurant={restaurant} language="hu" now={now} />).container,
    );
    for (const part of ['TESZT', 'ELŐRENDELÉS 2026/11/21', 'Asztal: 12']) expect(text).toContain(part);
  });

  it('has the pieces that are left after some were taken back', () => {
    const [chicken, soda] = accepted.items;
    const items = [
      { ...chicken!, reversed_quantity: 1 },
      { ...soda!, reversed_quantity: 2 },
    ];
    const order = sampleOrder({ items, reversed_price: -4915 });
    const kitchen = render(<KitchenSlip order={order} restaurant={restaurant} language="hu" now={now} />);
    expect(textOf(kitchen.container)).toContain('1×Csirkepaprikás');
    expect(textOf(kitchen.container)).not.toContain('Szódavíz');
    const guest = render(<GuestSlip order={order} restaurant={restaurant} language="hu" now={now} />);
    expect(textOf(guest.container)).toMatch(/Visszavéve-4 915 Ft.*Összesen4 135 Ft/);
  });

  it('has no time to promise before it is accepted', () => {
    expect(
      textOf(
        render(<KitchenSlip order={sampleOrder()} restaurant={restaurant} language="en" now={now} />)
          .container,
      ),
    ).toContain('As soon as possible');
  });
});

describe('the guest slip', () => {
  it('shows restaurant, guest, items, sums and VAT in Hungarian', () => {
    const text = textOf(
      render(<GuestSlip order={accepted} restaurant={restaurant} language="hu" now={now} />).container,
    );
    for (const part of [
      'Kispiac Bisztró',
      '1055 Budapest, Hold utca 13',
      '+36 1 234 5678',
      'Kovács Réka',
      '1061 Budapest, Szív utca 14',
      '2× Csirkepaprikás, Nagy',
      '+ Tejföl (1 160 Ft)',
      '2× 4 135 Ft',
      'Összesen9 050 Ft',
      'Készpénz · Fizetendő',
      '27 %6 512 Ft1 758 Ft8 270 Ft',
      '5 %743 Ft37 Ft780 Ft',
      'Köszönjük',
      'Nem adóügyi bizonylat',
      'Érkezik: 2026/11/20 12:20–12:40',
    ])
      expect(text).toContain(part);
  });

  it('has the cash that was announced, with its change, as long as it is enough', () => {
    const text = (change_due: number | null) =>
      textOf(
        render(
          <GuestSlip
            order={sampleOrder({ pays_with: 20000, change_due })}
            restaurant={restaurant}
            language="hu"
            now={now}
          />,
        ).container,
      );
    expect(text(10950)).toContain('Mivel fizet20 000 FtVisszajáró10 950 Ft');
    expect(text(null)).not.toContain('Mivel fizet');
  });

  it('shows the VAT that partial stornos left', () => {
    const order = sampleOrder({
      ...accepted,
      reversed_price: -780,
      vats_left: [{ percent: 27, net: 6512, vat: 1758, gross: 8270 }],
    });
    const text = textOf(
      render(<GuestSlip order={order} restaurant={restaurant} language="hu" now={now} />).container,
    );
    expect(text).toContain('27 %6 512 Ft1 758 Ft8 270 Ft');
    expect(text).not.toContain('5 %');
  });

  it('uses the menu’s second language for guests who ordered in it', () => {
    const text = textOf(
      render(<GuestSlip order={accepted} restaurant={restaurant} language="en" now={now} />).container,
    );
    for (const part of [
      '2× Chicken paprikash, Large',
      '+ Sour cream (1,160 Ft)',
      'Réka Kovács',
      'Szív utca 14, 1061 Budapest',
      'Total9,050 Ft',
      'Thank you',
    ])
      expect(text).toContain(part);
  });

  it('shows fees and discount as the order has them', () => {
    const order = sampleOrder({ discount_price: 1000, original_price: 10_050, tip: 500, total_price: 9550 });
    const text = textOf(
      render(<GuestSlip order={order} restaurant={restaurant} language="hu" now={now} />).container,
    );
    for (const part of ['listaáron10 050 Ft', 'Kedvezmény-1 000 Ft', 'Borravaló500 Ft', 'Összesen9 550 Ft'])
      expect(text).toContain(part);
  });
});

describe('printing', () => {
  afterEach(() => {
    document.querySelectorAll('#slip').forEach((node) => node.remove());
    document.adoptedStyleSheets = [];
  });

  it('the kitchen reads the interface’s language, the guest his own', () => {
    expect(slipLanguage('kitchen', { locale: 'en' }, 'hu')).toBe('hu');
    expect(slipLanguage('guest', { locale: 'en' }, 'hu')).toBe('en');
    expect(slipLanguage('guest', { locale: 'de' }, 'hu')).toBe('hu');
  });

  it('puts one slip on a page of 80 mm, and takes it away afterwards', async () => {
    const printed: (string | undefined)[] = [];
    vi.stubGlobal('print', () =>
      printed.push(
        ...[...document.querySelectorAll('#slip article')].map(() => document.documentElement.dataset.slip),
      ),
    );
    await printSlip('kitchen', sampleOrder(), restaurant, 'hu');
    await printSlip('guest', accepted, restaurant, 'hu');
    expect(printed).toEqual(['kitchen', 'guest']);
    expect(document.adoptedStyleSheets).toHaveLength(1);
    vi.useFakeTimers();
    dispatchEvent(new Event('afterprint'));
    vi.advanceTimersByTime(1000);
    expect(document.querySelector('#slip')).toBeNull();
    expect(document.documentElement.dataset.slip).toBeUndefined();
    expect(document.adoptedStyleSheets).toHaveLength(0);
  });
});
