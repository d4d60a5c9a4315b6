import { render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import {
  ADDRESS_FIELDS,
  type Details,
  detailsBody,
  detailsFaults,
  detailsOf,
  freshAddress,
  freshBilling,
  NO_DETAILS,
} from './details';
import { DetailsFields } from './DetailsFields';

const address = {
  ...freshAddress(),
  postcode: '6720',
  city: 'Szeged',
  street: 'Fő tér',
  premise_number: '1',
};
const billing = { ...freshBilling(), company_name: 'Mintafalat Kft.', address };

describe('details', () => {
  it('what the service answers is sent back unchanged', () => {
    const row = { timezone: 'Europe/Budapest', billing_details: billing, addresses: [address] };
    expect(detailsBody(detailsOf(row))).toEqual(row);
    expect(detailsBody(NO_DETAILS)).toEqual({ timezone: null, billing_details: null, addresses: [] });
    expect(
      detailsBody({ ...NO_DETAILS, addresses: [{ ...address, city: ' Vác ' }] }).addresses[0]!.city,
    ).toBe('Vác');
  });
  it('names what is missing by its field, in the order of the page', () => {
    expect(detailsFaults(NO_DETAILS)).toEqual({});
    expect(detailsFaults({ ...NO_DETAILS, billing_details: billing, addresses: [address] })).toEqual({});
    expect(
      Object.keys(
        detailsFaults({
          timezone: '',
          billing_details: { ...billing, company_name: 'Mi', tax_num: '1234567', contact_email: 'nem' },
          addresses: [address, freshAddress()],
        }),
      ),
    ).toEqual([
      'billing_details.company_name',
      'billing_details.tax_num',
      'billing_details.contact_email',
      'addresses.1.postcode',
      'addresses.1.city',
      'addresses.1.street',
      'addresses.1.premise_number',
    ]);
  });
  it('shows each field of each address', () => {
    function Form() {
      const [value, setValue] = useState<Details>({
        timezone: '',
        billing_details: billing,
        addresses: [address],
      });
      return <DetailsFields value={value} set={(change) => setValue({ ...value, ...change })} />;
    }
    render(<Form />);
    for (const field of ADDRESS_FIELDS)
      expect(screen.getAllByLabelText(`details.${field}`, { exact: false }).length).toBe(2);
  });
});
