import { supportAccessesCreate, supportAccessesDelete } from '../../generated/client/platform/platform';
import type { Me, MySupportAccess, NewSupportAccess } from '../../generated/model';
import { session } from '../session';

/** A super admin's access to a partner's data, with a reason and an end. */
export type Support = MySupportAccess;

/** Shortest and longest reason the service takes. */
export const REASON = { min: 5, max: 300 };

/**
 * The support access to a partner under way, if any; there may be one per partner. It may have run out since
 * the account was read.
 */
export const supportOf = (me: Me, partner: string | undefined): Support | undefined =>
  me.support.find((one) => one.partner_id === partner);

/** Opens a support access, or replaces the one under way; every page learns it from the session. */
export async function openSupport(partner: string, body: NewSupportAccess): Promise<void> {
  await supportAccessesCreate(partner, body);
  await session.load();
}

export async function endSupport(partner: string): Promise<void> {
  await supportAccessesDelete(partner);
  await session.load();
}
