import {
  CopyOutlined,
  DeleteOutlined,
  DownOutlined,
  EditOutlined,
  PauseCircleOutlined,
  SafetyCertificateOutlined,
} from '@ant-design/icons';
import { Alert, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog, useInputForm } from '../../lib/crud';
import { useMe } from '../../lib/me';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import SupportDialog from '../../lib/support/SupportDialog';
import { REASON, supportOf } from '../../lib/support/api';
import {
  clonePartner,
  deletePartner,
  NAME_MAX,
  type Partner,
  type PartnerRow,
  reactivatePartner,
  renamePartner,
  suspendPartner,
  undeletePartner,
} from '../partners/api';
import { DropMenu } from '../../lib/ui/DropMenu';

type Dialog = 'support' | 'rename' | 'clone' | 'suspend' | 'delete';

interface Props {
  partner: Partner;
  refresh: () => Promise<void>;
  onCloned: (clone: PartnerRow) => void;
}

/** What can be done with a partner as a whole. */
export function Actions({ partner, refresh, onCloned }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const settled = partner.status !== 'creating';
  const may = {
    support: ['active', 'suspended'].includes(partner.status),
    suspend: partner.status === 'active',
    delete: settled && partner.status !== 'deleting',
  };
  const support = supportOf(useMe(), partner.id);
  const items = [
    { key: 'rename', icon: <EditOutlined />, label: t('partner_page.rename'), disabled: !settled },
    {
      key: 'clone',
      icon: <CopyOutlined />,
      label: t('partner_page.clone'),
      disabled: !settled || partner.status === 'deleting',
    },
    {
      key: 'suspend',
      icon: <PauseCircleOutlined />,
      label: t('partner_page.suspend'),
      disabled: !may.suspend,
    },
    { type: 'divider' as const },
    {
      key: 'delete',
      icon: <DeleteOutlined />,
      label: t('partner_page.delete'),
      danger: true,
      disabled: !may.delete,
    },
  ];
  // A task later: the key that chose would still be pressed when the dialog's field gets the focus, and
  // submit it.
  const choose = (key: string) => setTimeout(() => setDialog(key as Dialog));
  const done = (text: string, back?: () => Promise<unknown>) => {
    close();
    void refresh();
    if (back)
      notify.undo(text, async () => {
        await back();
        await refresh();
      });
    else notify.success(text);
  };
  return (
    <>
      <DropMenu menu={{ items, onClick: ({ key }) => void choose(key) }}>
        <Button icon={<DownOutlined />} iconPlacement="end">
          {t('action.more')}
        </Button>
      </DropMenu>
      <Button
        type="primary"
        icon={<SafetyCertificateOutlined />}
        disabled={!may.support}
        onClick={() => setDialog('support')}
      >
        {t('support.strip')}
      </Button>
      {dialog === 'support' && (
        <SupportDialog
          partner={partner}
          initial={support}
          onClose={close}
          onDone={() => {
            close();
            notify.success(t('partner_page.support_open'));
          }}
        />
      )}
      {dialog === 'rename' && (
        <Rename
          partner={partner}
          onClose={close}
          onDone={() => done(t('state.saved'), () => renamePartner(partner.id, partner.name))}
        />
      )}
      {dialog === 'clone' && (
        <Clone
          partner={partner}
          onClose={close}
          onDone={(clone) => {
            close();
            notify.success(t('partner_page.cloned', { name: clone.name }));
            onCloned(clone);
          }}
        />
      )}
      {dialog === 'suspend' && (
        <Suspend
          partner={partner}
          onClose={close}
          onDone={() => done(t('partner_page.now_suspended'), () => reactivatePartner(partner.id))}
        />
      )}
      {dialog === 'delete' && (
        <Delete
          partner={partner}
          onClose={close}
          onDone={() => done(t('partner_page.now_deleting'), () => undeletePartner(partner.id))}
        />
      )}
    </>
  );
}

interface DialogProps<A = unknown> {
  partner: Partner;
  onClose: () => void;
  onDone: (answer: A) => void;
}

function useNameRules() {
  const { t } = useTranslation();
  return [
    { required: true, whitespace: true, message: t('form.required') },
    { max: NAME_MAX, message: t('form.max_length', { max: NAME_MAX }) },
  ];
}

function Rename({ partner, onClose, onDone }: DialogProps) {
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
        <Input autoFocus autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}

function Clone({ partner, onClose, onDone }: DialogProps<PartnerRow>) {
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
        <Input autoFocus autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}

function Suspend({ partner, onClose, onDone }: DialogProps) {
  const { t } = useTranslation();
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
        rules={[
          { required: true, whitespace: true, message: t('form.required') },
          { max: REASON.max, message: t('form.max_length', { max: REASON.max }) },
        ]}
        validateTrigger="onBlur"
      >
        <Input.TextArea autoFocus autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </ActionDialog>
  );
}

/** The name has to be typed: this takes a whole company's data, though 30 days later. */
function Delete({ partner, onClose, onDone }: DialogProps) {
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
        <Input autoFocus autoComplete="off" />
      </Form.Item>
    </ActionDialog>
  );
}
