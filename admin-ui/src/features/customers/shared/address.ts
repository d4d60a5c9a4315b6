import { type Body, optional } from '../../../lib/form/body';

/** An address as it is edited; an empty text is none. The names are those of an order's address. */
export interface AddressValues {
  name: string;
  country: string;
  state_province_county: string;
  postcode: string;
  city: string;
  street: string;
  premise_number: string;
  building: string;
  floor: string;
  door_number: string;
  doorbell: string;
  address_notes: string;
}
type Field = keyof AddressValues;

/** Fields that an address must have; the others may be empty. */
export const NEEDED: readonly Field[] = ['city', 'street', 'premise_number'];

/** The longest text of each field. */
export const LONGEST: Readonly<Record<Field, number>> = {
  name: 60,
  country: 60,
  state_province_county: 100,
  postcode: 20,
  city: 100,
  street: 100,
  premise_number: 30,
  building: 30,
  floor: 30,
  door_number: 30,
  doorbell: 30,
  address_notes: 500,
};
export const ADDRESS_FIELDS = Object.keys(LONGEST) as Field[];

/** The values of an address, or of a new one. */
export const addressValues = (row?: Partial<Record<Field, string | null>>): AddressValues =>
  Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, row?.[field] ?? ''])) as unknown as AddressValues;

/** What is sent of these fields. */
export const addressBody = (values: Partial<AddressValues>): Body =>
  Object.fromEntries(
    (Object.entries(values) as [Field, string][]).map(([field, text]) => [
      field,
      NEEDED.includes(field) ? text.trim() : optional(text),
    ]),
  );
