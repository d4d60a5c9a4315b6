import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { publicOpeningHoursGet } from '../../generated/client/public/public';
import { useFormat } from '../../lib/format';
import { useNow } from '../../lib/hooks';
import { useRead } from '../../lib/query';
import { here, useRestaurant } from '../../lib/target';
import { Chip } from '../../lib/ui/page';

const MINUTE = 60_000;

/**
 * Whether orders are taken now, until when, or from when on again: computed by the service, in one place for
 * all.
 */
export function OpenChip() {
  const { t } = useTranslation();
  const { date, time } = useFormat();
  const { version } = useRestaurant();
  const { data, refetch } = useRead('publicOpeningHoursGet', () => publicOpeningHoursGet(...here()), {
    refetchInterval: MINUTE,
  });
  // SOS close is part of the answer.
  useEffect(() => void refetch(), [version, refetch]);
  const now = useNow(MINUTE);
  if (!data) return null;
  const when = (instant: string) =>
    date(instant) === date(new Date(now).toISOString()) ? time(instant) : `${date(instant)} ${time(instant)}`;
  if (data.open_now)
    return (
      <Chip tone="success">
        {data.open_until ? t('hours.open_until', { time: when(data.open_until) }) : t('hours.open_now')}
      </Chip>
    );
  const next = data.next_opening;
  if (data.temp_no_orders)
    return <Chip tone="error">{next ? t('hours.sos_until', { time: when(next) }) : t('hours.sos')}</Chip>;
  return <Chip tone="neutral">{next ? t('hours.opens', { time: when(next) }) : t('hours.closed_now')}</Chip>;
}
