import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/restaurant_switches.gen';
import { Feature } from '../../generated/model';
import type { FieldInfo } from '../../lib/fields/kinds';
import { NoEffect } from '../../lib/fields/NoEffect';
import { useSwitchedOn } from '../../lib/menu';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';

const ALL = Object.values(Feature);
const { noEffect }: FieldInfo = fields.features;

/** What the operator has switched on for the restaurant, and what it could have. Nothing is switched here. */
export default function Features() {
  const { t } = useTranslation();
  const query = useSwitchedOn();
  return (
    <>
      <PageHeader lead={t('features.lead')} actions={<SettingsHistoryButton group="features" />} />
      <Card>
        <p className="setting-lead">{t('features.ask')}</p>
        {query.data ? (
          ALL.map((feature) => <Line key={feature} feature={feature} on={query.data.includes(feature)} />)
        ) : (
          <QueryFallback query={query} rows={5} />
        )}
      </Card>
    </>
  );
}

function Line({ feature, on }: { feature: Feature; on: boolean }) {
  const { t } = useTranslation();
  return (
    <div className="setting-line">
      <div>
        <b>{t(`features.name.${feature}`)}</b>
        <p>{t(`features.text.${feature}`)}</p>
        {noEffect?.values?.includes(feature) && <NoEffect of={noEffect} />}
      </div>
      <Chip tone={on ? 'success' : 'neutral'}>{t(on ? 'features.on' : 'features.off')}</Chip>
    </div>
  );
}
