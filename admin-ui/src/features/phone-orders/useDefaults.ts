import { posConfigsGet } from '../../generated/client/restaurants/restaurants';
import type { PublicPaymentMethod } from '../../generated/model';
import { useCan } from '../../lib/access';
import { useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { useRegionNames } from '../order-taking/api';
import { type PhoneDraft, withRegion } from './draft';
import { useRegionCheck } from './useRegionCheck';

/** What the settings of the till say an order on the phone begins with. */
function useDefaults() {
  const { data, isPending } = useRead('posConfigsGet', () => posConfigsGet(...here()), { staleTime: 60_000 });
  return {
    /** They are being read: nothing is preselected yet. */
    pending: isPending,
    method: data?.default_payment_method ?? undefined,
    region: data?.default_delivery_region_id ?? undefined,
    acceptAtOnce: data?.accept_at_once ?? false,
  };
}

/** Who delivers to the address of a draft, and the draft as it is sent: with the default where nobody knows. */
function useRegion(draft: PhoneDraft, { pending, region }: ReturnType<typeof useDefaults>) {
  const said = draft.pickup || draft.by_hand !== null;
  const { check, stale, error } = useRegionCheck(draft, !draft.pickup);
  const unknown = check?.reason === 'place_unknown' && !said;
  const names = useRegionNames(unknown && region !== undefined);
  const fallback = unknown ? names.data?.find(({ id, active }) => id === region && active)?.id : undefined;
  return {
    check,
    stale,
    error,
    /** The default, while it is chosen and nobody has said otherwise. */
    fallback,
    /** The default may still be chosen. */
    unsettled: !said && (stale ? pending || region !== undefined : unknown && (pending || names.isLoading)),
    draft: withRegion(draft, fallback),
  };
}

export type Region = ReturnType<typeof useRegion>;

/** What an order begins with, as long as nobody has said otherwise: the region and the way to pay. */
export function useBeginning(draft: PhoneDraft, methods: readonly PublicPaymentMethod[]) {
  const defaults = useDefaults();
  const can = useCan();
  const region = useRegion(draft, defaults);
  const method =
    methods.find(({ id }) => id === draft.payment_method_id) ??
    methods.find(({ payment_key }) => payment_key === defaults.method) ??
    (defaults.pending ? undefined : methods[0]);
  return {
    region,
    method,
    unsettled: region.unsettled || defaults.pending,
    /** The restaurant says so, and this person may accept orders. */
    atOnce: defaults.acceptAtOnce && can('order_accept'),
  };
}
