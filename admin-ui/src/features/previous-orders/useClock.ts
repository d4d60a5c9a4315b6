import { useMemo } from 'react';
import { useFormat } from '../../lib/format';
import { useRestaurant } from '../../lib/target';
import type { Clock } from './days';

/** The restaurant's zone, and when its business day begins. */
export function useClock(): Clock {
  const { zone } = useFormat();
  const { order_reset_time: reset } = useRestaurant();
  return useMemo(() => ({ zone, reset: reset ?? '00:00' }), [zone, reset]);
}
