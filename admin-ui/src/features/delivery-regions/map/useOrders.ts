import { useMemo, useState } from 'react';
import { useFormat } from '../../../lib/format';
import { useOrderPoints } from './api';
import type { Point } from './geometry';
import { lastMonth } from './period';

const NO_POINTS: readonly Point[] = [];

/** The orders of a period; nothing is read before their panel is opened. */
export function useOrders(open: boolean) {
  const { date } = useFormat();
  const [shown, setShown] = useState(true);
  const [period, setPeriod] = useState(() => lastMonth(date(new Date().toISOString()).replaceAll('/', '-')));
  const query = useOrderPoints(period, open && shown);
  const points = useMemo<readonly Point[]>(
    () => (open && shown && query.data ? query.data.map(({ lat, lng }) => ({ lat, lng })) : NO_POINTS),
    [open, shown, query.data],
  );
  return {
    points,
    panel: {
      shown,
      onShow: setShown,
      period,
      onPeriod: setPeriod,
      orders: query.data,
      error: query.error,
    },
  };
}
