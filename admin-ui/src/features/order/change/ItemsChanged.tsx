import { EditOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePageUrl } from '../../../lib/navigation';
import { orderName } from '../../../lib/orderName';
import { Button } from '../../../lib/ui/Button';
import { itemName, optionName, type Order, type OrderRow } from '../model';
import { useOrderWords } from '../parts';
import { itemsOf, lookAt, useIsNews } from './seen';
import './change.css';

/** What is new of an order whose items were changed, and what went. */
function Lines({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const came = (order.items ?? []).filter(({ new_quantity }) => (new_quantity ?? 0) > 0);
  const options = (names: readonly string[]) => (names.length > 0 ? ` (${names.join(', ')})` : '');
  return (
    <ul className="change-list">
      {came.map((item, at) => (
        <li key={at}>
          <b>{t('order.items_new')}</b> {t('order.times', { quantity: item.new_quantity })} {itemName(item)}
          {options((item.item_options ?? []).map((option) => optionName(option)))}
        </li>
      ))}
      {(order.removed_items ?? []).map((item) => (
        <li key={item.order_item_id}>
          <b>{t('order.items_gone')}</b>{' '}
          <s>
            {t('order.times', { quantity: item.quantity })} {item.name}
            {options(item.options)}
          </s>
        </li>
      ))}
    </ul>
  );
}

/** On the page of an order that took the place of another. */
export function ItemsChanged({ order }: { order: Order }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  if (!order.replaces_id) return null;
  return (
    <div className="order-changed" role="note">
      <EditOutlined aria-hidden />
      <div>
        <Link to={url('order_page', order.replaces_id)}>
          {t('order.replaces', { order: orderName(t, order.replaces_counter) })}
        </Link>
        <Lines order={order} />
      </div>
    </div>
  );
}

/** On the board, until somebody on this device has looked. */
export function ItemsChangedNote({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const words = useOrderWords();
  const changed = itemsOf(order);
  if (!useIsNews(changed)) return null;
  return (
    <div className="order-changed" role="note">
      <EditOutlined aria-hidden />
      <div>
        <b>{t('order.items_changed')}</b>
        <Lines order={order} />
      </div>
      <Button
        size="small"
        aria-label={t('order.change_seen_of', { name: words.name(order) })}
        onClick={() => lookAt(changed)}
      >
        {t('order.change_seen')}
      </Button>
    </div>
  );
}
