import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { useCustomerOrders } from './api';
import { Pager } from './Pager';
import { OrderRows } from './shared/OrderRows';
import { useSeen } from './useSeen';

/** The customer's orders, read once they come into sight. */
export function Orders({ id }: { id: string }) {
  const { t } = useTranslation();
  const { ref, seen } = useSeen();
  const [page, setPage] = useState(0);
  const orders = useCustomerOrders(id, page, seen);
  return (
    <div ref={ref}>
      <Card title={t('customers.orders')}>
        {!orders.data ? (
          <QueryFallback query={orders} rows={4} />
        ) : orders.data.total === 0 ? (
          <p className="edit-help">{t('customers.orders_none')}</p>
        ) : (
          <div aria-busy={orders.isPlaceholderData}>
            <OrderRows orders={orders.data.rows} label={t('customers.orders')} />
            <Pager
              of={t('customers.orders')}
              page={page}
              rows={orders.data.rows.length}
              total={orders.data.total}
              onChange={setPage}
            />
          </div>
        )}
      </Card>
    </div>
  );
}
