import type { AccessControlProvider } from '@refinedev/core';
import { isAllowed, type Permission } from '../access';
import { resourceInfo } from '../resources';
import { session } from '../session';
import { target } from '../target';

/** Refine's action names for ours. */
const ACTIONS: Record<string, string> = { show: 'get', edit: 'update', clone: 'create' };

/** Answers from the session in memory; `params.permission` goes before the resource's own keys. */
export const accessControlProvider: AccessControlProvider = {
  can: async ({ resource, action, params }) => {
    const keys: readonly Permission[] | undefined =
      (params as { permission?: Permission[] } | undefined)?.permission ??
      (resource ? resourceInfo(resource).ops[ACTIONS[action] ?? action] : undefined);
    return { can: keys !== undefined && isAllowed(session.get(), target(), keys) };
  },
  options: {
    buttons: { enableAccessControl: true, hideIfUnauthorized: true },
    queryOptions: { staleTime: Infinity },
  },
};
