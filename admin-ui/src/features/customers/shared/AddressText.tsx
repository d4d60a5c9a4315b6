import { useTranslation } from 'react-i18next';
import type { ShadowCustomerAddress } from '../../../generated/model';
import { useFormat } from '../../../lib/format';
import { addressDetails, addressLine } from '../../order/model';

/** An address in lines: what the customer calls it, where it is, how one gets in, what was noted. */
export function AddressText({ address }: { address: ShadowCustomerAddress }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const details = addressDetails(address).map(({ key, value }) =>
    t(`shadow_customers.addresses.short_${key}`, { value }),
  );
  return (
    <span className="customer-address">
      {address.name && <b>{address.name}</b>}
      <span>{addressLine(address, language)}</span>
      {details.length > 0 && <span className="edit-help">{details.join(' · ')}</span>}
      {address.address_notes && <span className="edit-help">{address.address_notes}</span>}
    </span>
  );
}
