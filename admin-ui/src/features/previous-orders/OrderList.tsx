import { ArrowUpOutlined } from '@ant-design/icons';
import { type ComponentProps, type Ref, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { moveBetweenRows } from '../../lib/crud/ResourceRows';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { Button } from '../../lib/ui/Button';
import { EmptyState, ErrorState, NothingMatches, QueryFallback } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import type { PreviousOrders } from './api';
import { type Filter, isFiltered } from './filter';
import { OrderRows } from './OrderRows';
import { useFilterWords } from './useWords';

interface Props {
  ref: Ref<HTMLDivElement>;
  list: PreviousOrders;
  filter: Filter;
  onReset: () => void;
  rows: Pick<ComponentProps<typeof OrderRows>, 'onOpen' | 'onArchive' | 'busy'>;
}

/** The rows, or why there are none. */
export function OrderList({ ref, list, filter, onReset, rows: given }: Props) {
  const { query, rows, news } = list;
  return (
    <>
      {rows && rows.orders.length > 0 && news > 0 && <NewRows number={news} onShow={list.anew} />}
      <div ref={ref} className="previous-list" onKeyDown={moveBetweenRows} aria-busy={query.isFetching}>
        {!rows || (query.isError && query.isPlaceholderData) ? (
          <Fallback query={query} />
        ) : rows.orders.length === 0 ? (
          <Nothing filter={filter} onReset={onReset} />
        ) : (
          <OrderRows {...given} orders={rows.orders} old={query.isPlaceholderData} />
        )}
      </div>
      {rows && rows.orders.length > 0 && <Foot list={list} rows={rows} />}
    </>
  );
}

/** A filter that is refused is not read again as it is. */
const Fallback = ({ query }: { query: PreviousOrders['query'] }) =>
  query.error instanceof ApiError && query.error.status === 422 ? (
    <ErrorState error={query.error} />
  ) : (
    <QueryFallback query={query} rows={8} />
  );

function Nothing({ filter, onReset }: { filter: Filter; onReset: () => void }) {
  const { t } = useTranslation();
  const words = useFilterWords()(filter).map(({ text }) => text);
  return isFiltered(filter) ? (
    <NothingMatches onClear={onReset} filters={`${t('list.filtered_by')} ${words.join('; ')}`} />
  ) : (
    <EmptyState title={t('previous.empty_title')} text={t('previous.empty')} />
  );
}

/** Rows that came in meanwhile wait behind a button. */
function NewRows({ number, onShow }: { number: number; onShow: () => Promise<void> }) {
  const { t } = useTranslation();
  const { busy, work } = useWork();
  return (
    <div className="previous-news" role="status">
      <Button
        type="primary"
        icon={<ArrowUpOutlined />}
        loading={busy}
        onClick={() =>
          void work(async () => {
            await onShow();
            scrollTo({ top: 0 });
            document.getElementById('main')?.focus({ preventScroll: true });
          })
        }
      >
        {t('previous.news', { count: number })}
      </Button>
    </div>
  );
}

/** How many of how many, and the way to more. */
function Foot({ list, rows }: { list: PreviousOrders; rows: NonNullable<PreviousOrders['rows']> }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { busy, work } = useWork();
  const foot = useRef<HTMLElement>(null);
  const shown = rows.orders.length;
  // The button goes with the last rows: the first of those that it brought takes its focus.
  const before = useRef<number>(undefined);
  useEffect(() => {
    // The rows may come a little later than the end of the call.
    if (before.current === undefined || busy || shown <= before.current) return;
    if (rows.left === 0)
      foot.current?.parentElement?.querySelectorAll<HTMLElement>('.row-link')[before.current]?.focus();
    before.current = undefined;
  }, [busy, rows.left, shown]);
  const more = async () => {
    before.current = shown;
    try {
      await list.more();
    } catch (error) {
      before.current = undefined;
      throw error;
    }
  };
  return (
    <footer ref={foot} className="list-foot">
      <span aria-live="polite">
        {t('previous.shown', { shown: number(shown), total: number(Math.max(shown, rows.total)) })}
      </span>
      {rows.left > 0 && (
        <Button loading={busy} onClick={() => void work(more)}>
          {t('previous.load_more')}
        </Button>
      )}
    </footer>
  );
}
