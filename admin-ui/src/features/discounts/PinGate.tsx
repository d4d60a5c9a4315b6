import { UnlockOutlined } from '@ant-design/icons';
import { Alert, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { restaurantPinsValidate } from '../../generated/client/session/session';
import { ActionDialog } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { ApiError } from '../../lib/http';
import { usePageUrl } from '../../lib/navigation';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';

interface Props {
  onPin: (pin: string) => void;
}

interface GateProps extends Props {
  /** What it opens, where that is not plain from the place. */
  label?: string;
}

/** Personal data stay hidden until the own PIN was entered. */
export function PinGate({ onPin, label }: GateProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <div className="discount-pin">
      {!label && <p>{t('discounts.require_pin')}</p>}
      <Button icon={<UnlockOutlined />} onClick={() => setAsking(true)}>
        {label ?? t('discounts.pin_open')}
      </Button>
      {asking && <PinDialog onPin={onPin} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** A wrong PIN is cleared, and can be entered again. */
function PinDialog({ onPin, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const [none, setNone] = useState(false);
  const action = useInputForm<{ pin: string }>({
    initial: { pin: '' },
    guard: false,
    repeatable: true,
    send: async ({ pin }) => {
      setNone(false);
      const answer = await restaurantPinsValidate(...here(), { pin }).catch((error: unknown) => {
        // There is none to compare with: whoever has just typed one is not asked to type it.
        if (!(error instanceof ApiError && error.code === 'PIN_REQUIRED')) throw error;
        setNone(true);
        return undefined;
      });
      if (!answer) return;
      if (answer.is_valid) return onPin(pin);
      action.begin({ pin: '' });
      throw new ApiError({ status: 403, code: 'PIN_INVALID', keys: ['pin'] });
    },
  });
  const pin = Form.useWatch('pin', action.form);
  return (
    <ActionDialog
      action={action}
      title={t('discounts.pin_title')}
      verb={t('discounts.pin_verb')}
      blocked={!pin}
      onClose={onClose}
    >
      {none && <Alert className="page-alert" type="warning" showIcon title={t('discounts.pin_not_set')} />}
      <Form.Item
        name="pin"
        label={t('discounts.pin')}
        rules={[{ required: true, message: t('form.required') }]}
        validateTrigger="onSubmit"
        normalize={(text: string) => text.replace(/\D/g, '')}
        extra={
          <>
            {t('discounts.pin_none')} {/* In a tab of its own: the form below stays as it is. */}
            <Link to={url('my_account')} target="_blank">
              {t('discounts.pin_set')}
            </Link>
          </>
        }
      >
        <Input type="password" inputMode="numeric" autoComplete="off" data-1p-ignore="" maxLength={8} />
      </Form.Item>
    </ActionDialog>
  );
}
