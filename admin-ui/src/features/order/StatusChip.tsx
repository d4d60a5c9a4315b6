import { DeleteOutlined, SubnodeOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Chip, type Tone } from '../../lib/ui/page';
import type { OrderRow } from './model';
import { isChild } from './payments/model';

/** An archived order is a storno; succeeded and processed have no label. */
const STATUS_TONE: Partial<Record<OrderRow['status'], Tone>> = {
  received: 'warning',
  prepared: 'success',
  canceled: 'neutral',
  expired: 'neutral',
  failed: 'error',
};

export function StatusChip({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  if (isChild(order))
    return (
      <Chip tone="error" icon={<SubnodeOutlined aria-hidden />}>
        {t('order.status_child')}
      </Chip>
    );
  if (order.archived_at)
    return (
      <Chip tone="error" icon={<DeleteOutlined aria-hidden />}>
        {t('order.status_archived')}
      </Chip>
    );
  const tone = STATUS_TONE[order.status];
  return tone ? <Chip tone={tone}>{t(`order.status_${order.status}`)}</Chip> : null;
}
