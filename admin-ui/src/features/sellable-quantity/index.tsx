import { BarcodeOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SellableQuantity } from '../../generated/model';
import '../../lib/crud/list.css';
import { ListFoot, ListSearch } from '../../lib/crud/listParts';
import { type ListState, useListState } from '../../lib/crud/useListState';
import { useScanner } from '../../lib/scanner';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, NothingMatches, QueryFallback } from '../../lib/ui/states';
import { findByEan } from '../categories-and-products/shared/ean';
import { useQuantities } from './api';
import { Row } from './Row';
import './sellable-quantity.css';

const ONLY = ['counted', 'sold_out', 'off'] as const;
type Only = (typeof ONLY)[number];

/** What is left of each size, for the counter and the kitchen: live, with large buttons. */
export default function SellableQuantities() {
  const { t } = useTranslation();
  const state = useListState(['only', 'ean']);
  const only = ONLY.find((one) => one === state.filters['only']?.[0]);
  const ean = state.filters['ean']?.[0];
  const quantities = useQuantities(
    {
      ...(state.search ? { name: state.search } : {}),
      ...(ean ? { ean_code: ean } : {}),
      ...(only ? { only } : {}),
    },
    state.page,
  );
  useScan(state);
  const list = quantities.data;
  return (
    <>
      <PageHeader lead={t('sellable_quantities.lead')} />
      <Card flush className="list-card">
        <Tools state={state} only={only} ean={ean} />
        {!list && <QueryFallback query={quantities} rows={8} />}
        {list && list.rows.length === 0 && <None state={state} />}
        {list && list.rows.length > 0 && (
          <div aria-busy={quantities.isPlaceholderData}>
            {byCategory(list.rows).map(({ title, rows }) => (
              <section key={rows[0]!.id} className="qty-category">
                <h2>{title}</h2>
                <ul className="qty-rows" aria-label={title}>
                  {rows.map((row) => (
                    <Row key={row.id} row={row} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
        {list && list.total > 0 && (
          <ListFoot
            state={state}
            total={list.total}
            stale={quantities.isPlaceholderData}
            text={t('list.total', { total: list.total })}
          />
        )}
      </Card>
    </>
  );
}

/** A code that is scanned shows its size alone. */
function useScan(state: ListState) {
  const { t } = useTranslation();
  const notify = useNotify();
  useScanner((code) => {
    findByEan(code).then(
      (found) =>
        found.length > 0
          ? state.set({ search: '', page: 1, filters: { ean: [code], only: undefined } })
          : notify.info(t('sellable_quantities.article_not_found', { code })),
      notify.problem,
    );
  });
}

function Tools({ state, only, ean }: { state: ListState; only: Only | undefined; ean: string | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="list-tools" role="search" data-scan>
      <ListSearch state={state} />
      <Select<Only | ''>
        className="list-filter"
        aria-label={t('sellable_quantities.only')}
        popupMatchSelectWidth={false}
        value={only ?? ''}
        onChange={(next) => state.set({ filters: { only: next ? [next] : undefined } })}
        options={(['', ...ONLY] as const).map((value) => ({
          value,
          label: t(`sellable_quantities.only.${value || 'all'}`),
        }))}
      />
      {ean && (
        <Button
          icon={<BarcodeOutlined />}
          aria-label={t('sellable_quantities.scan_end', { code: ean })}
          onClick={() => state.set({ filters: { ean: undefined } })}
        >
          {ean} ×
        </Button>
      )}
    </div>
  );
}

function None({ state }: { state: ListState }) {
  const { t } = useTranslation();
  if (state.filtered) return <NothingMatches onClear={state.clear} />;
  return <EmptyState title={t('sellable_quantities.empty_title')} text={t('sellable_quantities.empty')} />;
}

interface Group {
  title: string;
  rows: SellableQuantity[];
}

/** Rows that stand in the order of the menu, by category. */
export function byCategory(rows: readonly SellableQuantity[]): Group[] {
  const groups: (Group & { id: string })[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.id === row.product_category_id) last.rows.push(row);
    else
      groups.push({
        id: row.product_category_id,
        title: [row.parent_category_name, row.category_name].filter(Boolean).join(' › '),
        rows: [row],
      });
  }
  return groups;
}
