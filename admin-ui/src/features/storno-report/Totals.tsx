import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { plain } from '../order/payments/exact';
import { type Figures, KINDS, type Line } from './model';

/** How many and how much of each kind, and of all. */
export function Totals({ all }: { all: Line }) {
  const { t } = useTranslation();
  const { number, money } = useFormat();
  const fact = (key: string, label: string, { number: times, total }: Figures) => (
    <div key={key} data-all={key === 'all'}>
      <dt>{label}</dt>
      <dd className="num">
        <b>{money(plain(total))}</b>
        <span>{t('storno_report.times', { count: times, number: number(times) })}</span>
      </dd>
    </div>
  );
  return (
    <section aria-label={t('storno_report.totals')}>
      <dl className="storno-report-totals">
        {fact('all', t('storno_report.all'), all.all)}
        {KINDS.map((kind) => fact(kind, t(`storno_report.kind.${kind}`), all.kinds[kind]))}
      </dl>
    </section>
  );
}
