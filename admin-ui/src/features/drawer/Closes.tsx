import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DrawerClose } from '../../generated/model';
import { PlainRows } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { ErrorState, Loading } from '../../lib/ui/states';
import { hundredths } from '../order/payments/exact';
import { useCloses } from './api';
import { isCash } from './model';
import { DifferenceChip, useMoney } from './parts';

/** Earlier closes as far as they were read. */
export function Closes({ courier }: { courier: string | undefined }) {
  const { t } = useTranslation();
  const query = useCloses(courier);
  const rows = query.data?.pages.flatMap((page) => page.rows);
  if (!rows)
    return query.isError ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Loading rows={3} />
    );
  if (rows.length === 0) return <p className="drawer-none">{t('drawer.no_closes')}</p>;
  const total = query.data!.pages.at(-1)!.total;
  return (
    <>
      <Rows rows={rows} />
      {query.hasNextPage && (
        <footer className="list-foot">
          <span>{t('drawer.loaded', { loaded: rows.length, total })}</span>
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('drawer.load_more')}
          </Button>
        </footer>
      )}
    </>
  );
}

function Rows({ rows }: { rows: readonly DrawerClose[] }) {
  const { t } = useTranslation();
  const { dateTime, day } = useFormat();
  const money = useMoney();
  const url = usePageUrl();
  const cash = (close: DrawerClose) => close.lines.filter(isCash);
  return (
    <PlainRows
      rows={rows}
      rowKey={(row) => row.id}
      columns={[
        {
          key: 'at',
          title: t('drawer.closed_at'),
          render: (row) => (
            <Link className="row-link num" to={url('drawer', row.id)}>
              {dateTime(row.created_at)}
            </Link>
          ),
        },
        {
          key: 'day',
          title: t('drawer.business_day'),
          wideOnly: true,
          render: (row) => <span className="num">{day(row.business_day)}</span>,
        },
        {
          key: 'whose',
          title: t('drawer.of'),
          render: (row) => row.courier_name ?? t('drawer.of_restaurant'),
        },
        { key: 'by', title: t('drawer.by'), render: (row) => row.actor_name },
        {
          key: 'cash',
          title: t('drawer.counted_cash'),
          align: 'right',
          render: (row) => (
            <div className="drawer-stack drawer-figures">
              {cash(row).map((line) => (
                <span key={line.currency} className="num">
                  {money(line.counted, line.currency)}
                </span>
              ))}
            </div>
          ),
        },
        {
          key: 'difference',
          title: t('drawer.difference'),
          render: (row) => (
            <div className="drawer-stack">
              {cash(row).map((line) =>
                line.difference == null ? (
                  <span key={line.currency}>{t('drawer.not_counted')}</span>
                ) : (
                  <DifferenceChip
                    key={line.currency}
                    difference={hundredths(line.difference)}
                    currency={line.currency}
                  />
                ),
              )}
            </div>
          ),
        },
      ]}
    />
  );
}
