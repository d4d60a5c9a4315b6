import {
  CopyOutlined,
  DeleteOutlined,
  DownOutlined,
  EditOutlined,
  PauseCircleOutlined,
  SafetyCertificateOutlined,
} from '@ant-design/icons';
import type { MenuProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../lib/me';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import SupportDialog from '../../lib/support/SupportDialog';
import { supportOf } from '../../lib/support/api';
import {
  type Partner,
  type PartnerRow,
  reactivatePartner,
  renamePartner,
  undeletePartner,
} from '../partners/api';
import { DropMenu } from '../../lib/ui/DropMenu';
import { Clone, Delete, Rename, Suspend } from './dialogs';

type Dialog = 'support' | 'rename' | 'clone' | 'suspend' | 'delete';

interface Props {
  partner: Partner;
  refresh: () => Promise<void>;
  onCloned: (clone: PartnerRow) => void;
}

/** Actions on the whole partner. */
export function Actions(props: Props) {
  const { t } = useTranslation();
  const { status } = props.partner;
  const items = useItems(status);
  const [dialog, setDialog] = useState<Dialog>();
  // In the next task: the key that chose the entry would still be pressed when the field of the dialog gets the
  // focus, and would submit it.
  const choose = (key: string) => setTimeout(() => setDialog(key as Dialog));
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
        disabled={!['active', 'suspended'].includes(status)}
        onClick={() => setDialog('support')}
      >
        {t('support.strip')}
      </Button>
      {dialog && <OpenDialog {...props} dialog={dialog} close={() => setDialog(undefined)} />}
    </>
  );
}

/** Entries of the menu; what the partner's state does not allow is disabled. */
function useItems(status: Partner['status']): NonNullable<MenuProps['items']> {
  const { t } = useTranslation();
  const settled = status !== 'creating';
  const usable = settled && status !== 'deleting';
  return [
    { key: 'rename', icon: <EditOutlined />, label: t('partner_page.rename'), disabled: !settled },
    {
      key: 'clone',
      icon: <CopyOutlined />,
      label: t('partner_page.clone'),
      disabled: !usable,
    },
    {
      key: 'suspend',
      icon: <PauseCircleOutlined />,
      label: t('partner_page.suspend'),
      disabled: status !== 'active',
    },
    { type: 'divider' as const },
    {
      key: 'delete',
      icon: <DeleteOutlined />,
      label: t('partner_page.delete'),
      danger: true,
      disabled: !usable,
    },
  ];
}

function OpenDialog({
  partner,
  refresh,
  onCloned,
  dialog,
  close,
}: Props & { dialog: Dialog; close: () => void }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const support = supportOf(useMe(), partner.id);
  const done = (text: string, undo: () => Promise<unknown>) => {
    close();
    void refresh();
    notify.undo(text, async () => {
      await undo();
      await refresh();
    });
  };
  return (
    <>
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
