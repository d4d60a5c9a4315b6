import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import { Dialog } from '../../../lib/ui/Dialog';
import { RegionSelect } from './RegionSelect';

interface Props {
  /** How many shapes wait for a region. */
  count: number;
  regions: readonly DeliveryRegion[];
  onChoose: (region: string) => void;
  onNew: () => void;
  /** They stay without one for now. */
  onLater: () => void;
}

/** Asks which region a shape belongs to that was drawn without one. */
export function RegionSelector({ count, regions, onChoose, onNew, onLater }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [region, setRegion] = useState<string | null>(null);
  return (
    <Dialog
      title={t('region_map.which_region')}
      onCancel={onLater}
      footer={
        <div className="form-buttons">
          <Button onClick={onNew}>{t('delivery_regions.new')}</Button>
          <span className="form-buttons-gap" />
          <Button onClick={onLater}>{t('region_map.later')}</Button>
          <Button
            type="primary"
            disabled={region === null}
            onClick={() => region !== null && onChoose(region)}
          >
            {t('region_map.assign')}
          </Button>
        </div>
      }
    >
      <p className="edit-lead">{t('region_map.which_region_text', { count, number: number(count) })}</p>
      <RegionSelect regions={regions} value={region} onChange={setRegion} label={t('region_map.region')} />
    </Dialog>
  );
}
