import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SideDrawer } from '../../../lib/ui/SideDrawer';
import { AddressCheck } from './AddressCheck';
import { NOTHING } from './asked';

/** Testing an address over a list. */
export default function CheckDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(NOTHING);
  return (
    <SideDrawer title={t('region_check.title')} width={520} onClose={onClose}>
      <p className="edit-lead">{t('region_check.lead')}</p>
      <AddressCheck asked={asked} onChange={setAsked} />
    </SideDrawer>
  );
}
