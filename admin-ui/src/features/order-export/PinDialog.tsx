import { Form, Input, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ApiError } from '../../lib/http';
import { usePageUrl } from '../../lib/navigation';
import { ProblemAlert } from '../../lib/ui/states';
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
 * Asks for the own PIN before an action. It is never kept: not in a form library, not by the browser. A wrong
 * one is cleared; every other refusal of the action closes the dialog and is the caller's.
 */
export function PinDialog({ title, effect, verb, onPin, onClose }: PinDialogProps) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const field = useRef<InputRef>(null);
  const [pin, setPin] = useState('');
  const [working, setWorking] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!working) field.current?.focus();
  }, [working, error]);
  const send = async () => {
    if (!pin || working) return;
    setWorking(true);
    setError(undefined);
    try {
      await onPin(pin);
      onClose();
    } catch (problem) {
      setPin('');
      setError(problem);
      setWorking(false);
    }
  };
  const code = error instanceof ApiError ? error.code : undefined;
  return (
    <Dialog
      title={title}
      okText={t(code === 'PIN_INVALID' ? 'export_requests.pin_again' : 'export_requests.pin_send', { verb })}
      cancelText={t('action.cancel')}
      okButtonProps={{ disabled: !pin, loading: working }}
      onOk={() => void send()}
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
      {error !== undefined && code !== 'PIN_INVALID' && code !== 'PIN_REQUIRED' && (
        <ProblemAlert error={error} />
      )}
      <Form layout="vertical" requiredMark={false} className="export-pin" onFinish={() => void send()}>
        <Form.Item
          label={t('export_requests.pin')}
          htmlFor="export-pin"
          required
          {...(code === 'PIN_INVALID'
            ? { validateStatus: 'error' as const, help: t('errors.PIN_INVALID') }
            : {})}
        >
          <Input
            ref={field}
            autoFocus
            id="export-pin"
            type="password"
            inputMode="numeric"
            autoComplete="off"
            data-1p-ignore=""
            maxLength={8}
            value={pin}
            disabled={working}
            onChange={(event) => setPin(event.target.value.replace(/\D/g, ''))}
          />
        </Form.Item>
      </Form>
    </Dialog>
  );
}
