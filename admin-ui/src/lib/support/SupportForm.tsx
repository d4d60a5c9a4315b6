import { Alert, Checkbox, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { InputForm } from '../form/InputForm';
import { useInputForm } from '../form/useInputForm';
import { useTextRules } from '../form/useTextRules';
import { Button } from '../ui/Button';
import { openSupport, REASON } from './api';

interface Props {
  partnerId: string;
  /** Of an access that is opened again. */
  initial?: { reason: string; writable: boolean } | undefined;
  onDone: () => void;
  onCancel?: (() => void) | undefined;
}

interface Values {
  reason: string;
  writable: boolean;
}

/** Why somebody else's data are opened, and whether anything may be changed there. */
export function SupportForm({ partnerId, initial, onDone, onCancel }: Props) {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  const state = useInputForm<Values, void>({
    initial: initial ?? { reason: '', writable: false },
    send: ({ reason, writable }) =>
      openSupport(partnerId, { reason: reason.trim(), writable: writable ?? false }),
    onDone,
    repeatable: true,
    guard: false,
  });
  return (
    <InputForm state={state} focusFirst>
      <Alert type="info" showIcon title={t('support.rules')} style={{ marginBottom: 16 }} />
      <Form.Item
        name="reason"
        label={t('support.reason')}
        extra={t('support.reason_help')}
        validateTrigger="onBlur"
        rules={[
          filled,
          { min: REASON.min, message: t('form.min_length', { min: REASON.min }) },
          max(REASON.max),
        ]}
      >
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} maxLength={REASON.max} />
      </Form.Item>
      <Form.Item name="writable" valuePropName="checked" extra={t('support.writable_help')}>
        <Checkbox>{t('support.writable')}</Checkbox>
      </Form.Item>
      <div className="form-buttons">
        <span className="form-buttons-gap" />
        {onCancel && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
        <Button type="primary" htmlType="submit" loading={state.saving}>
          {t('support.open')}
        </Button>
      </div>
    </InputForm>
  );
}
