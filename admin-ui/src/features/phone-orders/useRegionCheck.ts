import { keepPreviousData } from '@tanstack/react-query';
import { deliveryRegionsCheck } from '../../generated/client/restaurants/restaurants';
import { useDebounced } from '../../lib/hooks';
import { readKey, useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { isPlaced, type PhoneDraft } from './draft';

/** An address is looked for when nobody has typed for so long. ms */
const PAUSE_MS = 400;

/** The longest street that can be asked for, with its number. */
const LONGEST = 100;

/** Which region delivers to an address that is whole. The number places it on the map. */
export function useRegionCheck({ address, point }: Pick<PhoneDraft, 'address' | 'point'>, wanted: boolean) {
  const { postcode, city } = address;
  const number = /^\s*\d/.test(address.premise_number) ? address.premise_number.trim() : '';
  const street = `${address.street.trim()} ${number}`.slice(0, LONGEST);
  const asked = Object.fromEntries(
    Object.entries({ postcode, city, street }).flatMap(([name, text]) =>
      text.trim() ? [[name, text.trim()]] : [],
    ),
  );
  const text = wanted && isPlaced({ address }) ? JSON.stringify({ ...asked, ...point }) : '';
  const still = useDebounced(text, PAUSE_MS);
  const query = useRead(
    readKey('deliveryRegionsCheck', still),
    () => deliveryRegionsCheck(...here(), JSON.parse(still)),
    {
      enabled: still !== '' && text !== '',
      placeholderData: keepPreviousData,
      // An address is personal data.
      gcTime: 0,
      refetchOnWindowFocus: false,
    },
  );
  return {
    check: text === '' ? undefined : query.data,
    stale: text !== '' && (text !== still || query.isFetching),
    error: text !== '' && text === still ? (query.error ?? undefined) : undefined,
  };
}
