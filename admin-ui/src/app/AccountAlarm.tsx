import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useCan } from '../lib/access';
import { useLiveEvent } from '../lib/live';
import { usePageUrl } from '../lib/navigation';
import { providerName } from '../lib/paymentProviders';
import { Button } from '../lib/ui/Button';

/** Says on every screen that a provider no longer takes an account, until somebody has read it. */
export function AccountAlarm() {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const can = useCan();
  const url = usePageUrl();
  const navigate = useNavigate();
  useLiveEvent('TASK_PAYMENT_ACCOUNT_REFUSED', ({ account_id, provider }) => {
    const open = () => {
      notification.destroy(account_id);
      void navigate(url('payment_methods_web'));
    };
    notification.error({
      key: account_id,
      title: t('shell.account_refused', { name: providerName(provider) }),
      description: t('shell.account_refused_text'),
      duration: 0,
      role: 'alert',
      actions: can('payment_method') ? (
        <Button onClick={open}>{t('shell.account_refused_open')}</Button>
      ) : undefined,
    });
  });
  return null;
}
