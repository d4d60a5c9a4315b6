import { useEffect } from 'react';
import { fields as legal } from '../../generated/fields/legal_file.gen';
import { FormBody, type FormBodyProps, type Layout, type Settings, useSettings } from '../../lib/crud';
import { useMe } from '../../lib/me';
import { useRestaurant } from '../../lib/target';
import { GROUPS, useGeneral } from '../restaurant-general/general';
import type { StepProps } from './stepProps';

export const saved = async (state: Settings) => !state.dirty || (await state.save()) !== undefined;
const CONTACT: Layout = [{ title: 'restaurants_general.identity', fields: ['name'] }, GROUPS.contact];
const COMPANY: Layout = [{ title: 'legal_file.company', fields: ['company_name', 'tax_num', 'address'] }];

export function Part({
  state,
  layout,
  overrides,
}: { state: Settings } & Pick<FormBodyProps, 'layout' | 'overrides'>) {
  return (
    <FormBody
      state={state}
      resource={state.resource}
      fields={state.fields}
      layout={layout}
      overrides={overrides}
    />
  );
}

/**
 * Offers what is known already in a field that is empty. An offer alone is no change: whoever passes over the
 * step neither saves it nor is asked about it.
 */
function useOffer(state: Settings, name: string, known: string | undefined): void {
  const { form } = state;
  const loaded = state.row !== undefined;
  useEffect(() => {
    if (loaded && known && !form.getFieldValue(name)) form.setFieldValue(name, known);
  }, [form, loaded, name, known]);
}

/** Who the restaurant is, how it is reached, and which company stands behind it. */
export function IdentityStep({ onSave }: StepProps) {
  const general = useGeneral();
  const company = useSettings({ resource: 'legal_file', fields: legal });
  const me = useMe();
  const { partner_id } = useRestaurant();
  // Who supports a partner has no place there, and an address that its guests are not to get.
  const at = me.targets.find((one) => one.partner_id === partner_id);
  useOffer(general.state, 'contact_email', at?.admin_id ? me.email : undefined);
  useOffer(company, 'company_name', at?.partner_name);
  onSave(async () => (await saved(general.state)) && saved(company));
  const required = (name: 'company_name' | 'tax_num' | 'address') => ({
    info: { ...legal[name], required: true },
  });
  return (
    <>
      <Part state={general.state} layout={CONTACT} overrides={general.overrides} />
      <Part
        state={company}
        layout={COMPANY}
        overrides={{
          company_name: required('company_name'),
          tax_num: required('tax_num'),
          address: required('address'),
        }}
      />
    </>
  );
}

/** Where it is. */
export function AddressStep({ onSave }: StepProps) {
  const { state, overrides, placeOnMap } = useGeneral();
  onSave(() => saved(state));
  return <Part state={state} layout={[GROUPS.address, placeOnMap]} overrides={overrides} />;
}
