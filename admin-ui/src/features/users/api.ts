import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  adminsApiKeys,
  adminsCreate,
  adminsDelete,
  adminsGet,
  adminsGivePin,
  adminsInvite,
  adminsList,
  adminsSignOut,
  adminsUnlock,
  adminsUpdate,
  partnerAdminsApiKeys,
  partnerAdminsCreate,
  partnerAdminsDelete,
  partnerAdminsGet,
  partnerAdminsGivePin,
  partnerAdminsInvite,
  partnerAdminsList,
  partnerAdminsSignOut,
  partnerAdminsUnlock,
  partnerAdminsUpdate,
  permissionsList,
  roleTemplatesList,
} from '../../generated/client/access/access';
import { restaurantsList } from '../../generated/client/restaurants/restaurants';
import { secondFactorReset } from '../../generated/client/session/session';
import type { AdminChange, ApiKey, GivenPin, NewAdmin } from '../../generated/model';
import { useDebounced } from '../../lib/hooks';
import { useMe } from '../../lib/me';
import { readKey, useForget, useRead } from '../../lib/query';
import { useRestaurant } from '../../lib/target';
import type { Body } from '../../lib/form/body';
import { type Editor, mayChooseTarget } from './rights';
import { treeOf } from './tree';
import type { Admin } from './types';

/** The signed-in person as an editor of others. */
export function useEditorRights(): Editor {
  const me = useMe();
  const { partner_id } = useRestaurant();
  return useMemo(() => {
    const own = me.targets.find((target) => target.partner_id === partner_id);
    return {
      admin: own?.admin_id ?? undefined,
      superAdmin: me.super_admin,
      whole: own?.target_type === 'Partner',
      full: own?.full_target_access ?? false,
      keys: new Set(own?.permissions ?? []),
      restaurants: own?.restaurant_ids ?? [],
    };
  }, [me, partner_id]);
}

/** Users of the whole partner edit all its users, others those of the restaurant of the page. */
export const usePeopleResource = (): 'partner_admins' | 'admins' =>
  mayChooseTarget(useEditorRights()) ? 'partner_admins' : 'admins';

/** The calls about people, at the editor's level. */
export function usePeople() {
  const resource = usePeopleResource();
  const { partner_id: p, id: r } = useRestaurant();
  const client = useQueryClient();
  const forget = useForget();
  return useMemo(() => {
    const whole = resource === 'partner_admins';
    const keyOf = (id: string | undefined) => readKey(whole ? 'partnerAdminsGet' : 'adminsGet', id);
    return {
      resource,
      /** The first users by name whose name or address contains the text. */
      find: (name: string): Promise<Admin[]> =>
        whole ? partnerAdminsList(p, { name }) : adminsList(p, r, { name }),
      get: (id: string): Promise<Admin> => (whole ? partnerAdminsGet(p, id) : adminsGet(p, r, id)),
      create: (body: Body): Promise<Admin> =>
        whole
          ? partnerAdminsCreate(p, body as unknown as NewAdmin)
          : adminsCreate(p, r, body as unknown as NewAdmin),
      update: (id: string, body: Body): Promise<Admin> =>
        whole ? partnerAdminsUpdate(p, id, body as AdminChange) : adminsUpdate(p, r, id, body as AdminChange),
      /** A PIN that the service has chosen, shown this once. */
      givePin: (id: string): Promise<GivenPin> =>
        whole ? partnerAdminsGivePin(p, id) : adminsGivePin(p, r, id),
      /** The live API keys that the person has made. */
      keys: (id: string): Promise<ApiKey[]> =>
        whole ? partnerAdminsApiKeys(p, id) : adminsApiKeys(p, r, id),
      archive: (id: string, revoked: string[]) => {
        const query = { 'revoke_keys[]': revoked };
        return whole ? partnerAdminsDelete(p, id, query) : adminsDelete(p, r, id, query);
      },
      invite: (id: string) => (whole ? partnerAdminsInvite(p, id) : adminsInvite(p, r, id)),
      unlock: (id: string) => (whole ? partnerAdminsUnlock(p, id) : adminsUnlock(p, r, id)),
      endSessions: (id: string) => (whole ? partnerAdminsSignOut(p, id) : adminsSignOut(p, r, id)),
      /** Removes the second factor of a super admin who has lost the phone. */
      dropSecondFactor: (account: string) => secondFactorReset(account),
      /** Reads list and rows again. */
      keyOf,
      foundKey: (name: string) => readKey(whole ? 'partnerAdminsList' : 'adminsList', name),
      refresh: () => forget([resource]),
      forget: (id: string) => client.removeQueries({ queryKey: keyOf(id) }),
    };
  }, [resource, p, r, client, forget]);
}

export function usePerson(id: string | undefined) {
  const people = usePeople();
  return useRead(people.keyOf(id), () => people.get(id!), {
    enabled: id !== undefined,
    refetchOnWindowFocus: false,
  });
}

/** Users to choose from, for copying rights. */
export function usePeopleFound(text: string, enabled: boolean) {
  const people = usePeople();
  const name = useDebounced(text.trim(), 300);
  return useRead(people.foundKey(name), () => people.find(name), {
    enabled,
    placeholderData: (old) => old,
  });
}

/** Names and ids hardly ever change while a page is open. */
const RARELY_CHANGES = { staleTime: 600_000 };

export function useTree() {
  const query = useRead('permissionsList', () => permissionsList(), { ...RARELY_CHANGES });
  return {
    tree: useMemo(() => (query.data ? treeOf(query.data) : undefined), [query.data]),
    error: query.error,
    refetch: query.refetch,
  };
}

export const useTemplates = () =>
  useRead('roleTemplatesList', () => roleTemplatesList(), { ...RARELY_CHANGES });

/** The partner's restaurants, of a restaurant's admin only the own ones: what can be chosen for somebody. */
export function usePartnerRestaurants() {
  const { partner_id } = useRestaurant();
  return useRead('restaurantsList', () => restaurantsList(partner_id), { ...RARELY_CHANGES });
}
