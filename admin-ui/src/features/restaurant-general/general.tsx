import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurants_general.gen';
import { type FormBodyProps, type Layout, type Settings, useSettings } from '../../lib/crud';
import { useCanDo } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { useRestaurant } from '../../lib/target';
import { VatSelect } from '../vats/VatSelect';
import { countries, currencies, zones } from './choices';
import { PlaceOnMap } from './PlaceOnMap';

/** The groups of fields; the guide for a new restaurant shows some of them, a step each. */
export const GROUPS = {
  identity: { title: 'restaurants_general.identity', fields: ['name', 'domain'] },
  contact: { title: 'restaurants_general.contact', fields: [['contact_email', 'phone_1']] },
  address: {
    title: 'restaurants_general.address',
    fields: [
      ['country', 'state_province_county'],
      ['postcode', 'city'],
      ['street', 'premise_number'],
    ],
  },
  locale: {
    title: 'restaurants_general.locale',
    fields: [
      ['timezone', 'currency'],
      ['primary_language', 'secondary_language'],
    ],
  },
  vat: { title: 'restaurants_general.vat', fields: [['vat_id', 'sit_in_vat_id'], 'delivery_vat_id'] },
} satisfies Record<string, Layout[number]>;

/** The form of the general settings, with what its fields need beyond the document. */
export function useGeneral(): {
  state: Settings;
  overrides: NonNullable<FormBodyProps['overrides']>;
  placeOnMap: Layout[number];
} {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { currency } = useRestaurant();
  const may = useCanDo()('restaurants_general', 'update');
  const state = useSettings({
    resource: 'restaurants_general',
    fields,
    // Degrees are plain numbers, unlike money.
    toBody: (body) => {
      const degrees = (value: unknown) => (value === null ? null : Number(value));
      // Both coordinates are sent, because the service takes a pin whole.
      const moved = 'coord_lat' in body || 'coord_lng' in body;
      const { coord_lat, coord_lng } = state.form.getFieldsValue(true) as Record<string, unknown>;
      return moved
        ? { ...body, coord_lat: degrees(coord_lat ?? null), coord_lng: degrees(coord_lng ?? null) }
        : body;
    },
  });
  const search = { optionFilterProp: 'label' };
  const both: NonNullable<FormBodyProps['overrides']>[string] = {
    unit: '°',
    rules: [
      ({ getFieldsValue }) => ({
        validator: async (_, value) => {
          const set = Object.values(getFieldsValue(['coord_lat', 'coord_lng']) as object).filter(
            (one) => one !== null && one !== undefined && one !== '',
          );
          if (set.length === 1 && (value === null || value === undefined || value === ''))
            throw new Error(t('form.required'));
        },
      }),
    ],
  };
  return {
    state,
    overrides: {
      country: { input: <Select showSearch={search} options={countries(language)} /> },
      timezone: { input: <Select showSearch={search} options={zones()} /> },
      currency: { input: <Select options={currencies(t, currency)} /> },
      contact_email: { rules: [{ type: 'email', message: t('form.email') }] },
      vat_id: { input: <VatSelect /> },
      sit_in_vat_id: { input: <VatSelect /> },
      delivery_vat_id: { input: <VatSelect /> },
      coord_lat: both,
      coord_lng: both,
      secondary_language: {
        rules: [
          ({ getFieldValue }) => ({
            validator: async (_, value) => {
              if (value && value === getFieldValue('primary_language'))
                throw new Error(t('restaurants_general.same_language'));
            },
          }),
        ],
      },
    },
    placeOnMap: {
      title: 'restaurants_general.place',
      lead: t('place.lead'),
      fields: [['coord_lat', 'coord_lng']],
      extra: <PlaceOnMap form={state.form} changed={state.changed} disabled={!may || state.saving} />,
    },
  };
}
