import { UnlockOutlined } from '@ant-design/icons';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from '../../lib/crud/ActionDrawer';
import { PinField } from '../../lib/pin/PinField';
import { checkPin, usePinForm } from '../../lib/pin/usePinForm';
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

function PinDialog({ onPin, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation();
  const action = usePinForm({
    repeatable: true,
    onPin: async (pin) => {
      await checkPin(pin);
      onPin(pin);
    },
  });
  const pin = Form.useWatch('pin', action.form);
  return (
    <ActionDialog
      action={action}
      title={t('discounts.pin_title')}
      verb={t(action.none ? 'pin.set_open' : action.wrong ? 'pin.again' : 'pin.open')}
      blocked={!pin}
      onClose={onClose}
    >
      <PinField none={action.none} />
    </ActionDialog>
  );
}
