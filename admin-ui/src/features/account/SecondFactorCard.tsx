import { SafetyCertificateOutlined } from '@ant-design/icons';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InputForm } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { useMe } from '../../lib/me';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { reloadMe, secondFactor } from './api';
import { SecondFactorSetup } from './SecondFactorSetup';

/** The second factor: set up, renew (which makes new recovery codes too), or switch off with a code of it. */
export function SecondFactorCard() {
  const { t } = useTranslation();
  const me = useMe();
  const [doing, setDoing] = useState<'setup' | 'off'>();
  const on = me.second_factor;
  return (
    <Card
      title={t('account.second_factor')}
      extra={
        <Chip tone={on ? 'success' : 'neutral'}>
          {t(on ? 'account.second_factor_on' : 'account.second_factor_off')}
        </Chip>
      }
    >
      {doing === 'setup' && <SecondFactorSetup renew={on} onDone={() => setDoing(undefined)} />}
      {doing === 'off' && <SwitchOff onDone={() => setDoing(undefined)} />}
      {!doing && (
        <>
          <p className="account-lead">{t('account.second_factor_text')}</p>
          {on && <p className="account-lead">{t('account.recovery_left', { count: me.recovery_codes })}</p>}
          <div className="form-buttons">
            {/* A super admin always needs one. */}
            {on && !me.super_admin && (
              <Button type="text" danger onClick={() => setDoing('off')}>
                {t('account.second_factor_remove')}
              </Button>
            )}
            <span className="form-buttons-gap" />
            <Button
              icon={<SafetyCertificateOutlined />}
              type={on ? 'default' : 'primary'}
              onClick={() => setDoing('setup')}
            >
              {t(on ? 'account.second_factor_renew' : 'account.second_factor_begin')}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

function SwitchOff({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { filled } = useTextRules();
  const notify = useNotify();
  const form = useInputForm({
    initial: { code: '' },
    guard: false,
    repeatable: true,
    next: () => ({ code: '' }),
    send: async ({ code }) => {
      await secondFactor.remove(code.trim());
      await reloadMe();
      notify.success(t('account.second_factor_removed'));
      onDone();
    },
  });
  return (
    <InputForm name="second-factor-off" state={form} focusFirst>
      <p className="account-lead">{t('account.second_factor_remove_text')}</p>
      <Form.Item name="code" label={t('account.code')} rules={[filled]} validateTrigger="onBlur">
        <Input autoComplete="one-time-code" className="account-code" />
      </Form.Item>
      <div className="form-buttons">
        <span className="form-buttons-gap" />
        <Button onClick={onDone}>{t('action.cancel')}</Button>
        <Button danger type="primary" htmlType="submit" loading={form.saving}>
          {t('account.second_factor_remove')}
        </Button>
      </div>
    </InputForm>
  );
}
