import {
  apiKeysRotate,
  apiKeysUsage,
  partnerApiKeysRotate,
  partnerApiKeysUsage,
} from '../../generated/client/access/access';
import type { ApiKeyRotation } from '../../generated/model';
import { here } from '../../lib/target';
import type { ApiKey, KeyResource, Usage } from './types';

/** A key of the whole partner is below the partner, the others are below the restaurant of the page. */
const ofPartner = (resource: KeyResource) => resource === 'partner_api_keys';

/** Another secret for the key; the answer is the only place where it stands. */
export function rotateKey(resource: KeyResource, id: string, body: ApiKeyRotation): Promise<ApiKey> {
  const [partner, restaurant] = here();
  return ofPartner(resource)
    ? partnerApiKeysRotate(partner, id, body)
    : apiKeysRotate(partner, restaurant, id, body);
}

/** The calls of a key per day, and the last refused ones. */
export function readUsage(resource: KeyResource, id: string, signal: AbortSignal): Promise<Usage> {
  const [partner, restaurant] = here();
  return ofPartner(resource)
    ? partnerApiKeysUsage(partner, id, { signal })
    : apiKeysUsage(partner, restaurant, id, { signal });
}
