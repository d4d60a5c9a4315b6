import type { BillingDetails, Me, PersonAddress } from '../../generated/model';
import type { Faults } from '../../lib/form/useDraft';

/** Fields of an address with their longest text, in the order of the form. */
export const ADDRESS = {
  country: 2,
  state_province_county: 100,
  postcode: 16,
  city: 100,
  street: 100,
  premise_number: 20,
  building: 20,
  floor: 20,
  door_number: 20,
  doorbell: 40,
  address_notes: 500,
} as const;
export type AddressField = keyof typeof ADDRESS;
export const ADDRESS_FIELDS = Object.keys(ADDRESS) as AddressField[];
export const REQUIRED: ReadonlySet<AddressField> = new Set([
  'country',
  'postcode',
  'city',
  'street',
  'premise_number',
]);
export type Address = Record<AddressField, string>;

export interface Billing {
  company_name: string;
  tax_num: string;
  contact_email: string;
  address: Address;
}

/** Time zone, billing details and addresses as a form holds them; an empty zone is none. */
export interface Details {
  timezone: string;
  billing_details: Billing | null;
  addresses: Address[];
}

const addressOf = (row: Partial<PersonAddress>): Address =>
  Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, row[field] ?? ''])) as Address;
export const freshAddress = (): Address => addressOf({ country: 'HU' });
export const freshBilling = (): Billing => ({
  company_name: '',
  tax_num: '',
  contact_email: '',
  address: freshAddress(),
});
const billingOf = (row: BillingDetails): Billing => ({
  company_name: row.company_name,
  tax_num: row.tax_num ?? '',
  contact_email: row.contact_email ?? '',
  address: addressOf(row.address),
});

export const NO_DETAILS: Details = { timezone: '', billing_details: null, addresses: [] };
export const detailsOf = (row: Pick<Me, 'timezone' | 'billing_details' | 'addresses'>): Details => ({
  timezone: row.timezone ?? '',
  billing_details: row.billing_details ? billingOf(row.billing_details) : null,
  addresses: row.addresses.map(addressOf),
});

const trimmed = <T extends object>(texts: T): T =>
  Object.fromEntries(
    Object.entries(texts).map(([field, text]) => [
      field,
      typeof text === 'string' ? text.trim() : trimmed(text as object),
    ]),
  ) as T;

/** All of it, as the service names it. */
export const detailsBody = ({ timezone, billing_details, addresses }: Details) => ({
  timezone: timezone || null,
  billing_details: billing_details && trimmed(billing_details),
  addresses: addresses.map(trimmed),
});

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const addressFaults = (path: string, address: Address): [string, string][] =>
  ADDRESS_FIELDS.filter((field) => REQUIRED.has(field) && !address[field].trim()).map((field) => [
    `${path}.${field}`,
    'form.required',
  ]);

/** Keys of texts by the path of the field. */
export function detailsFaults({ billing_details: billing, addresses }: Details): Faults {
  const faults: [string, string][] = [];
  if (billing) {
    const { company_name, tax_num, contact_email, address } = trimmed(billing);
    if (company_name.length < 3) faults.push(['billing_details.company_name', 'details.name_short']);
    if (tax_num && (tax_num.length < 8 || !/^\d+(-\d+)*$/.test(tax_num)))
      faults.push(['billing_details.tax_num', 'details.tax_num_format']);
    if (contact_email && !EMAIL.test(contact_email))
      faults.push(['billing_details.contact_email', 'form.email']);
    faults.push(...addressFaults('billing_details.address', address));
  }
  // In the order of the page: the first one gets the focus.
  addresses.forEach((address, at) => faults.push(...addressFaults(`addresses.${at}`, address)));
  return Object.fromEntries(faults);
}
