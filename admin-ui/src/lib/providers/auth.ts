import type { AuthProvider } from '@refinedev/core';
import { ApiError } from '../http';
import { session } from '../session';

const failed = (error: unknown) => ({
  success: false as const,
  error: error instanceof Error ? error : new Error(String(error)),
});

/**
 * Refine's view of the session. Failures are returned, not thrown. The 401 dialog belongs to the transport
 * (lib/http).
 */
export const authProvider: AuthProvider = {
  login: async ({ email, password }: { email: string; password: string }) => {
    try {
      await session.signIn(email, password);
      return { success: true };
    } catch (error) {
      return failed(error);
    }
  },
  logout: async () => {
    await session.signOut();
    return { success: true };
  },
  check: async () => ({ authenticated: Boolean(session.get()) }),
  onError: async (error) => (error instanceof ApiError ? { error } : {}),
  getIdentity: async () => session.get(),
  getPermissions: async () => session.get()?.targets.flatMap((t) => t.permissions) ?? [],
};
