import { Alert, Form, Input } from 'antd';
import { Button } from '../../lib/ui/Button';
import { useTranslation } from 'react-i18next';
import type { Target } from '../../generated/model';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { Card, Chip } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import { account, reloadMe } from './api';

const EMPTY = { pin: '', password: '' };

/** The own PIN at the partner of this page; setting one asks for the password. */
export function PinCard({ own }: { own: Target }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { busy: removing, work } = useWork();
  const form = useInputForm({
    initial: EMPTY,
    next: () => EMPTY,
    repeatable: true,
    send: async (values) => {
      await account.setPin(values);
      await reloadMe();
      notify.success(t('account.pin_done'));
    },
  });
  const remove = async () => {
    if (
      !(await notify.confirm({
        title: t('account.pin_remove_ask'),
        effect: t('account.pin_remove_effect'),
        verb: t('account.pin_remove'),
      }))
    )
      return;
    await work(async () => {
      await account.removePin();
      await reloadMe();
      notify.success(t('account.pin_removed'));
    });
  };
  return (
    <Card
      title={t('account.pin')}
      extra={
        <Chip tone={own.has_pin ? 'success' : 'neutral'}>
          {t(own.has_pin ? 'account.pin_on' : 'account.pin_off')}
        </Chip>
      }
    >
      <p className="account-lead">{t('account.pin_text', { partner: own.partner_name })}</p>
      {own.pin_given && (
        <Alert className="page-alert" type="warning" showIcon title={t('account.pin_given')} />
      )}
      <InputForm name="account-pin" state={form}>
        <div className="field-line">
          <Form.Item
            name="pin"
            label={t('account.pin_new')}
            validateTrigger="onBlur"
            rules={[
              { required: true, message: t('form.required') },
              { pattern: /^\d{4,8}$/, message: t('account.pin_format') },
            ]}
          >
            <Input.Password
              inputMode="numeric"
              autoComplete="off"
              maxLength={8}
              // The guide leads here.
              autoFocus={location.hash === '#pin'}
            />
          </Form.Item>
          <Form.Item
            name="password"
            label={t('account.pin_password')}
            validateTrigger="onBlur"
            rules={[{ required: true, message: t('form.required') }]}
          >
            <Input.Password autoComplete="current-password" />
          </Form.Item>
        </div>
        <SubmitRow state={form} label={t('account.pin_save')}>
          {own.has_pin && (
            <Button danger type="text" loading={removing} onClick={() => void remove()}>
              {t('account.pin_remove')}
            </Button>
          )}
        </SubmitRow>
      </InputForm>
    </Card>
  );
}
