import { Alert, Form, Input } from 'antd';
import { Button } from '../../lib/ui/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecondFactorSecret } from '../../generated/model';
import { InputForm } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useUnsaved } from '../../lib/form/unsaved';
import { useTextRules } from '../../lib/form/useTextRules';
import { CopyButton, Loading, ProblemAlert } from '../../lib/ui/states';
import { reloadMe, secondFactor } from './api';
import './account.css';
import { QrCode } from './QrCode';

interface Props {
  /** A second factor is already on: its code is required first. */
  renew: boolean;
  onDone: () => void;
  /** Absent where there is no way around it. */
  onCancel?: (() => void) | null;
}

/**
 * Three steps: a code of the present one (when renewed), the new secret with its first code, the recovery
 * codes.
 */
export function SecondFactorSetup({ renew, onDone, onCancel = onDone }: Props) {
  const [secret, setSecret] = useState<SecondFactorSecret>();
  const [codes, setCodes] = useState<string[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!renew) secondFactor.begin().then(setSecret, setError);
    // once
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  if (codes) return <RecoveryCodes codes={codes} onKept={() => void reloadMe().finally(onDone)} />;
  if (secret) return <Scan secret={secret} onCodes={setCodes} onCancel={onCancel} />;
  if (error !== undefined) return <ProblemAlert error={error} />;
  return renew ? <PresentCode onSecret={setSecret} onCancel={onCancel} /> : <Loading rows={4} />;
}

function PresentCode({
  onSecret,
  onCancel,
}: {
  onSecret: (secret: SecondFactorSecret) => void;
  onCancel: (() => void) | null;
}) {
  const { t } = useTranslation();
  const { filled } = useTextRules();
  const form = useInputForm({
    initial: { code: '' },
    guard: false,
    repeatable: true,
    next: () => ({ code: '' }),
    send: async ({ code }) => onSecret(await secondFactor.begin(code.trim())),
  });
  return (
    <InputForm name="second-factor-now" state={form} focusFirst>
      <p className="account-lead">{t('account.renew_text')}</p>
      <Form.Item name="code" label={t('account.code_now')} rules={[filled]} validateTrigger="onBlur">
        <Input autoComplete="one-time-code" className="account-code" />
      </Form.Item>
      <Buttons verb={t('account.next')} busy={form.saving} onCancel={onCancel} />
    </InputForm>
  );
}

/** The secret as a picture and as letters, and the proof that the app has it. */
function Scan({
  secret,
  onCodes,
  onCancel,
}: {
  secret: SecondFactorSecret;
  onCodes: (codes: string[]) => void;
  onCancel: (() => void) | null;
}) {
  const { t } = useTranslation();
  const form = useInputForm({
    initial: { code: '' },
    guard: false,
    repeatable: true,
    next: () => ({ code: '' }),
    send: async ({ code }) => onCodes(await secondFactor.confirm(code.replace(/\s/g, ''))),
  });
  return (
    <InputForm name="second-factor-first" state={form}>
      <ol className="account-steps">
        <li>
          <p>{t('account.scan')}</p>
          <QrCode value={secret.uri} label={t('account.qr')} />
          <p className="account-secret">
            {t('account.type_in')} <code>{secret.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>{' '}
            <CopyButton text={secret.secret} label={t('action.copy')} />
          </p>
        </li>
        <li>
          <p>{t('account.enter_code')}</p>
          <Form.Item
            name="code"
            label={t('account.code_six')}
            validateTrigger="onBlur"
            rules={[
              { required: true, message: t('form.required') },
              { pattern: /^\s*\d{3}\s?\d{3}\s*$/, message: t('account.code_format') },
            ]}
          >
            <Input inputMode="numeric" autoComplete="one-time-code" maxLength={8} className="account-code" />
          </Form.Item>
        </li>
      </ol>
      <Buttons verb={t('account.switch_on')} busy={form.saving} onCancel={onCancel} />
    </InputForm>
  );
}

function Buttons({ verb, busy, onCancel }: { verb: string; busy: boolean; onCancel: (() => void) | null }) {
  const { t } = useTranslation();
  return (
    <div className="form-buttons">
      <span className="form-buttons-gap" />
      {onCancel && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
      <Button type="primary" htmlType="submit" loading={busy}>
        {verb}
      </Button>
    </div>
  );
}

/** Shown this once; leaving asks. */
function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useTranslation();
  const unsaved = useUnsaved({ dirty: true });
  const text = codes.join('\n');
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    const anchor = document.createElement('a');
    anchor.href = url;
    anchor.download = 'pult-recovery-codes.txt';
    anchor.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div>
      <Alert
        className="account-note"
        type="warning"
        showIcon
        title={t('account.recovery_once')}
        description={t('account.recovery_text')}
      />
      <ul className="account-codes" aria-label={t('account.recovery_codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="form-buttons">
        <CopyButton text={text} label={t('action.copy')}>
          {t('account.recovery_copy')}
        </CopyButton>
        <Button onClick={download}>{t('account.recovery_download')}</Button>
        <span className="form-buttons-gap" />
        <Button
          type="primary"
          onClick={() => {
            unsaved.clean();
            onKept();
          }}
        >
          {t('account.recovery_kept')}
        </Button>
      </div>
    </div>
  );
}
