import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { type OrderRow, shownAt } from '../order/model';
import { Marks, useOrderWords } from '../order/parts';
import { useLaterOrders } from './useLaterOrders';

/** Orders for later, folded: each joins the board when the kitchen should see it. */
export function LaterOrders() {
  const { t } = useTranslation();
  const { rows, total, asking, more } = useLaterOrders();
  if (rows.length === 0) return null;
  return (
    <details className="fresh-ready fresh-later">
      <summary>
        {t('fresh.later')} <span className="fresh-count">{total}</span>
      </summary>
      <ul>
        {rows.map((order) => (
          <LaterOrder key={order.id} order={order} />
        ))}
      </ul>
      {total > rows.length && (
        <div className="fresh-more">
          <Button loading={asking} disabled={asking} onClick={more}>
            {t('fresh.load_more')}
          </Button>
          <span>{t('fresh.loaded', { loaded: rows.length, total })}</span>
        </div>
      )}
    </details>
  );
}

function LaterOrder({ order }: { order: OrderRow }) {
  const { t } = useTranslation();
  const { money, dateTime } = useFormat();
  const words = useOrderWords();
  const url = usePageUrl();
  return (
    <li>
      <Link className="oc-name num" to={url('order_page', order.id)}>
        {words.name(order)}
      </Link>
      {order.expected_at && (
        <span>
          {t('fresh.wanted')} <b className="num">{dateTime(order.expected_at)}</b>
        </span>
      )}
      <span className="fresh-ready-who">
        {words.who(order)} <Marks order={{ ...order, is_preorder: false }} />
      </span>
      <span className="num">{money(order.total_price)}</span>
      <span className="num">{t('fresh.shows_at', { at: dateTime(shownAt(order)) })}</span>
    </li>
  );
}
