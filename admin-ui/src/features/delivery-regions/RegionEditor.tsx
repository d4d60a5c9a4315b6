import { useTranslation } from 'react-i18next';
import type { DeliveryRegion } from '../../generated/model';
import ResourceEditor from '../../lib/crud/ResourceEditor';
import type { Row } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { REGION_FORM, regionFields, regionOverrides } from './regionFields';
import { useNoRegion } from './shared/useNoRegion';
import { useRemoveRegion } from './useRemoveRegion';

interface Props {
  /** Of a new region: none. */
  id: string | undefined;
  /** The map asks for more than the list. */
  onMap?: boolean;
  /** What a new one is called unless its name is changed. */
  name?: string | undefined;
  onCreated?: (region: DeliveryRegion) => void;
  onAnother?: () => void;
  onClose: () => void;
}

/** Name and prices of a region, in a drawer. */
export default function RegionEditor({ id, onMap = false, name, onCreated, onAnother, onClose }: Props) {
  const { t } = useTranslation();
  const { currency } = useFormat();
  const remove = useRemoveRegion();
  const { isLast } = useNoRegion();
  return (
    <ResourceEditor
      resource="delivery_regions"
      fields={regionFields(currency, onMap)}
      columns={[]}
      form={id !== undefined && isLast(id) ? [...REGION_FORM, 'no_region'] : REGION_FORM}
      overrides={regionOverrides(currency)}
      initial={{ active: true, ...(name ? { name } : {}) }}
      history
      id={id}
      removal={(_, row) => ({
        verb: t('action.delete'),
        run: () => remove(row as unknown as DeliveryRegion),
      })}
      onCreated={(row: Row) => onCreated?.(row as unknown as DeliveryRegion)}
      close={onClose}
      again={onAnother}
    />
  );
}
