import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurants_points.gen';
import { type Layout, SettingsForm, useSettings } from '../../lib/crud';
import { useSwitchedOn } from '../../lib/menu';
import { PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';

const LAYOUT: Layout = [{ title: 'restaurants_points.share', fields: ['point_cash_ratio'] }];

/** How much of what they pay guests get back as points. */
export default function PointCollection() {
  const { t } = useTranslation();
  const { data: on } = useSwitchedOn();
  const state = useSettings({ resource: 'restaurants_points', fields });
  return (
    <>
      <PageHeader lead={t('restaurants_points.lead')} actions={<SettingsHistoryButton group="points" />} />
      {on && !on.includes('loyalty') && (
        <Alert
          className="page-alert"
          type="warning"
          showIcon
          title={t('restaurants_points.off')}
          description={t('restaurants_points.off_text')}
        />
      )}
      <SettingsForm
        state={state}
        layout={LAYOUT}
        overrides={{
          point_cash_ratio: { unit: '%', info: { ...fields.point_cash_ratio, min: 0, max: 100 } },
        }}
      />
    </>
  );
}
