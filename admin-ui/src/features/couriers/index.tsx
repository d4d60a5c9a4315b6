import { fields } from '../../generated/fields/couriers.gen';
import { ResourcePage } from '../../lib/crud';

/** The plain resource: everything comes from the document; only order and groups are chosen here. */
export default function Couriers() {
  return (
    <ResourcePage
      resource="couriers"
      fields={fields}
      columns={['name', 'phone_1', 'vehicle', 'active']}
      filters={['active', 'vehicle']}
      form={[['last_name', 'first_name'], 'phone_1', 'vehicle', 'note', 'active']}
      initial={{ active: true }}
    />
  );
}
