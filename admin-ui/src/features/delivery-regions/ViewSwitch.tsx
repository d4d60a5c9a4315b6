import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePage } from '../../lib/navigation';

/** The two ways to look at the regions: their names and streets, or the map. */
export function ViewSwitch({ value }: { value: 'list' | 'map' }) {
  const { t } = useTranslation();
  const { open } = usePage();
  return (
    <Segmented
      aria-label={t('delivery_regions.view')}
      value={value}
      onChange={(next) => void open(next, { dropQuery: true })}
      options={[
        { value: 'list', label: t('delivery_regions.view_list') },
        { value: 'map', label: t('delivery_regions.view_map') },
      ]}
    />
  );
}
