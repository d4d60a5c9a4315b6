import { CalendarOutlined, DownloadOutlined } from '@ant-design/icons';
import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ordersStornoReport } from '../../generated/client/orders/orders';
import type { StornoReport as Report, StornoReportRow } from '../../generated/model';
import { csv, save } from '../../lib/download';
import { useFormat } from '../../lib/format';
import { readKey, useRead } from '../../lib/query';
import { here, useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, QueryFallback, State } from '../../lib/ui/states';
import { serverNow } from '../../lib/clock';
import { hundredths, plain } from '../order/payments/exact';
import { useReasonWords } from '../order/reasons';
import { businessDay, type Range } from '../previous-orders/days';
import { useClock } from '../previous-orders/useClock';
import { Lines } from './Lines';
import { type Asked, askedAt, grouped, totals, type Words } from './model';
import { Groupings, RangeTools } from './Tools';
import { Totals } from './Totals';
import '../../lib/crud/list.css';
import './report.css';

/** Who refused and cancelled what, how often, for how much, and why. */
export default function StornoReport() {
  // What is shown is of one restaurant.
  return <Screen key={useRestaurant().id} />;
}

/** What the address asks for, and how it asks for something else. */
function useAsked() {
  const [params, setParams] = useSearchParams();
  const today = businessDay(new Date(serverNow()), useClock());
  const change = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    setParams(next, { replace: true });
  };
  return { asked: askedAt(params, today), today, change };
}

const useReport = ({ range, fault }: Asked) =>
  useRead(
    readKey('ordersStornoReport', range),
    ({ signal }) => ordersStornoReport(...here(), { ...range }, { signal }),
    {
      enabled: !fault,
      placeholderData: keepPreviousData,
      staleTime: 0,
    },
  );

function useRowWords(): Words {
  const { t } = useTranslation();
  const { name } = useReasonWords();
  return {
    person: (row) => row.by || t('storno_report.by_itself'),
    reason: (row) => name(row) || t('storno_report.no_reason'),
  };
}

function Screen() {
  const { t } = useTranslation();
  const { asked, today, change } = useAsked();
  const query = useReport(asked);
  const words = useRowWords();
  // Rows of the range before are no file of this one.
  const current = asked.fault || query.isPlaceholderData ? undefined : query.data;
  return (
    <>
      <PageHeader
        lead={t('storno_report.lead')}
        actions={<Download rows={current?.rows ?? []} range={asked.range} words={words} />}
      />
      <Card flush className="list-card storno-report">
        <RangeTools asked={asked} today={today} onChange={change} />
        {asked.fault ? (
          <div role="alert">
            <State
              icon={<CalendarOutlined />}
              title={t('storno_report.fault_title')}
              text={t(`storno_report.fault.${asked.fault}`)}
            />
          </div>
        ) : query.data && !(query.isError && query.isPlaceholderData) ? (
          <div className="storno-report-body" aria-busy={query.isFetching}>
            <Found report={query.data} asked={asked} words={words} onChange={change} />
          </div>
        ) : (
          <QueryFallback query={query} rows={8} />
        )}
      </Card>
    </>
  );
}

interface FoundProps {
  report: Report;
  asked: Asked;
  words: Words;
  onChange: ReturnType<typeof useAsked>['change'];
}

/** The sums and the table, or that there was nothing. */
function Found({ report: { rows, from, till }, asked: { by }, words, onChange }: FoundProps) {
  const { t } = useTranslation();
  if (rows.length === 0)
    return <EmptyState title={t('storno_report.empty_title')} text={t('storno_report.empty')} />;
  const all = totals(rows);
  return (
    <>
      <Totals all={all} />
      <Groupings by={by} onChange={onChange} />
      <Lines key={by} lines={grouped(rows, by, words)} all={all} by={by} range={{ from, till }} />
    </>
  );
}

/** The rows as the service answers them, as a file for spreadsheets. */
function Download({ rows, range, words }: { rows: StornoReportRow[]; range: Range; words: Words }) {
  const { t } = useTranslation();
  const { currency, language } = useFormat();
  const amount = (value: StornoReportRow['total_price']) => {
    const text = plain(hundredths(value));
    return language === 'hu' ? text.replace('.', ',') : text;
  };
  const download = () => {
    const head = [
      t('storno_report.person'),
      t('storno_report.kind'),
      t('storno_report.reason'),
      t('storno_report.number'),
      t('storno_report.value', { currency: currency.toUpperCase() }),
    ];
    const lines = rows.map((row) => [
      words.person(row),
      t(`storno_report.kind.${row.kind}`),
      words.reason(row),
      String(row.number),
      amount(row.total_price),
    ]);
    save(`${t('storno_report.csv_file')}-${range.from}-${range.till}.csv`, csv([head, ...lines]));
  };
  return (
    <Button icon={<DownloadOutlined />} disabled={rows.length === 0} onClick={download}>
      {t('storno_report.csv')}
    </Button>
  );
}
