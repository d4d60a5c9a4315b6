import { StopOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../lib/ui/page';
import type { Entry } from './menu';

/** So few pieces are worth a word. */
const FEW = 10;

/** Why it cannot be ordered, or how many there are still. */
export function StockNote({ entry: { stock, left } }: { entry: Pick<Entry, 'stock' | 'left'> }) {
  const { t } = useTranslation();
  if (stock === 'ready')
    return left !== undefined && left <= FEW ? (
      <Chip tone="warning">{t('taking.left', { count: left })}</Chip>
    ) : null;
  const why = left === 0 ? 'sold_out' : 'unavailable';
  return (
    <Chip tone="neutral" icon={<StopOutlined aria-hidden />}>
      {t(`taking.stock_${why}`)}
    </Chip>
  );
}
