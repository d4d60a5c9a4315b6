import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { migratePartner, type Partner, reactivatePartner, undeletePartner } from '../partners/api';
import './partner.css';

/** Alerts about the state, each with its solution. */
export function StateAlerts({ partner, refresh }: { partner: Partner; refresh: () => Promise<void> }) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const notify = useNotify();
  const [running, setRunning] = useState(false);
  const run = async (call: () => Promise<unknown>, done: string) => {
    setRunning(true);
    try {
      await call();
      notify.success(t(done));
    } catch (error) {
      notify.problem(error);
    } finally {
      await refresh();
      setRunning(false);
    }
  };
  const action = (verb: string, call: () => Promise<unknown>, done: string) => (
    <Button loading={running} onClick={() => void run(call, done)}>
      {t(verb)}
    </Button>
  );
  return (
    <>
      {partner.status === 'creating' && !partner.error && (
        <Alert
          className="page-alert"
          type="info"
          showIcon
          title={t('partner_page.creating')}
          description={t('partner_page.creating_text')}
        />
      )}
      {partner.status === 'suspended' && (
        <Alert
          className="page-alert"
          type="warning"
          showIcon
          title={t('partner_page.suspended')}
          description={partner.suspended_reason}
          action={action(
            'partner_page.reactivate',
            () => reactivatePartner(partner.id),
            'partner_page.reactivated',
          )}
        />
      )}
      {partner.status === 'deleting' && (
        <Alert
          className="page-alert"
          type="error"
          showIcon
          title={t('partner_page.deleting', { date: date(partner.delete_at) })}
          description={t('partner_page.deleting_text')}
          action={action(
            'partner_page.undelete',
            () => undeletePartner(partner.id),
            'partner_page.undeleted',
          )}
        />
      )}
      {(partner.error || (!partner.current && partner.status === 'active')) && (
        <Alert
          className="page-alert"
          type={partner.error ? 'error' : 'warning'}
          showIcon
          title={t(partner.error ? 'partner_page.set_aside' : 'partner_page.outdated')}
          description={partner.error && <code className="partner-error">{partner.error}</code>}
          action={action('partner_page.migrate', () => migratePartner(partner.id), 'partner_page.migrated')}
        />
      )}
    </>
  );
}
