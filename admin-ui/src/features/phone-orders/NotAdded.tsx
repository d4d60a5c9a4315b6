import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Missing } from '../order-taking/again';

/** What of an earlier order is not in the cart, and why. */
export function NotAdded({ missing, onClose }: { missing: readonly Missing[]; onClose?: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      type="warning"
      showIcon
      closable={onClose ? { onClose, 'aria-label': t('action.close') } : false}
      title={t('phone_orders.again_not_all')}
      description={
        <ul>
          {missing.map(({ name, why, options }, at) => (
            <li key={at}>{t(`phone_orders.again_${why}`, { name, options: options.join(', ') })}</li>
          ))}
        </ul>
      }
    />
  );
}
