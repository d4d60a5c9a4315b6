import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  sellableQuantitiesList,
  sellableQuantitiesStep,
  sellableQuantitiesUpdate,
} from '../../generated/client/catalogue/catalogue';
import type { SellableQuantitiesListParams, SellableQuantity } from '../../generated/model';
import { serverNow } from '../../lib/clock';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import { ApiError, counted, type Counted } from '../../lib/http';
import { newKey } from '../../lib/idempotency';
import { useLiveEvent } from '../../lib/live';
import { readKey, useForget, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useLiveCatalogue } from '../categories-and-products/shared/useLiveCatalogue';

type Listed = Counted<SellableQuantity>;
type Asked = Pick<SellableQuantitiesListParams, 'name' | 'ean_code' | 'only'>;

const KEY = readKey('sellableQuantitiesList');
/** The longest time that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1;
/** A step that nobody answers is sent again so often, with the same key: it counts once. */
const TRIES = 3;
const PAUSE_MS = 1000;

/** A page of the sizes, from 1, live. */
export function useQuantities(asked: Asked, page: number) {
  const forget = useForget();
  const query = useRead(
    readKey('sellableQuantitiesList', asked, page),
    ({ signal }) =>
      counted((options) =>
        sellableQuantitiesList(
          ...here(),
          { ...asked, limit: PAGE_SIZE, page: page - 1, count: true },
          { ...options, signal },
        ),
      ),
    { placeholderData: keepPreviousData },
  );
  const again = () => void forget([KEY]);
  useLiveCatalogue();
  useLiveEvent('TASK_QUANTITIES_RELOAD', again);
  // What was taken between the first reading and now is told by nobody.
  useLiveEvent('live', again);
  const next = nextChange(query.data?.rows ?? [], serverNow());
  useEffect(() => {
    if (next === undefined) return;
    const timer = setTimeout(again, Math.min(LONGEST_MS, Math.max(0, next - serverNow())));
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [next]);
  return query;
}

/** The first instant after now at which one of the rows changes by itself: a business day begins. */
export function nextChange(
  rows: readonly Pick<SellableQuantity, 'off_until' | 'refill_at'>[],
  now: number,
): number | undefined {
  const instants = rows
    .flatMap((row) => [row.off_until, row.refill_at])
    .flatMap((instant) => (instant ? [Date.parse(instant)] : []))
    .filter((instant) => instant > now);
  return instants.length > 0 ? Math.min(...instants) : undefined;
}

/** Puts a row that was just answered into the lists that show it. */
export function useTakeQuantity(): (row: SellableQuantity) => void {
  const client = useQueryClient();
  return (row) =>
    client.setQueriesData<Listed>(
      { queryKey: KEY },
      (list) => list && { ...list, rows: list.rows.map((old) => (old.id === row.id ? row : old)) },
    );
}

export const useRefreshQuantities = () => {
  const forget = useForget();
  return () => forget([KEY]);
};

export type Change = Parameters<typeof sellableQuantitiesUpdate>[3];
export const setQuantity = (id: string, change: NonNullable<Change>): Promise<SellableQuantity> =>
  sellableQuantitiesUpdate(...here(), id, change);

/** Adds pieces or takes some away, exactly once. */
export async function stepQuantity(id: string, by: number, on: boolean): Promise<SellableQuantity> {
  const key = newKey();
  for (let tries = 1; ; tries++) {
    try {
      return await sellableQuantitiesStep(
        ...here(),
        id,
        { by, ...(on ? { state: 'on' as const } : {}) },
        { 'Idempotency-Key': key },
      );
    } catch (error) {
      if (!(error instanceof ApiError && error.unanswered) || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
