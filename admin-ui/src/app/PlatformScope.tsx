import { suspendGuards } from '../lib/form/unsaved';
import { Providers } from './Providers';
import { Shell } from './Shell';
import { signOut } from './signOut';

/**
 * Everything below `/platform`: the super admins' console, and what an account has outside every restaurant.
 */
export function PlatformScope() {
  return (
    <Providers>
      <Shell
        onSignOut={() => {
          suspendGuards();
          void signOut();
        }}
      />
    </Providers>
  );
}
