import { useTranslation } from 'react-i18next';
import type { ShadowCustomerDetails } from '../../generated/model';
import { formatMoney, useFormat } from '../../lib/format';
import { Card, Facts } from '../../lib/ui/page';
import { Balance } from './parts';

/** What the customer has ordered so far, and since when. */
export function Figures({ row }: { row: ShadowCustomerDetails }) {
  const { t } = useTranslation();
  const { language, number, dateTime } = useFormat();
  const label = (name: string) => t(`shadow_customers.${name}`);
  return (
    <Card title={t('customers.figures')}>
      <Facts
        rows={[
          [label('order_number'), number(row.order_number)],
          [label('order_total_sum'), formatMoney(language, row.order_total_sum, row.currency)],
          [label('last_order_at'), dateTime(row.last_order_at)],
          [label('first_order_at'), dateTime(row.first_order_at)],
          [label('created_at'), dateTime(row.created_at)],
          ...(row.balance === null || row.balance === undefined
            ? []
            : ([[label('balance'), <Balance key="balance" value={row.balance} />]] as const)),
          ...(row.points === null || row.points === undefined
            ? []
            : ([[label('points'), number(row.points)]] as const)),
          ...(row.customer_id ? ([[label('customer_id'), row.customer_id]] as const) : []),
        ]}
      />
    </Card>
  );
}
