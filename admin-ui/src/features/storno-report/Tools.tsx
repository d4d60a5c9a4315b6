import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { Day } from '../previous-orders/DateInputs';
import { QUICK, quickRange } from '../previous-orders/days';
import { type Asked, GROUPINGS } from './model';

interface Props {
  asked: Asked;
  today: string;
  onChange: (values: Record<string, string | undefined>) => void;
}

/** First and last business day, and the ranges that are asked for most. */
export function RangeTools({ asked: { range, fault }, today, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="storno-report-tools" role="search">
      {(['from', 'till'] as const).map((name) => (
        <div key={name} className="storno-report-day">
          <label htmlFor={`${id}-${name}`}>{t(`storno_report.${name}`)}</label>
          <Day
            id={`${id}-${name}`}
            value={range[name]}
            allowClear={false}
            status={fault ? 'error' : ''}
            // The other one stays as it is seen, also where it was only the usual one.
            onChange={(day) => onChange({ ...range, [name]: day ?? undefined })}
          />
        </div>
      ))}
      <div className="storno-report-choices" role="group" aria-label={t('storno_report.quick')}>
        {QUICK.map((which) => {
          const { from, till } = quickRange(which, today);
          return (
            <Button
              key={which}
              aria-pressed={from === range.from && till === range.till}
              // The last 30 days are what an address without days shows, tomorrow too.
              onClick={() =>
                onChange(which === 'month' ? { from: undefined, till: undefined } : { from, till })
              }
            >
              {t(`storno_report.quick.${which}`)}
            </Button>
          );
        })}
      </div>
    </div>
  );
}

/** By person or by reason. */
export function Groupings({ by, onChange }: { by: Asked['by']; onChange: Props['onChange'] }) {
  const { t } = useTranslation();
  return (
    <div className="storno-report-choices storno-report-by" role="group" aria-label={t('storno_report.by')}>
      {GROUPINGS.map((one) => (
        <Button
          key={one}
          aria-pressed={one === by}
          onClick={() => onChange({ by: one === GROUPINGS[0] ? undefined : one })}
        >
          {t(`storno_report.by.${one}`)}
        </Button>
      ))}
    </div>
  );
}
