import { EditOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format';
import { Button } from '../../../lib/ui/Button';
import type { OrderRow } from '../model';
import { useOrderWords } from '../parts';
import { lookAt, useIsNews } from './seen';
import { useChangeLabels } from './words';
import './change.css';

/** That an order was changed, when and what of it, until somebody on this device has looked. */
export function ChangedNote({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const words = useOrderWords();
  const { things } = useChangeLabels();
  if (!useIsNews(order) || !order.changed_at) return null;
  return (
    <div className="order-changed" role="note">
      <EditOutlined aria-hidden />
      <span>
        <b>{t('order.change_news', { time: time(order.changed_at) })}</b> {things(order.changed_fields ?? [])}
      </span>
      <Button
        size="small"
        aria-label={t('order.change_seen_of', { name: words.name(order) })}
        onClick={() => lookAt(order)}
      >
        {t('order.change_seen')}
      </Button>
    </div>
  );
}
