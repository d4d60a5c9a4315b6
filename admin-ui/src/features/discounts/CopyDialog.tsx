import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Discount } from '../../generated/model';
import { ActionDialog } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { sendCopy, useOpenCopy } from './useRowActions';

/** Copies a coupon: no two have the same code. */
export function CopyDialog({ row, onClose }: { row: Discount; onClose: () => void }) {
  const { t } = useTranslation();
  const open = useOpenCopy();
  const action = useInputForm<{ code: string }, Discount>({
    initial: { code: '' },
    send: ({ code }, key) => sendCopy(row, code.trim(), key),
    onDone: (made) => {
      onClose();
      open(made);
    },
  });
  return (
    <ActionDialog
      action={action}
      title={t('discounts.copy_of', { name: row.name })}
      verb={t('discounts.copy')}
      onClose={onClose}
    >
      <Form.Item
        name="code"
        label={t('discounts.copy_code')}
        extra={t('discounts.copy_code_help')}
        rules={[{ required: true, whitespace: true, message: t('form.required') }]}
        validateTrigger="onSubmit"
      >
        <Input maxLength={50} autoComplete="off" spellCheck={false} />
      </Form.Item>
    </ActionDialog>
  );
}
