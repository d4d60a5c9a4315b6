import { useQueryClient } from '@tanstack/react-query';
import { gettingStartedGet, gettingStartedUpdate } from '../../generated/client/restaurants/restaurants';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import type { GettingStarted } from '../../generated/model';
import { useCan } from '../../lib/access';

const KEY = readKey('gettingStartedGet');

/**
 * What is missing before orders can be taken, computed by the service. Every screen that shows it reads it
 * again.
 */
export function useGettingStarted() {
  const cache = useQueryClient();
  const may = useCan()('restaurant_general');
  const query = useRead(KEY, () => gettingStartedGet(...here()), {
    staleTime: 0,
    enabled: may,
  });
  const dismiss = async (dismissed: boolean) => {
    cache.setQueryData(KEY, await gettingStartedUpdate(...here(), { dismissed }));
  };
  return { ...query, dismiss };
}

/** A step of the guide: its word in the address, and the items of the list that it is for. */
export const STEPS = [
  { key: 'identity', items: ['contact', 'legal_data'] },
  { key: 'address', items: ['address'] },
  { key: 'hours', items: ['opening_hours'] },
  { key: 'food', items: ['delivery', 'payment_methods'] },
  { key: 'menu', items: ['menu'] },
  { key: 'try', items: ['test_order'] },
] as const;
export type StepKey = (typeof STEPS)[number]['key'];

/** Whether everything a step is for is done. Items that the service does not list are ignored. */
export function stepDone(state: Pick<GettingStarted, 'items'>, key: StepKey): boolean {
  const wanted: readonly string[] = STEPS.find((step) => step.key === key)!.items;
  return state.items.filter((item) => wanted.includes(item.key)).every((item) => item.done);
}

/** Where the guide goes on: the first step that is not done, else the last. */
export const nextStep = (state: Pick<GettingStarted, 'items'>): StepKey =>
  STEPS.find(({ key }) => !stepDone(state, key))?.key ?? 'try';
