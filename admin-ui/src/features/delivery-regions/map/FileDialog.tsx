import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../../generated/model';
import { useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import { Dialog } from '../../../lib/ui/Dialog';
import type { ReadFile } from './geojson';
import { RegionSelect } from './RegionSelect';
import { usePlaceWords } from './ShapeDrawer';

interface Props {
  name: string;
  read: ReadFile;
  /** Shapes whose region is not known by name. */
  unknown: number;
  regions: readonly DeliveryRegion[];
  /** Takes the shapes; those without a known region get this one, or stay pending. */
  onTake: (region: string | null) => void;
  onClose: () => void;
}

/** Faults that are listed; a file may have thousands. */
const SHOWN = 50;

/** What a file would bring, before it does. */
export function FileDialog({ name, read, unknown, regions, onTake, onClose }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const place = usePlaceWords();
  const [region, setRegion] = useState<string | null>(null);
  const { shapes, faults } = read;
  return (
    <Dialog
      title={name}
      onCancel={onClose}
      footer={
        <div className="form-buttons">
          <span className="form-buttons-gap" />
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" disabled={shapes.length === 0} onClick={() => onTake(region)}>
            {t('region_map.file_take')}
          </Button>
        </div>
      }
    >
      <p className="edit-lead">
        {t('region_map.file_shapes', { number: number(shapes.length) })}{' '}
        {faults.length > 0 && t('region_map.file_faults', { number: number(faults.length) })}
      </p>
      {unknown > 0 && (
        <RegionSelect
          regions={regions}
          value={region}
          onChange={setRegion}
          label={t('region_map.file_region', { number: number(unknown) })}
        />
      )}
      {faults.length > 0 && (
        <ul className="dr-file-faults">
          {faults.slice(0, SHOWN).map((fault, index) => (
            <li key={index}>
              {t('region_map.file_item', { number: number(fault.number) })}
              {fault.name ? ` (${fault.name})` : ''}: {t(`region_map.fault_${fault.what}`)}{' '}
              {fault.at && t('region_map.at', { place: place(fault.at) })}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
