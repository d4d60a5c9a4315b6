import { Alert, Form, Input, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionDrawer, useInputForm } from '../../lib/crud';
import { useTextRules } from '../../lib/form/useTextRules';
import { NAME_MAX, type PartnerRow, restorePartner } from './api';

interface Values {
  archive: File;
  into: 'new' | 'same';
  name?: string;
  confirm?: string;
}

/** The browser's own file input, whose value the form takes as a file. */
function FileInput({
  onChange,
  value: _value,
  ...rest
}: {
  onChange?: (file: File | undefined) => void;
  value?: File;
  id?: string;
}) {
  return (
    <input
      {...rest}
      type="file"
      accept=".zip,application/zip"
      className="file-input"
      onChange={(event) => onChange?.(event.target.files?.[0])}
    />
  );
}

/** An archive becomes a new partner, or its own partner goes back to that state. */
export function Restore({ onDone, onClose }: { onDone: (row: PartnerRow) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  const action = useInputForm<Values, PartnerRow>({
    initial: { into: 'new' },
    send: ({ archive, into, name, confirm }) =>
      restorePartner({
        archive,
        into,
        ...(into === 'same' ? { confirm: confirm ?? '' } : name?.trim() ? { name: name.trim() } : {}),
      }),
    onDone,
  });
  const into = Form.useWatch('into', action.form) ?? 'new';
  return (
    <ActionDrawer
      action={action}
      danger={into === 'same'}
      title={t('partners.restore')}
      verb={t('partners.restore_do')}
      onClose={onClose}
    >
      <Form.Item
        name="archive"
        label={t('partners.archive')}
        extra={t('partners.archive_help')}
        rules={[{ required: true, message: t('form.required') }]}
      >
        <FileInput />
      </Form.Item>
      <Form.Item name="into" label={t('partners.into')}>
        <Radio.Group
          optionType="button"
          options={(['new', 'same'] as const).map((value) => ({ value, label: t(`partners.into.${value}`) }))}
        />
      </Form.Item>
      {into === 'new' ? (
        <Form.Item
          name="name"
          label={t('partners.name')}
          extra={t('partners.restore_name_help')}
          rules={[max(NAME_MAX)]}
        >
          <Input autoComplete="off" />
        </Form.Item>
      ) : (
        <>
          <Alert type="warning" showIcon className="page-alert" title={t('partners.restore_same')} />
          <Form.Item
            name="confirm"
            label={t('partners.restore_confirm')}
            extra={t('partners.restore_confirm_help')}
            rules={[filled]}
          >
            <Input autoComplete="off" />
          </Form.Item>
        </>
      )}
    </ActionDrawer>
  );
}
