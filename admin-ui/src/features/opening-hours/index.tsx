import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Card, PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { Holidays } from './Holidays';
import { OpenChip } from './OpenChip';
import { WeekCard } from './WeekCard';
import '../../lib/crud/form.css';
import './hours.css';

/**
 * The week's hours, and the days that differ. Both stay as they are edited while one looks at the other.
 */
export default function OpeningHoursPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const select = (tab: string) => {
    const next = new URLSearchParams(params);
    if (tab === 'general') next.delete('tab');
    else next.set('tab', tab);
    setParams(next, { replace: true });
  };
  return (
    <>
      <PageHeader mark={<OpenChip />} lead={t('hours.lead')} />
      <div className="settings">
        <Tabs
          activeKey={params.get('tab') === 'holiday' ? 'holiday' : 'general'}
          onChange={select}
          items={[
            {
              key: 'general',
              label: t('hours.tab_general'),
              children: (
                <Card title={t('hours.week_title')} extra={<SettingsHistoryButton group="opening_hours" />}>
                  <WeekCard />
                </Card>
              ),
            },
            {
              key: 'holiday',
              label: t('hours.tab_holiday'),
              children: (
                <Card title={t('hours.holidays_title')} extra={<SettingsHistoryButton group="holidays" />}>
                  <Holidays />
                </Card>
              ),
            },
          ]}
        />
      </div>
    </>
  );
}
