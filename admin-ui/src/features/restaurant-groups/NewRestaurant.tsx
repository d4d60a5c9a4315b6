import { useList } from '@refinedev/core';
import { Form, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { restaurantsCreate } from '../../generated/client/restaurants/restaurants';
import {
  MenuLanguage,
  type NewRestaurant as Body,
  type Restaurant,
  type RestaurantGroup,
  type RestaurantShort,
} from '../../generated/model';
import { ActionDrawer, useInputForm } from '../../lib/crud';
import { changes } from '../../lib/form/body';
import { useTextRules } from '../../lib/form/useTextRules';
import { useRestaurants } from '../../lib/restaurants';
import { useRestaurant } from '../../lib/target';
import { zones } from '../restaurant-general/choices';

/** A restaurant more in the company; its settings follow on its own screens. */
export function NewRestaurant({
  onDone,
  onClose,
}: {
  onDone: (restaurant: Restaurant) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { restaurant_group_id, partner_id } = useRestaurant();
  const others = useRestaurants('', true).rows?.filter((row) => row.partner_id === partner_id) ?? [];
  const { result } = useList<RestaurantGroup>({ resource: 'restaurant_groups', pagination: { mode: 'off' } });
  const usual = usualOf(firstOf(others));
  const action = useInputForm<Body, Restaurant>({
    initial: { restaurant_group_id },
    send: ({ timezone, primary_language, ...body }, key) => {
      const chosen = {
        timezone: timezone ?? usual.timezone,
        primary_language: primary_language ?? usual.primary_language,
      };
      // A language that is named comes without the company's second one.
      const other = changes(usual, chosen);
      return restaurantsCreate(partner_id, { ...body, ...other }, { headers: { 'Idempotency-Key': key } });
    },
    onDone: (restaurant) => onDone(restaurant),
  });
  const copied = Form.useWatch('copy_from', action.form);
  const groupId = Form.useWatch('restaurant_group_id', action.form);
  const group = groupId ? result.data.find((row) => row.id === groupId) : firstOf(result.data);
  const { filled, max } = useTextRules();
  return (
    <ActionDrawer
      action={action}
      title={t('restaurant_groups.new_restaurant')}
      verb={t('action.save')}
      onClose={onClose}
    >
      <Form.Item name="name" label={t('field.name')} rules={[filled, max(100)]} validateTrigger="onBlur">
        <Input autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="copy_from"
        label={t('restaurant_groups.copy_from')}
        extra={t('restaurant_groups.copy_from_help')}
      >
        <Select
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('restaurant_groups.copy_nothing')}
          options={others.map((row) => ({ value: row.id, label: row.name }))}
        />
      </Form.Item>
      <Form.Item name="restaurant_group_id" label={t('restaurant_groups.group')}>
        <Select options={result.data.map((row) => ({ value: row.id, label: row.name }))} />
      </Form.Item>
      <div className="field-line">
        <Form.Item name="postcode" label={t('restaurant_groups.postcode')} rules={[max(16)]}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="city" label={t('restaurant_groups.city')} rules={[max(100)]}>
          <Input autoComplete="off" />
        </Form.Item>
      </div>
      <div className="field-line">
        <Form.Item name="street" label={t('restaurant_groups.street')} rules={[max(200)]}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="premise_number" label={t('restaurant_groups.premise_number')} rules={[max(20)]}>
          <Input autoComplete="off" />
        </Form.Item>
      </div>
      {!copied && <Locale usual={usual} currency={group?.currency ?? 'huf'} />}
    </ActionDrawer>
  );
}

/** The oldest: ids are in the order in which rows were made. */
const firstOf = <R extends { id: string }>(rows: readonly R[]): R | undefined =>
  rows.reduce<R | undefined>((a, b) => (a && a.id < b.id ? a : b), undefined);

/** What the service takes when nothing is sent: that of the company's first restaurant. */
const usualOf = (first: RestaurantShort | undefined) => ({
  timezone: first?.timezone ?? 'Europe/Budapest',
  primary_language: first?.primary_language ?? 'hu',
});

interface LocaleProps {
  usual: ReturnType<typeof usualOf>;
  currency: string;
}

/** Folded: nearly always these are as in the company's first restaurant. Only what is changed is sent. */
function Locale({ usual, currency }: LocaleProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className="field-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('restaurant_groups.locale')}</summary>
      {open && (
        <>
          <Form.Item name="timezone" label={t('restaurant_groups.timezone')} initialValue={usual.timezone}>
            <Select showSearch={{ optionFilterProp: 'label' }} options={zones()} />
          </Form.Item>
          <Form.Item
            name="primary_language"
            label={t('restaurant_groups.primary_language')}
            initialValue={usual.primary_language}
          >
            <Select
              options={Object.values(MenuLanguage).map((value) => ({ value, label: t(`language.${value}`) }))}
            />
          </Form.Item>
          <Form.Item label={t('field.currency')} extra={t('restaurant_groups.currency_of_group')}>
            <Select
              aria-label={t('field.currency')}
              value={currency}
              options={[{ value: currency, label: t(`field.currency.${currency}`) }]}
            />
          </Form.Item>
        </>
      )}
    </details>
  );
}
