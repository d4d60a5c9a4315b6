import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Feature } from './feature';
import { request } from './http';
import { useLiveEvent } from './live';
import { readAnew } from './providers/reading';
import { fillPath, useRestaurantIfAny } from './target';

const KEY = ['restaurant_features'];
const PATH = '/admin/partners/{partner_id}/restaurants/{restaurant_id}/features';

/**
 * Whether a screen is there at all: its feature is switched on for the restaurant. False until that is known, so that
 * nothing appears and goes away again. The service refuses on its own anyway.
 */
export function useSwitchedOn(): (feature: Feature) => boolean {
  const inside = useRestaurantIfAny() !== undefined;
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await request<{ feature: string }[]>(fillPath(PATH))).data.map((row) => row.feature),
    enabled: inside,
    staleTime: 300_000,
  });
  useLiveEvent('TASK_RESTAURANT_RELOAD', () => void readAnew(client, KEY));
  return (feature) => feature.switch === undefined || (data?.includes(feature.switch) ?? false);
}
