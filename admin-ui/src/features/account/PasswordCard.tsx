import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useMe } from '../../lib/me';
import { Card } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { account, useReloadSessions } from './api';

const EMPTY = { password_now: '', password: '', password_again: '' };

/** A new password ends all other sessions. */
export function PasswordCard() {
  const { t } = useTranslation();
  const me = useMe();
  const notify = useNotify();
  const reload = useReloadSessions();
  const least = me.password_min_length;
  const form = useInputForm({
    initial: EMPTY,
    next: () => EMPTY,
    repeatable: true,
    send: async (values) => {
      await account.password(values);
      await reload();
      notify.success(t('account.password_done'), t('account.password_done_text'));
    },
  });
  return (
    <Card title={t('account.password')}>
      <InputForm name="account-password" state={form}>
        {/* For password managers: whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
        <Form.Item
          name="password_now"
          label={t('account.password_now')}
          validateTrigger="onBlur"
          rules={[{ required: true, message: t('form.required') }]}
        >
          <Input.Password autoComplete="current-password" />
        </Form.Item>
        <Form.Item
          name="password"
          label={t('account.password_new')}
          extra={t('account.password_help', { min: least })}
          validateTrigger="onBlur"
          rules={[
            { required: true, message: t('form.required') },
            { min: least, message: t('form.min_length', { min: least }) },
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          name="password_again"
          label={t('account.password_again')}
          validateTrigger="onBlur"
          dependencies={['password']}
          rules={[
            { required: true, message: t('form.required') },
            ({ getFieldValue }) => ({
              validator: async (_, value) => {
                if (value && value !== getFieldValue('password'))
                  throw new Error(t('account.password_differs'));
              },
            }),
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <SubmitRow state={form} label={t('account.password_save')} />
      </InputForm>
    </Card>
  );
}
