import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ordersAcceptTimes } from '../../generated/client/orders/orders';
import type { OrderAcceptTimes } from '../../generated/model';
import { coalesced } from '../../lib/coalesced';
import { useStanding } from '../../lib/hooks';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { duration } from '../order/times';
import { useLiveReload } from '../order/useLiveReload';

const KEY = readKey('ordersAcceptTimes');
/** What waits becomes late by the clock. ms */
const CLOCK_MS = 60_000;
/** What changes the figures. */
const CHANGES: readonly string[] = ['accepted', 'taken_back', 'escalated', 'archived'];

/** How long orders of today waited to be accepted, live. */
export function AcceptTimes() {
  const forget = useForget();
  // The board stands first.
  const enabled = useStanding();
  const { data } = useRead(KEY, ({ signal }) => ordersAcceptTimes(...here(), { signal }), {
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: CLOCK_MS,
  });
  const reload = useMemo(() => coalesced(() => forget([KEY])), [forget]);
  useLiveReload(
    () => enabled && reload(),
    ({ change }) => CHANGES.includes(change),
  );
  return data ? <AcceptFigures times={data} /> : null;
}

/** The figures in a line; none on a day without orders. */
export function AcceptFigures({ times }: { times: OrderAcceptTimes }) {
  const { t } = useTranslation();
  const { accepted, median_seconds, average_seconds, late, limit_minutes } = times;
  if (accepted === 0 && !late) return null;
  return (
    <dl className="fresh-times" aria-label={t('fresh.times')}>
      {median_seconds != null && <Figure label={t('fresh.times_median')} value={duration(median_seconds)} />}
      {average_seconds != null && (
        <Figure label={t('fresh.times_average')} value={duration(average_seconds)} />
      )}
      <Figure label={t('fresh.times_accepted')} value={String(accepted)} />
      {late != null && limit_minutes != null && (
        <Figure
          label={t('fresh.times_late', { minutes: limit_minutes })}
          value={String(late)}
          attention={late > 0}
        />
      )}
    </dl>
  );
}

function Figure({ label, value, attention }: { label: string; value: string; attention?: boolean }) {
  return (
    <div data-attention={attention}>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}
