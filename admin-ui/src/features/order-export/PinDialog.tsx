import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { InputForm } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { ApiError } from '../../lib/http';
import { usePageUrl } from '../../lib/navigation';
import { Dialog } from '../../lib/ui/Dialog';

interface PinDialogProps {
  /** The action and its object. */
  title: string;
  effect: string;
  verb: string;
  /** Does it with this PIN; throws the service's refusal. */
  onPin: (pin: string) => Promise<void>;
  onClose: () => void;
}

/**
 * Asks for the own PIN before an action. The browser does not keep it. It is cleared when the service answered,
 * and stays where nobody did: sending again then needs no typing.
 */
export function PinDialog({ title, effect, verb, onPin, onClose }: PinDialogProps) {
  const { t } = useTranslation();
  const url = usePageUrl();
  /** The last code that speaks of the PIN itself. */
  const [code, setCode] = useState<'PIN_INVALID' | 'PIN_REQUIRED'>();
  const form = useInputForm<{ pin: string }, boolean>({
    initial: { pin: '' },
    guard: false,
    send: async ({ pin }) => {
      setCode(undefined);
      try {
        await onPin(pin);
        return true;
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.unanswered) throw failure;
        form.begin({ pin: '' });
        if (failure.code === 'PIN_REQUIRED') {
          setCode('PIN_REQUIRED');
          return false;
        }
        if (failure.code !== 'PIN_INVALID') throw failure;
        setCode('PIN_INVALID');
        throw new ApiError({ ...failure.problem, keys: ['pin'] });
      }
    },
    onDone: (done) => done && onClose(),
  });
  const pin = Form.useWatch('pin', form.form);
  return (
    <Dialog
      title={title}
      okText={t(code === 'PIN_INVALID' ? 'export_requests.pin_again' : 'export_requests.pin_send', { verb })}
      cancelText={t('action.cancel')}
      okButtonProps={{ disabled: !pin, loading: form.saving }}
      onOk={() => void form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p>{effect}</p>
      {code === 'PIN_REQUIRED' && (
        <p>
          {t('export_requests.pin_none')}{' '}
          <Link className="export-link" to={url('my_account')}>
            {t('export_requests.pin_set')}
          </Link>
        </p>
      )}
      <div className="export-pin">
        <InputForm state={form} name="export-pin">
          <Form.Item
            name="pin"
            label={t('export_requests.pin')}
            rules={[{ required: true, message: t('form.required') }]}
            validateTrigger="onSubmit"
            normalize={(text: string) => text.replace(/\D/g, '')}
          >
            <Input type="password" inputMode="numeric" autoComplete="off" data-1p-ignore="" maxLength={8} />
          </Form.Item>
        </InputForm>
      </div>
    </Dialog>
  );
}
