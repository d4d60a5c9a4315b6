import { Alert, Form, Input, Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { AdminLanguage } from '../../generated/model';
import { ActionDrawer, useInputForm } from '../../lib/crud';
import { useTextRules } from '../../lib/form/useTextRules';
import { useFormat } from '../../lib/format';
import { currencies } from '../restaurant-general/choices';
import { createPartner, MODES, NAME_MAX, type NewPartner as Body, type PartnerRow } from './api';

/** A company with its first group, restaurant and admin, who is invited by mail. */
export function NewPartner({ onDone, onClose }: { onDone: (row: PartnerRow) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const action = useInputForm<Body, PartnerRow>({
    initial: { mode: 'live', currency: 'huf', admin: { email: '', language } },
    // An empty name is none.
    send: ({ group_name, ...body }, key) =>
      createPartner({ ...body, ...(group_name?.trim() ? { group_name: group_name.trim() } : {}) }, key),
    onDone,
  });
  const { filled, max } = useTextRules();
  return (
    <ActionDrawer action={action} title={t('partners.new')} verb={t('partners.create')} onClose={onClose}>
      <fieldset className="field-group">
        <legend>{t('partners.company')}</legend>
        <Form.Item
          name="name"
          label={t('partners.name')}
          rules={[filled, max(NAME_MAX)]}
          validateTrigger="onBlur"
        >
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="mode" label={t('partners.mode')} extra={t('partners.mode_help')}>
          <Radio.Group
            optionType="button"
            options={MODES.map((value) => ({ value, label: t(`partners.mode.${value}`) }))}
          />
        </Form.Item>
      </fieldset>
      <FirstRestaurant />
      <FirstAdmin />
    </ActionDrawer>
  );
}

function FirstRestaurant() {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  return (
    <fieldset className="field-group">
      <legend>{t('partners.first_restaurant')}</legend>
      <Form.Item
        name="restaurant_name"
        label={t('partners.restaurant_name')}
        rules={[filled, max(NAME_MAX)]}
        validateTrigger="onBlur"
      >
        <Input autoComplete="off" />
      </Form.Item>
      <div className="field-line">
        <Form.Item
          name="group_name"
          label={t('partners.group_name')}
          extra={t('partners.group_name_help')}
          rules={[max(NAME_MAX)]}
          validateTrigger="onBlur"
        >
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name="currency" label={t('field.currency')}>
          <Select options={currencies(t)} />
        </Form.Item>
      </div>
    </fieldset>
  );
}

/** The invited person and the language. */
function FirstAdmin() {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  return (
    <fieldset className="field-group">
      <legend>{t('partners.first_admin')}</legend>
      <Alert type="info" showIcon className="page-alert" title={t('partners.invitation')} />
      <Form.Item
        name={['admin', 'email']}
        label={t('field.email')}
        rules={[filled, { type: 'email', message: t('form.email') }]}
        validateTrigger="onBlur"
      >
        <Input type="email" autoComplete="off" />
      </Form.Item>
      <div className="field-line">
        <Form.Item name={['admin', 'last_name']} label={t('field.last_name')} rules={[max(100)]}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item name={['admin', 'first_name']} label={t('field.first_name')} rules={[max(100)]}>
          <Input autoComplete="off" />
        </Form.Item>
      </div>
      <Form.Item name={['admin', 'language']} label={t('partners.language')}>
        <Radio.Group
          optionType="button"
          options={Object.values(AdminLanguage).map((value) => ({ value, label: t(`language.${value}`) }))}
        />
      </Form.Item>
    </fieldset>
  );
}
