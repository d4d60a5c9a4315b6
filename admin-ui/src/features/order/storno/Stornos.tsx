import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../../lib/format';
import { usePageUrl } from '../../../lib/navigation';
import { Card } from '../../../lib/ui/page';
import type { Order } from '../model';
import { useReasonWords } from '../reasons';

/** The partial stornos of an order: when, by whom, why, how much. Each is a page of its own. */
export function Stornos({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money, dateTime } = useFormat();
  const url = usePageUrl();
  const { why } = useReasonWords();
  if (!order.stornos || order.stornos.length === 0) return null;
  return (
    <Card title={t('order.stornos')} className="order-stornos-card">
      <ul className="order-payments order-stornos">
        {order.stornos.map((storno) => (
          <li key={storno.id}>
            <div className="payment-line">
              <Link className="fact-link num" to={url('order_page', storno.id)}>
                {dateTime(storno.created_at)}
              </Link>
              <b className="num">{money(storno.total_price)}</b>
            </div>
            <p className="payment-details">{why(storno)}</p>
            <p className="payment-by">{storno.by}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
