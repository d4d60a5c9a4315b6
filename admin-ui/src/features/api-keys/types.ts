import { ApiKeyKind, ApiScope } from '../../generated/model';
import type { Fields } from '../../lib/fields/kinds';

export type { ApiKey, ApiKeyUsage as Usage } from '../../generated/model';

/** Which keys a screen shows: of this restaurant, or of the whole company (admins of the whole partner). */
export type KeyResource = 'api_keys' | 'partner_api_keys';
export type KeyKind = ApiKeyKind;
export const KINDS = Object.values(ApiKeyKind);
export const SCOPES = Object.values(ApiScope);
/** The rights of a key that everybody can read. */
export const BROWSER_SCOPES: readonly ApiScope[] = ['menu:read', 'orders:write'];
/** Days before its end from which a key is marked. */
export const SOON_DAYS = 14;

/** The form's fields: of a new key all, of one that is there name, origins and end. */
export const newFields = (resource: KeyResource): Fields => ({
  name: { kind: 'text', required: true, max: 100 },
  kind: { kind: 'select', required: true, options: KINDS, default: 'secret' },
  scopes: { kind: 'multiselect', options: SCOPES, default: [...SCOPES] },
  ...(resource === 'partner_api_keys'
    ? { restaurant_ids: { kind: 'refs' as const, required: true, resource: 'restaurants' } }
    : {}),
  origins: { kind: 'multiselect' },
  expires_at: { kind: 'datetime', nullable: true },
});
export const changeFields: Fields = {
  name: { kind: 'text', required: true, max: 100 },
  origins: { kind: 'multiselect' },
  expires_at: { kind: 'datetime', nullable: true },
};
export const listFields = (resource: KeyResource): Fields => ({
  ...newFields(resource),
  created_at: { kind: 'datetime', readonly: true },
  last_used_at: { kind: 'datetime', readonly: true },
  with_revoked: { kind: 'switch', readonly: true },
});

/** An origin as the service takes it: https, a host, perhaps a port, nothing behind it. */
export const isOrigin = (text: string): boolean => /^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(text);
