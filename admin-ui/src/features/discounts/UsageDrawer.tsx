import { Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import DayInput from '../../lib/fields/DayInput';
import type { DiscountRevenue } from '../../generated/model';
import { formatMoney, useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import { Facts } from '../../lib/ui/page';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { useDiscount, useRevenue } from './api';

/** How often a promotion was used, and what the orders came to that used it, by restaurant. */
export default function UsageDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [from, setFrom] = useState<string | null>(null);
  const [till, setTill] = useState<string | null>(null);
  const name = useDiscount(id).data?.name;
  const revenue = useRevenue(id, from, till);
  return (
    <SideDrawer
      rootClassName="edit-drawer"
      title={name ? t('discounts.usage_of', { name }) : t('discounts.usage')}
      width={860}
      onClose={onClose}
    >
      <p className="edit-lead">{t('discounts.usage_lead')}</p>
      <div className="field-line discount-days">
        <div className="edit-field">
          <label className="edit-label" htmlFor="usage-from">
            {t('discounts.from_day')}
          </label>
          <DayInput id="usage-from" value={from} onChange={setFrom} />
        </div>
        <div className="edit-field">
          <label className="edit-label" htmlFor="usage-till">
            {t('discounts.till_day')}
          </label>
          <DayInput id="usage-till" value={till} onChange={setTill} />
        </div>
      </div>
      {!revenue.data ? (
        <QueryFallback query={revenue} rows={4} />
      ) : revenue.data.length === 0 ? (
        <EmptyState title={t('discounts.unused')} text={t('discounts.unused_text')} />
      ) : (
        <Rows rows={revenue.data} />
      )}
    </SideDrawer>
  );
}

/** A table, or where there is little room the facts of one restaurant after the other. */
function Rows({ rows }: { rows: DiscountRevenue[] }) {
  const { t } = useTranslation();
  const { language, number } = useFormat();
  const narrow = useNarrow();
  const money = (row: DiscountRevenue, field: 'discount_price' | 'total_price') =>
    formatMoney(language, row[field], row.currency);
  const columns = [
    { key: 'use_qty', title: t('discounts.orders'), text: (row: DiscountRevenue) => number(row.use_qty) },
    {
      key: 'given_back_qty',
      title: t('discounts.given_back'),
      text: (row: DiscountRevenue) => number(row.given_back_qty),
    },
    {
      key: 'discount_price',
      title: t('discounts.given'),
      text: (row: DiscountRevenue) => money(row, 'discount_price'),
    },
    {
      key: 'total_price',
      title: t('discounts.revenue'),
      text: (row: DiscountRevenue) => money(row, 'total_price'),
    },
  ];
  if (narrow)
    return rows.map((row) => (
      <section key={row.restaurant_id} className="discount-revenue">
        <h3>{row.restaurant_name}</h3>
        <Facts rows={columns.map(({ title, text }) => [title, text(row)] as const)} />
      </section>
    ));
  return (
    <Table<DiscountRevenue>
      rowKey="restaurant_id"
      pagination={false}
      dataSource={rows}
      scroll={{ x: true }}
      columns={[
        {
          key: 'restaurant',
          title: t('discounts.restaurant'),
          render: (_: unknown, row: DiscountRevenue) => row.restaurant_name,
        },
        ...columns.map(({ key, title, text }) => ({
          key,
          title,
          align: 'right' as const,
          render: (_: unknown, row: DiscountRevenue) => <span className="num">{text(row)}</span>,
        })),
      ]}
    />
  );
}
