import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import type { PaymentReconciliation } from '../../../generated/model';
import { type Column, useListState } from '../../../lib/crud';
import { useFormat } from '../../../lib/format';
import { usePageUrl } from '../../../lib/navigation';
import { isId } from '../../previous-orders/filter';
import { MoneyList } from '../MoneyList';
import { useComparisons } from './api';
import { Bar } from './Bar';
import { Comparison } from './Comparison';
import { MadeBy, Progressing, Unexplained } from './parts';

/** Online payments of a day beside what their providers say, and one comparison in a drawer (`comparison=`). */
export function ReconcilingTab() {
  const state = useListState([]);
  const query = useComparisons(state.page);
  const url = usePageUrl();
  const { search } = useLocation();
  const [params, setParams] = useSearchParams();
  const open = params.get('comparison');
  const to = ({ id }: PaymentReconciliation) => {
    const next = new URLSearchParams(search);
    next.set('comparison', id);
    return url('payments', undefined, Object.fromEntries(next));
  };
  const close = () =>
    setParams((old) => {
      const next = new URLSearchParams(old);
      for (const name of ['comparison', 'differences']) next.delete(name);
      return next;
    });
  return (
    <>
      <MoneyList
        resource="payment_reconciliations"
        query={query}
        state={state}
        tools={<Bar />}
        columns={useColumns()}
        to={to}
      />
      {open && isId(open) && <Comparison key={open} id={open} onClose={close} />}
    </>
  );
}

function useColumns(): Column<PaymentReconciliation>[] {
  const { t } = useTranslation();
  const { day, dateTime, number } = useFormat();
  return [
    {
      key: 'day',
      title: t('payments.business_day'),
      render: (row) => <span className="num">{day(row.day)}</span>,
    },
    {
      key: 'by',
      title: t('payments.compared_by'),
      wideOnly: true,
      render: (row) => <MadeBy comparison={row} />,
    },
    {
      key: 'state',
      title: t('payments.state'),
      render: (row) => <Progressing comparison={row} />,
    },
    {
      key: 'payments',
      title: t('payments.compared'),
      align: 'right',
      render: (row) => <span className="num">{number(row.payments)}</span>,
    },
    {
      key: 'differences',
      title: t('payments.differences'),
      align: 'right',
      render: (row) => <span className="num">{number(row.differences)}</span>,
    },
    {
      key: 'unexplained',
      title: t('payments.unexplained'),
      align: 'right',
      render: (row) => <Unexplained comparison={row} />,
    },
    {
      key: 'finished',
      title: t('payments.finished'),
      wideOnly: true,
      render: (row) => <span className="num">{dateTime(row.finished_at)}</span>,
    },
  ];
}
