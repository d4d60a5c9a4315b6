import { useTranslation } from 'react-i18next';
import { type AddressValues, LONGEST, NEEDED } from '../customers/shared/address';
import { TextField } from './fields';

type Name = keyof AddressValues;

/** The order in which one says an address; those of a line stand beside each other. */
const LINES: readonly (readonly Name[])[] = [
  ['postcode', 'city'],
  ['street', 'premise_number'],
  ['building', 'floor', 'door_number', 'doorbell'],
  ['address_notes'],
];

interface Props {
  address: AddressValues;
  onChange: (name: Name, text: string) => void;
}

/** The fields of an address, under `address.<name>`. */
export function AddressFields({ address, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <div className="phone-address">
      {LINES.map((names) => (
        <div className="phone-line" data-names={names.join(' ')} key={names[0]}>
          {names.map((name) => (
            <TextField
              key={name}
              path={`address.${name}`}
              label={t(`phone_orders.address_${name}`)}
              required={NEEDED.includes(name)}
              maxLength={LONGEST[name]}
              value={address[name]}
              onChange={(text) => onChange(name, text)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
