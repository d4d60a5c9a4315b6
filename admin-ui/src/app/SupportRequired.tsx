import { SafetyCertificateOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { findRestaurant } from '../lib/restaurants';
import { SupportForm } from '../lib/support/SupportForm';
import '../lib/crud/form.css';

/** In the place of a restaurant that a super admin has no support access to. */
export default function SupportRequired({
  partnerId,
  restaurantId,
  onDone,
}: {
  partnerId: string;
  restaurantId: string;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>();
  useEffect(() => {
    document.title = `${t('support.needed')} · Pult`;
    void findRestaurant(restaurantId).then(
      (row) => setName(row?.partner_name),
      () => undefined,
    );
  }, [restaurantId, t]);
  return (
    <main className="bare">
      <div className="card support-needed">
        <h1>
          <SafetyCertificateOutlined aria-hidden />{' '}
          {name ? t('support.title', { partner: name }) : t('support.needed')}
        </h1>
        <SupportForm partnerId={partnerId} onDone={onDone} />
        <Link to="/platform">{t('support.to_console')}</Link>
      </div>
    </main>
  );
}
