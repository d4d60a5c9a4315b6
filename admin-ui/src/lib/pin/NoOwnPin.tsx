import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageUrl } from '../navigation';
import { useOwn } from './own';

/** Where the PIN of anybody with the right is taken: says to a person without one where it is set. */
export function NoOwnPin() {
  const { t } = useTranslation();
  const url = usePageUrl();
  if (useOwn()?.has_pin !== false) return null;
  return (
    <>
      {t('pin.none_of_your_own')} <Link to={`${url('my_account')}#pin`}>{t('pin.set_here')}</Link>
    </>
  );
}
