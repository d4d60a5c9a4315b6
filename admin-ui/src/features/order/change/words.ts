import { useTranslation } from 'react-i18next';
import type { OrderDeliveryData } from '../../../generated/model';
import { type Amount, useFormat } from '../../../lib/format';
import { addressDetails, addressLine } from '../model';
import { usePaymentWords } from '../payments/words';
import { formatPhone } from '../phone';

const PRICES = ['delivery_price', 'courier_tip', 'total_price'];
/** The order in which fields are told; the prices that follow stand at the end. */
const TOLD = [
  'last_name',
  'first_name',
  'phone_1',
  'email',
  'pickup',
  'delivery_data',
  'coordinates',
  'delivery_region_id',
  'delivery_override_reason',
  'expected_at',
  'payment_method_id',
  'pays_with',
  'message',
  'courier_id',
  ...PRICES,
];

/** Several fields are one thing to who reads it. */
const SAME: Readonly<Record<string, string>> = {
  first_name: 'name',
  last_name: 'name',
  coordinates: 'place',
};
/** Why it is delivered anyway is no news for who cooks or brings it. */
const UNTOLD = 'delivery_override_reason';

/** What was changed, each thing once, by the keys of its texts. */
export const thingsOf = (fields: readonly string[]): string[] => [
  ...new Set(
    fields
      .filter((field) => field !== UNTOLD)
      .toSorted((a, b) => TOLD.indexOf(a) - TOLD.indexOf(b))
      .map((field) => SAME[field] ?? field),
  ),
];

export interface Told {
  field: string;
  before: string;
  after: string;
}

/** What a change is about, in words. */
export function useChangeLabels() {
  const { t } = useTranslation();
  const label = (thing: string) => (thing === 'email' ? t('order.email') : t(`order.change_of_${thing}`));
  return {
    label,
    /** What was changed: `Name, address`. */
    things: (fields: readonly string[]) => thingsOf(fields).map(label).join(', '),
  };
}

/** Changes of orders in words, with their values. */
export function useChangeWords() {
  const { t } = useTranslation();
  const labels = useChangeLabels();
  const { money, dateTime, language } = useFormat();
  const { method } = usePaymentWords();
  const address = (value: OrderDeliveryData) => {
    const details = addressDetails(value).map(({ key, value: text, bare }) =>
      bare ? t(`order.address_${key}`, { value: text }) : text,
    );
    return [addressLine(value, language), ...details, value.address_notes].filter(Boolean).join(' · ');
  };
  const value = (field: string, of: unknown): string => {
    if (field === 'expected_at') return of ? dateTime(of as string) : t('order.change_asap');
    if (of === null || of === undefined) return t('order.change_none');
    if (field === 'pays_with' || PRICES.includes(field)) return money(of as Amount);
    switch (field) {
      case 'pickup':
        return t(of ? 'order.pickup' : 'order.change_brought');
      case 'delivery_data':
        return address(of as OrderDeliveryData);
      case 'coordinates':
        return (of as number[]).map((degrees) => degrees.toFixed(5)).join(', ');
      case 'payment_method_id':
        return method(of as string);
      case 'phone_1':
        return formatPhone(of as string);
      default:
        return String(of);
    }
  };
  return {
    ...labels,
    /** Old and new value of each field. */
    told: (changes: unknown): Told[] => {
      if (typeof changes !== 'object' || changes === null) return [];
      const pairs = Object.entries(changes as Record<string, [unknown, unknown]>);
      return pairs
        .toSorted(([a], [b]) => TOLD.indexOf(a) - TOLD.indexOf(b))
        .map(([field, [before, after]]) => ({
          field,
          before: value(field, before),
          after: value(field, after),
        }));
    },
  };
}
