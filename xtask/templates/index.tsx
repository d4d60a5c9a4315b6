import { fields } from '../../generated/fields/{{many}}.gen';
import { ResourcePage } from '../../lib/crud';

/** A plain resource: everything comes from the document; only order and groups are chosen here. */
export default function {{Many}}() {
  return (
    <ResourcePage
      resource="{{many}}"
      fields={fields}
      columns={['name', 'kind', 'price', '{{ref_id}}', 'active']}
      filters={['active', 'kind']}
      form={['name', ['kind', 'price'], '{{ref_id}}', 'active']}
      initial={{ active: true }}
    />
  );
}
