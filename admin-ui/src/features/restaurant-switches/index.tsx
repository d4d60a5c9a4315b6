import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { restaurantFeaturesUpdate } from '../../generated/client/platform/platform';
import { fields } from '../../generated/fields/restaurant_switches.gen';
import type { Feature, RestaurantSwitches } from '../../generated/model';
import {
  type Column,
  FormDrawer,
  type Layout,
  ResourceList,
  type Row,
  useResourceForm,
} from '../../lib/crud';
import { useAtOnce } from '../../lib/crud/useAtOnce';
import type { FieldInfo, Fields } from '../../lib/fields/kinds';
import { NoEffect } from '../../lib/fields/NoEffect';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useForget } from '../../lib/query';
import { NtakCategorySelect } from '../ntak-categories/NtakCategorySelect';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';

const listFields = {
  name: { kind: 'text', readonly: true },
  partner_name: { kind: 'text', readonly: true },
  city: { kind: 'text', readonly: true },
} satisfies Fields;
const columns: Column[] = [{ key: 'name' }, { key: 'partner_name' }, { key: 'city' }];
const layout: Layout = [
  { title: 'restaurant_switches.kitchen', fields: [['enable_kitchen_queue', 'autoqueue']] },
  {
    title: 'restaurant_switches.till',
    fields: [
      ['floor_map', 'lct_enabled'],
      ['offline_backend_enabled', 'save_to_aws'],
    ],
  },
  {
    title: 'restaurant_switches.ordering',
    fields: [
      ['is_courier_tip_available', 'is_loyalty_card_available'],
      'sandbox_payment',
      'delivery_method',
      'system_usage_fee',
    ],
  },
  { title: 'restaurant_switches.ntak', fields: [['ntak_category_id', 'ntak_quantity_unit']] },
];

/**
 * What only super admins set at a restaurant: the list of all, and behind a row its switches and features.
 */
export default function RestaurantSwitchesPage() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  return (
    <>
      <ResourceList
        resource="platform_restaurants"
        fields={listFields}
        lead={t('restaurant_switches.lead')}
        columns={columns}
        href={(row) => url('restaurant_switches', row.id) + location.search}
        onOpen={(row) => open(row.id)}
      />
      {path[0] && <Editor key={path[0]} id={path[0]} onClose={() => open()} />}
    </>
  );
}

function Editor({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const state = useResourceForm({
    resource: 'restaurant_switches',
    fields,
    id,
    params: { restaurant_id: id },
  });
  const forget = useForget();
  const name = String(state.row?.name ?? '');
  return (
    <FormDrawer
      state={state}
      resource="restaurant_switches"
      fields={fields}
      layout={layout}
      overrides={{ ntak_category_id: { input: <NtakCategorySelect /> } }}
      title={name || t('state.loading')}
      onClose={onClose}
      extra={
        <SettingsHistoryButton
          group="features"
          restaurant={id}
          onRestored={() => void forget(['restaurant_switches'])}
        />
      }
    >
      {state.row && <Features key={String(state.row.version)} row={state.row} />}
    </FormDrawer>
  );
}

/**
 * Features take effect one by one, each with its own call: they are no part of the form below which they
 * stand.
 */
function Features({ row }: { row: Row }) {
  const { t } = useTranslation();
  const { noEffect }: FieldInfo = fields.features;
  const forget = useForget();
  const [features, setFeatures] = useState(() => (row as unknown as RestaurantSwitches).features);
  const { saving, change } = useAtOnce(async (next: Feature[]) => {
    await restaurantFeaturesUpdate(row.id!, { features: next });
    setFeatures(next);
    void forget(['restaurant_switches']);
  });
  return (
    <fieldset className="field-group">
      <legend>{t('restaurant_features.features')}</legend>
      <p className="field-lead">{t('restaurant_switches.features_text')}</p>
      {noEffect && (
        <p className="field-lead">
          <NoEffect
            of={noEffect}
            what={(noEffect.values ?? [])
              .map((value) => t(`restaurant_features.features.${value}`))
              .join(', ')}
          />
        </p>
      )}
      <Checkbox.Group
        disabled={saving}
        value={features}
        options={fields.features.options.map((value) => ({
          value,
          label: t(`restaurant_features.features.${value}`),
        }))}
        onChange={(next) => void change(next as Feature[], features, t('restaurant_switches.features_saved'))}
      />
    </fieldset>
  );
}
