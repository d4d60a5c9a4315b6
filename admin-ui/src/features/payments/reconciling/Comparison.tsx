import { Alert, Switch } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { PaymentReconciliation } from '../../../generated/model';
import { Pages } from '../../../lib/crud/listParts';
import { useFormat } from '../../../lib/format';
import { Facts } from '../../../lib/ui/page';
import { SideDrawer } from '../../../lib/ui/SideDrawer';
import { QueryFallback } from '../../../lib/ui/states';
import { isGoingOn, useComparison, useLines } from './api';
import { Line } from './Line';
import { MadeBy, Progressing, Unexplained } from './parts';

/** One comparison: each payment of the day beside the provider's word, what differs first. */
export function Comparison({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { day } = useFormat();
  const query = useComparison(id);
  const { data } = query;
  return (
    <SideDrawer
      title={data ? t('payments.comparison_of', { day: day(data.day) }) : t('payments.comparison')}
      width={720}
      onClose={onClose}
    >
      {data ? (
        <div className="payments-one">
          <Summary comparison={data} />
          <Lines comparison={data} />
        </div>
      ) : (
        <QueryFallback query={query} rows={8} />
      )}
    </SideDrawer>
  );
}

function Summary({ comparison }: { comparison: PaymentReconciliation }) {
  const { t } = useTranslation();
  const { dateTime, number } = useFormat();
  const { payments, differences, finished_at } = comparison;
  const num = (text: string) => <span className="num">{text}</span>;
  return (
    <Facts
      rows={[
        [t('payments.state'), <Progressing key="state" comparison={comparison} />],
        [t('payments.compared_by'), <MadeBy key="by" comparison={comparison} />],
        [t('payments.compared'), num(number(payments))],
        [t('payments.differences'), num(number(differences))],
        [t('payments.unexplained'), <Unexplained key="open" comparison={comparison} />],
        [t('payments.finished'), num(dateTime(finished_at))],
      ]}
    />
  );
}

/** While it is under way lines come and go: they are read once it is over. */
function Lines({ comparison }: { comparison: PaymentReconciliation }) {
  const { t } = useTranslation();
  if (isGoingOn(comparison)) return <Alert type="info" showIcon title={t('payments.comparison_runs')} />;
  return (
    <>
      {comparison.state === 'failed' && (
        <Alert type="error" showIcon title={t('payments.comparison_failed')} />
      )}
      <Read id={comparison.id} />
    </>
  );
}

function Read({ id }: { id: string }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [params] = useSearchParams();
  const only = params.get('differences') === 'true';
  const [page, setPage] = useState(1);
  const query = useLines(id, only, page);
  const found = query.isError && query.isPlaceholderData ? undefined : query.data;
  const total = found?.total ?? 0;
  return (
    <section>
      <OnlyDifferences only={only} onChanged={() => setPage(1)} />
      <div aria-busy={query.isFetching}>
        {!found ? (
          <QueryFallback query={query} rows={6} />
        ) : total === 0 ? (
          <p className="payments-small">{t(only ? 'payments.no_differences' : 'payments.no_lines')}</p>
        ) : (
          <ul className="payments-compared" aria-label={t('payments.lines')}>
            {found.rows.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ul>
        )}
      </div>
      {found && total > 0 && (
        <footer className="payments-foot">
          <span>{t('list.total', { total: number(total) })}</span>
          <Pages page={page} total={total} onChange={setPage} responsive />
        </footer>
      )}
    </section>
  );
}

function OnlyDifferences({ only, onChanged }: { only: boolean; onChanged: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [, setParams] = useSearchParams();
  const change = (on: boolean) => {
    onChanged();
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (on) next.set('differences', 'true');
        else next.delete('differences');
        return next;
      },
      { replace: true },
    );
  };
  return (
    <label className="payments-attention" htmlFor={id}>
      <Switch id={id} checked={only} onChange={change} />
      {t('payments.only_differences')}
    </label>
  );
}
