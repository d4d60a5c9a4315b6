import { UnlockOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { InputForm } from '../form/InputForm';
import { useMe } from '../me';
import { Button } from '../ui/Button';
import { Card } from '../ui/page';
import { PinField } from './PinField';
import { checkPin, usePinForm } from './usePinForm';

interface Props {
  /** What lies behind it, and why it asks. */
  lead: string;
  onPin: (pin: string) => void;
}

/** In the place of what needs the own PIN: the field, and the button that opens. */
export function PinScreen(props: Props) {
  const { t } = useTranslation();
  const me = useMe();
  return (
    <Card className="pin-screen">
      {me.super_admin ? <p className="pin-lead">{t('pin.operator')}</p> : <PinForm {...props} />}
    </Card>
  );
}

function PinForm({ lead, onPin }: Props) {
  const { t } = useTranslation();
  const state = usePinForm({
    repeatable: true,
    onPin: async (pin) => {
      await checkPin(pin);
      onPin(pin);
    },
  });
  return (
    <>
      <p className="pin-lead">{lead}</p>
      <InputForm state={state} name="pin-screen" focusFirst>
        <PinField none={state.none} />
        <Button type="primary" htmlType="submit" icon={<UnlockOutlined />} loading={state.saving}>
          {t(state.none ? 'pin.set_open' : state.wrong ? 'pin.again' : 'pin.open')}
        </Button>
      </InputForm>
    </>
  );
}
