import type { Me } from '../../generated/model';

/**
 * Whether the person may export the company: only users with all rights of it. Super admins order an export on
 * the partner's page, which tells the partner why.
 */
export const mayExport = (me: Me, partner: string): boolean =>
  me.targets.some(
    (target) =>
      target.admin_id !== null &&
      target.partner_id === partner &&
      target.target_type === 'Partner' &&
      target.full_target_access,
  );
