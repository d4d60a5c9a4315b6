import { featuresList } from '../generated/client/restaurants/restaurants';
import { type Permission, useCan } from './access';
import { features, type RegisteredFeature, isAvailable } from './features';
import { useLiveEvent } from './live';
import { readKey, useForget, useRead } from './query';
import { here, useRestaurantIfAny } from './target';

const KEY = readKey('featuresList');

/** The features that are switched on for the restaurant one is in. */
export function useSwitchedOn() {
  const inside = useRestaurantIfAny() !== undefined;
  const forget = useForget();
  const query = useRead(KEY, async () => (await featuresList(...here())).map((row) => row.feature), {
    enabled: inside,
    staleTime: 300_000,
  });
  useLiveEvent('TASK_RESTAURANT_RELOAD', () => void forget([KEY]));
  return query;
}

/**
 * The screens a menu leads to from here: of the restaurant one is in and of the platform, granted, and their
 * feature switched on. What has a switch is not there until that is known, so that nothing appears and goes
 * away again. The service refuses on its own anyway.
 * @param may whether any of the keys is granted; to oneself unless another is meant
 */
export function useMenu(may?: (...keys: Permission[]) => boolean): RegisteredFeature[] {
  const can = useCan();
  const inside = useRestaurantIfAny() !== undefined;
  const { data } = useSwitchedOn();
  const leadsTo = (f: RegisteredFeature) =>
    f.group &&
    !f.needsPath &&
    (isAvailable(f, inside) || f.scope === 'platform') &&
    (f.switch === undefined || data?.includes(f.switch)) &&
    (f.noEffectWithout === undefined || (f.noEffectWithout !== 'yet' && data?.includes(f.noEffectWithout)));
  return features.filter((f) => leadsTo(f) && (may ?? can)(...f.permission));
}
