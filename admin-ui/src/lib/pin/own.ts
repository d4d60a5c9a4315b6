import { useSyncExternalStore } from 'react';
import type { Target } from '../../generated/model';
import { session } from '../session';
import { useRestaurantIfAny } from '../target';

/** What the person is at the partner of this page; none for a super admin. */
export function useOwn(): Target | undefined {
  const me = useSyncExternalStore(session.subscribe, session.latest);
  const partner = useRestaurantIfAny()?.partner_id;
  return me?.targets.find((one) => one.partner_id === partner && one.admin_id);
}
