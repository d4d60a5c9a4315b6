import {
  paymentReconciliationsCreate,
  paymentReconciliationsList,
} from '../../generated/client/payments/payments';
import type { PaymentReconciliation } from '../../generated/model';
import { here } from '../../lib/target';
import { defineWork, type Work, type WorkWords } from '../../lib/work';

const STATE: Record<PaymentReconciliation['state'], Work['state']> = {
  waiting: 'waiting',
  running: 'running',
  ready: 'done',
  failed: 'failed',
};

/** The tray has no more than those of the last day. */
const ROWS = 20;

/** Comparisons of a day's online payments with the providers' books. */
export default defineWork<PaymentReconciliation>({
  permission: ['all_order'],
  call: 'paymentReconciliationsList',
  read: (options) => paymentReconciliationsList(...here(), { limit: ROWS }, options),
  own: ({ mine }) => mine,
  toWork: (row, words) => ({
    id: row.id,
    title: words.t('work_reconciling.title'),
    about: words.format.day(row.day),
    startedAt: row.created_at,
    state: STATE[row.state],
    progress: row.progress,
    ...(row.state === 'ready' && { result: resultOf(row, words) }),
    ...(row.state === 'failed' && {
      error: words.t('work_reconciling.failed'),
      retry: { again: () => paymentReconciliationsCreate(...here(), { day: row.day }) },
    }),
  }),
});

function resultOf(row: PaymentReconciliation, { t, format, url }: WorkWords): Work['result'] {
  const { differences, unexplained } = row;
  return {
    text:
      differences === 0
        ? t('work_reconciling.same')
        : t('work_reconciling.differences', {
            differences: format.number(differences),
            unexplained: format.number(unexplained),
          }),
    to: {
      url: url('payments', undefined, { tab: 'reconciling', comparison: row.id }),
      text: t('work_reconciling.open'),
    },
  };
}
