import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { InputForm } from '../form/InputForm';
import { PinField } from './PinField';
import { usePinForm } from './usePinForm';
import { Dialog } from '../ui/Dialog';
import './pin.css';

interface PinDialogProps {
  /** The action and its object. */
  title: string;
  effect: string;
  verb: string;
  /** Does it with this PIN; throws the service's refusal. */
  onPin: (pin: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the own PIN before an action. */
export function PinDialog({ title, effect, verb, onPin, onClose }: PinDialogProps) {
  const { t } = useTranslation();
  const form = usePinForm({ onPin, onDone: onClose });
  const pin = Form.useWatch('pin', form.form);
  return (
    <Dialog
      title={title}
      okText={form.none ? t('pin.set_open') : form.wrong ? t('pin.again') : verb}
      cancelText={t('action.cancel')}
      okButtonProps={{ disabled: !pin, loading: form.saving }}
      onOk={() => void form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p>{effect}</p>
      <div className="pin-dialog">
        <InputForm state={form} name="export-pin">
          <PinField none={form.none} />
        </InputForm>
      </div>
    </Dialog>
  );
}
