import { useList } from '@refinedev/core';
import { Form, Input, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { restaurantsCreate } from '../../generated/client/restaurants/restaurants';
import type { NewRestaurant as Body, Restaurant, RestaurantGroup } from '../../generated/model';
import { ActionDrawer, useInputForm } from '../../lib/crud';
import { useRestaurants } from '../../lib/restaurants';
import { useRestaurant } from '../../lib/target';

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
  const action = useInputForm<Body, Restaurant>({
    initial: { restaurant_group_id },
    send: (body, key) => restaurantsCreate(partner_id, body, { headers: { 'Idempotency-Key': key } }),
    onDone: (restaurant) => onDone(restaurant),
  });
  const max = (length: number) => ({ max: length, message: t('form.max_length', { max: length }) });
  return (
    <ActionDrawer
      action={action}
      title={t('restaurant_groups.new_restaurant')}
      verb={t('action.save')}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t('field.name')}
        rules={[{ required: true, whitespace: true, message: t('form.required') }, max(100)]}
        validateTrigger="onBlur"
      >
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
        <Select options={result.data.map((group) => ({ value: group.id, label: group.name }))} />
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
    </ActionDrawer>
  );
}
