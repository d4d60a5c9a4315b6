import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/storno_reasons.gen';
import { ResourcePage } from '../../lib/crud';

/** Why orders are refused and cancelled, in the restaurant's own words and its order. */
export default function StornoReasons() {
  const { t } = useTranslation();
  return (
    <ResourcePage
      resource="storno_reasons"
      fields={fields}
      lead={t('storno_reasons.lead')}
      columns={['name', 'used_for', 'text_required', 'active']}
      filters={['active', 'used_for']}
      form={['name', 'used_for', 'text_required', 'active']}
      initial={{ active: true, used_for: 'both' }}
    />
  );
}
