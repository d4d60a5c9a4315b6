import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { Dialog } from '../../lib/ui/Dialog';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip } from '../../lib/ui/page';
import { CopyButton } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { usePeople } from './api';
import type { Admin } from './types';

/** Whether the person has a PIN. The service chooses a new one and shows it once; nobody types it for others. */
export function PinCard({ row, locked }: { row: Admin; locked: boolean }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const people = usePeople();
  const { busy, work } = useWork();
  const [given, setGiven] = useState<string>();
  const name = row.name || row.email;
  const give = async () => {
    if (
      row.has_pin &&
      !(await notify.confirm({
        title: t('users.pin_ask', { name }),
        effect: t('users.pin_effect'),
        verb: t('users.pin_new'),
      }))
    )
      return;
    await work(async () => {
      setGiven((await people.givePin(row.id)).pin);
      await people.refresh();
    });
  };
  return (
    <Card
      title={t('users.pin')}
      extra={
        <Chip tone={row.has_pin ? 'success' : 'neutral'}>
          {t(row.has_pin ? 'users.pin_on' : 'users.pin_off')}
        </Chip>
      }
    >
      <p className="edit-lead">{t('users.pin_help')}</p>
      {!locked && (
        <Button loading={busy} onClick={() => void give()}>
          {t('users.pin_new')}
        </Button>
      )}
      {given && (
        <Dialog
          title={t('users.pin_given', { name })}
          mask={{ closable: false }}
          keyboard={false}
          closable={false}
          footer={
            <Button type="primary" onClick={() => setGiven(undefined)}>
              {t('users.pin_told')}
            </Button>
          }
        >
          <Alert type="warning" showIcon title={t('users.pin_once')} />
          <p className="users-pin num">{given}</p>
          <CopyButton text={given} label={t('action.copy')}>
            {t('users.pin_copy')}
          </CopyButton>
        </Dialog>
      )}
    </Card>
  );
}
