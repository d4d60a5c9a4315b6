import { fields } from '../../generated/fields/{{many}}.gen';
{{?nested}}
import { NestedPage } from '../../lib/crud';
{{/}}
{{?!nested}}
import { ResourcePage } from '../../lib/crud';
{{/}}

/** A plain resource: everything comes from the document; only order and groups are chosen here. */
export default function {{Many}}() {
  return (
{{?nested}}
    <NestedPage
      parent="{{parent_many}}"
      parentId="{{parent_one}}_id"
{{/}}
{{?!nested}}
    <ResourcePage
{{/}}
      resource="{{many}}"
      fields={fields}
      columns={['name', 'kind', 'price', '{{ref_id}}', 'active']}
      filters={['active', 'kind']}
      form={['name', ['kind', 'price'], '{{ref_id}}', 'active']}
      initial={{ active: true }}
    />
  );
}
