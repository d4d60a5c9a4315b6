import { fields } from '../../generated/fields/kiosks.gen';
import { ResourcePage } from '../../lib/crud';

/**
 * Kiosks with their PINs. Who holds the key edits them; an empty PIN
 * is made.
 */
export default function Kiosks() {
  return (
    <ResourcePage
      resource="kiosks"
      fields={fields}
      columns={['name', 'pin']}
      form={['name', 'pin']}
      history
      toBody={({ pin, ...body }) => (pin ? { ...body, pin } : body)}
    />
  );
}
