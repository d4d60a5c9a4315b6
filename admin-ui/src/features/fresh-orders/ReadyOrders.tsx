import { UndoOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { canRecall, type OrderRow } from '../order/model';
import { useOrderWords } from '../order/parts';

interface Props {
  orders: readonly OrderRow[];
  busy: (id: string) => boolean;
  onRecall: (order: OrderRow) => void;
}

/** What was called ready within the last two hours, folded: a wrong call is found here and taken back. */
export function ReadyOrders({ orders, busy, onRecall }: Props) {
  const { t } = useTranslation();
  if (orders.length === 0) return null;
  return (
    <details className="fresh-ready">
      <summary>
        {t('fresh.ready')} <span className="fresh-count">{orders.length}</span>
      </summary>
      <ul>
        {orders.map((order) => (
          <ReadyOrder key={order.id} order={order} busy={busy(order.id)} onRecall={onRecall} />
        ))}
      </ul>
    </details>
  );
}

function ReadyOrder({ order, busy, onRecall }: { order: OrderRow; busy: boolean } & Pick<Props, 'onRecall'>) {
  const { t } = useTranslation();
  const { money, time } = useFormat();
  const words = useOrderWords();
  const url = usePageUrl();
  const can = useCan();
  const name = words.name(order);
  return (
    <li>
      <Link className="oc-name num" to={url('order_page', order.id)}>
        {name}
      </Link>
      <span className="fresh-ready-who">{words.who(order)}</span>
      <span className="num">{money(order.total_price)}</span>
      <span className="num">{t('fresh.ready_at', { time: time(order.prepared_at) })}</span>
      {canRecall(order) && can('order_accept') && (
        <Button
          icon={<UndoOutlined />}
          loading={busy}
          disabled={busy}
          aria-label={t('fresh.recall_of', { name })}
          onClick={() => onRecall(order)}
        >
          {t('order.recall')}
        </Button>
      )}
    </li>
  );
}
