import { useTranslation } from 'react-i18next';
import { SettingsForm } from '../../lib/crud';
import { PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { GROUPS, useGeneral } from './general';

/** Identity, address, zone, currency and languages of the restaurant. */
export default function RestaurantGeneral() {
  const { t } = useTranslation();
  const { state, overrides, placeOnMap } = useGeneral();
  return (
    <>
      <PageHeader lead={t('restaurants_general.lead')} actions={<SettingsHistoryButton group="general" />} />
      <SettingsForm
        state={state}
        layout={[GROUPS.identity, GROUPS.contact, GROUPS.address, placeOnMap, GROUPS.locale, GROUPS.vat]}
        overrides={overrides}
      />
    </>
  );
}
