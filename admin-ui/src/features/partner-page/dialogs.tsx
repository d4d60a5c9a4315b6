import { Alert, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionDialog, useInputForm } from '../../lib/crud';
import { useTextRules } from '../../lib/form/useTextRules';
import { REASON } from '../../lib/support/api';
import {
  clonePartner,
  deletePartner,
  NAME_MAX,
  type Partner,
  type PartnerRow,
  renamePartner,
  suspendPartner,
} from '../partners/api';

interface DialogProps<A = unknown> {
  partner: Partner;
  onClose: () => void;
  onDone: (answer: A) => void;
}

function useNameRules() {
  const { filled, max } = useTextRules();
  return [filled, max(NAME_MAX)];
}

export function Rename({ partner, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
  const rules = useNameRules();
  const action = useInputForm<{ name: string }>({
    initial: { name: partner.name },
    send: ({ name }) => renamePartner(partner.id, name.trim()),
    onDone,
  });
  return (
    <ActionDialog action={action} title={t('partner_page.rename')} verb={t('action.save')} onClose={onClose}>
      <Form.Item name="name" label={t('partners.name')} rules={rules} validateTrigger="onBlur">
        <Input autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}

export function Clone({ partner, onClose, onDone }: DialogProps<PartnerRow>) {
  const { t } = useTranslation();
  const rules = useNameRules();
  const action = useInputForm<{ name: string }, PartnerRow>({
    initial: { name: t('partner_page.clone_name', { name: partner.name }) },
    send: ({ name }) => clonePartner(partner.id, name.trim()),
    onDone,
  });
  return (
    <ActionDialog
      action={action}
      title={t('partner_page.clone_title', { name: partner.name })}
      verb={t('partner_page.clone')}
      onClose={onClose}
    >
      <Alert type="info" showIcon className="page-alert" title={t('partner_page.clone_text')} />
      <Form.Item name="name" label={t('partners.name')} rules={rules} validateTrigger="onBlur">
        <Input autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}

export function Suspend({ partner, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  const action = useInputForm<{ reason: string }>({
    send: ({ reason }) => suspendPartner(partner.id, reason.trim()),
    onDone,
  });
  return (
    <ActionDialog
      action={action}
      danger
      title={t('partner_page.suspend_title', { name: partner.name })}
      verb={t('partner_page.suspend')}
      onClose={onClose}
    >
      <Alert type="warning" showIcon className="page-alert" title={t('partner_page.suspend_text')} />
      <Form.Item
        name="reason"
        label={t('support.reason')}
        rules={[filled, max(REASON.max)]}
        validateTrigger="onBlur"
      >
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </ActionDialog>
  );
}

/** The name has to be typed: this takes a whole company's data, though 30 days later. */
export function Delete({ partner, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
  const action = useInputForm<{ confirm: string }>({
    send: ({ confirm }) => deletePartner(partner.id, confirm),
    onDone,
  });
  const typed = Form.useWatch('confirm', action.form);
  return (
    <ActionDialog
      action={action}
      danger
      blocked={typed !== partner.name}
      title={t('confirm.delete', { name: partner.name })}
      verb={t('partner_page.delete')}
      onClose={onClose}
    >
      <Alert
        type="error"
        showIcon
        className="page-alert"
        title={t('partner_page.delete_text')}
        description={t('partner_page.delete_effect', {
          restaurants: partner.restaurants,
          users: partner.users,
        })}
      />
      <Form.Item name="confirm" label={t('partner_page.type_name', { name: partner.name })}>
        <Input autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}
