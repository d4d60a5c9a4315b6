export type {
  Admin,
  AdminSurface as Surface,
  AdminStatus as Status,
  Permission,
  TargetType,
} from '../../generated/model';

export const SURFACES = ['admin', 'pos', 'lct', 'kiosk'] as const;
export const STATUSES = ['invited', 'active', 'locked', 'archived'] as const;
