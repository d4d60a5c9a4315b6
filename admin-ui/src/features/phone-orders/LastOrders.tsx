import { RedoOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CustomerOrder } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useLocked } from '../../lib/form/fieldState';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Chip } from '../../lib/ui/page';
import type { Missing } from '../order-taking/again';
import { NotAdded } from './NotAdded';

export interface LastOrdersProps {
  orders: readonly CustomerOrder[];
  /** Adds an earlier order; answers what the menu lacks. */
  onAgain: (order: CustomerOrder) => Promise<readonly Missing[] | undefined>;
  /** How many of them, the newest first; all unless given. */
  most?: number;
}

/** Earlier orders, each again with one tap. */
export function LastOrders({ orders, onAgain, most = orders.length }: LastOrdersProps) {
  const { t } = useTranslation();
  const { dateTime, number } = useFormat();
  const locked = useLocked();
  const restaurant = useRestaurant();
  const [busy, setBusy] = useState<string>();
  const [missing, setMissing] = useState<readonly Missing[]>();
  // Another restaurant has another menu.
  const own = orders.filter(({ restaurant_id }) => restaurant_id === restaurant.id).slice(0, most);
  if (own.length === 0) return null;
  const wordsOf = (item: CustomerOrder['items'][number] | undefined) =>
    item ? `${number(item.quantity)} × ${item.name}` : '';
  const add = async (order: CustomerOrder) => {
    setBusy(order.id);
    setMissing(undefined);
    setMissing(await onAgain(order));
    setBusy(undefined);
  };
  return (
    <section aria-label={t('phone_orders.last_orders')} className="phone-last">
      <h3>{t('phone_orders.last_orders')}</h3>
      <ul>
        {own.map((order) => (
          <li key={order.id}>
            <span>
              <span className="num edit-help">{dateTime(order.created_at)}</span>
              {order.archived_at && <Chip tone="error">{t('phone_orders.cancelled')}</Chip>}
              <span>{order.items.map(wordsOf).join(', ')}</span>
            </span>
            <Button
              size="small"
              icon={<RedoOutlined />}
              loading={busy === order.id}
              disabled={locked || (busy !== undefined && busy !== order.id)}
              aria-label={t('phone_orders.again_of', {
                at: dateTime(order.created_at),
                what: wordsOf(order.items[0]),
              })}
              onClick={() => void add(order)}
            >
              {t('phone_orders.again')}
            </Button>
          </li>
        ))}
      </ul>
      <div role="status">
        {missing && missing.length === 0 && <p className="edit-help">{t('phone_orders.again_all')}</p>}
        {missing && missing.length > 0 && <NotAdded missing={missing} />}
      </div>
    </section>
  );
}
