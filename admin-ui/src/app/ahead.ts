import { featureByKey } from '../lib/features';
import { loadFeatureTexts } from '../lib/i18n';
import { whenIdle } from '../lib/reach';

/**
 * The code of what the counter needs in any case: a click must not find it missing while the service is away.
 */
export function fetchAhead(): void {
  const screen = async (key: string) => {
    const feature = featureByKey(key);
    if (feature) await Promise.all([feature.load(), loadFeatureTexts(feature.folder)]);
  };
  whenIdle(
    () =>
      void Promise.all([
        screen('fresh_orders'),
        screen('order_page'),
        import('../features/order/slip/print'),
      ]).catch(() => undefined),
  );
}
