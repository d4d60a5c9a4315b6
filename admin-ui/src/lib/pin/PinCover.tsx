import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { InputForm } from '../form/InputForm';
import { Dialog } from '../ui/Dialog';
import { PinField } from './PinField';
import { checkPin, usePinForm } from './usePinForm';

interface Props {
  lead: string;
  onPin: (pin: string) => void;
  /** Gives up what is unsaved below. */
  onDiscard: () => void;
}

/** Over a page that nobody has touched for too long, while something on it is unsaved: nothing of it is seen. */
export function PinCover({ lead, onPin, onDiscard }: Props) {
  const { t } = useTranslation();
  const state = usePinForm({
    repeatable: true,
    onPin: async (pin) => {
      await checkPin(pin);
      onPin(pin);
    },
  });
  const pin = Form.useWatch('pin', state.form);
  return (
    <Dialog
      title={t('pin.ask_again')}
      okText={t(state.none ? 'pin.set_open' : state.wrong ? 'pin.again' : 'pin.open')}
      cancelText={t('unsaved.discard')}
      okButtonProps={{ disabled: !pin, loading: state.saving }}
      cancelButtonProps={{ danger: true }}
      onOk={() => void state.submit()}
      onCancel={onDiscard}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      styles={{ mask: { background: 'var(--bg)' } }}
      zIndex={1190}
    >
      <p className="pin-lead">{lead}</p>
      <InputForm state={state} name="pin-cover">
        <PinField none={state.none} />
      </InputForm>
    </Dialog>
  );
}
