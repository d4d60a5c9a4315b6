import { Alert, Checkbox, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button';
import { ProblemAlert } from '../ui/states';
import { openSupport, REASON } from './api';

interface Props {
  partnerId: string;
  /** Of an access that is opened again. */
  initial?: { reason: string; writable: boolean } | undefined;
  onDone: () => void;
  onCancel?: (() => void) | undefined;
}

/** Why somebody else's data are opened, and whether anything may be changed there. */
export function SupportForm({ partnerId, initial, onDone, onCancel }: Props) {
  const { t } = useTranslation();
  const [form] = Form.useForm<{ reason: string; writable: boolean }>();
  const [error, setError] = useState<unknown>();
  const [saving, setSaving] = useState(false);
  const open = async (values: { reason: string; writable: boolean }) => {
    setSaving(true);
    setError(undefined);
    try {
      await openSupport(partnerId, { reason: values.reason.trim(), writable: values.writable ?? false });
      onDone();
    } catch (failure) {
      setError(failure);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Form
      form={form}
      layout="vertical"
      disabled={saving}
      initialValues={initial ?? { reason: '', writable: false }}
      onFinish={(values) => void open(values)}
      requiredMark={false}
    >
      {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
      <Alert type="info" showIcon title={t('support.rules')} style={{ marginBottom: 16 }} />
      <Form.Item
        name="reason"
        label={t('support.reason')}
        extra={t('support.reason_help')}
        validateTrigger="onBlur"
        rules={[
          { required: true, whitespace: true, message: t('form.required') },
          { min: REASON.min, message: t('form.min_length', { min: REASON.min }) },
          { max: REASON.max, message: t('form.max_length', { max: REASON.max }) },
        ]}
      >
        <Input.TextArea autoFocus autoSize={{ minRows: 2, maxRows: 6 }} maxLength={REASON.max} />
      </Form.Item>
      <Form.Item name="writable" valuePropName="checked" extra={t('support.writable_help')}>
        <Checkbox>{t('support.writable')}</Checkbox>
      </Form.Item>
      <div className="form-buttons">
        <span className="form-buttons-gap" />
        {onCancel && <Button onClick={onCancel}>{t('action.cancel')}</Button>}
        <Button type="primary" htmlType="submit" loading={saving}>
          {t('support.open')}
        </Button>
      </div>
    </Form>
  );
}
