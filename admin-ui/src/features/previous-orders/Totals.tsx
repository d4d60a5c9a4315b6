import { useTranslation } from 'react-i18next';
import type { OrderTotals } from '../../generated/model';
import { useFormat } from '../../lib/format';

/** The sums of all that the filter finds, as the service answers them; a line that keeps its place. */
export function Totals({ totals, failed }: { totals: OrderTotals | undefined; failed: boolean }) {
  const { t } = useTranslation();
  const { number, money } = useFormat();
  if (failed && !totals) return <p className="previous-totals">{t('previous.totals_failed')}</p>;
  const facts: [string, string][] = totals
    ? [
        [t('previous.totals_orders'), number(totals.orders)],
        ...(totals.partial_stornos > 0
          ? ([[t('previous.totals_partial'), number(totals.partial_stornos)]] as [string, string][])
          : []),
        [t('previous.totals_sum'), money(totals.total_price)],
        ...(totals.archived_orders > 0
          ? ([
              [
                t('previous.totals_archived'),
                t('previous.totals_archived_of', {
                  orders: number(totals.archived_orders),
                  amount: money(totals.archived_price),
                }),
              ],
            ] as [string, string][])
          : []),
      ]
    : [];
  return (
    <section aria-label={t('previous.totals')} aria-busy={!totals}>
      <dl className="previous-totals">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
