import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { ApiError } from '../../lib/http';
import type { HeldPin } from '../../lib/pin/usePin';

/** The header of a call with the own PIN. */
interface Pinned {
  'X-Pin': string;
}

interface Area {
  held: HeldPin;
  /** What the list is searched by. It is personal data, so it does not stand in the address. */
  search: string;
  setSearch: (text: string) => void;
}

const Context = createContext<Area | undefined>(undefined);

/** What all pages of the area have in common, as long as it is not left. */
export function AreaProvider({ held, children }: { held: HeldPin; children: ReactNode }) {
  const [search, setSearch] = useState('');
  const area = useMemo(() => ({ held, search, setSearch }), [held, search]);
  return <Context value={area}>{children}</Context>;
}

export function useArea(): Area {
  const area = useContext(Context);
  if (!area) throw new Error('outside the area of the customers');
  return area;
}

/** A refusal because of the PIN itself: it was changed or taken away elsewhere. */
const isOfPin = (failure: unknown): boolean =>
  failure instanceof ApiError && ['PIN_INVALID', 'PIN_REQUIRED'].includes(failure.code);

/** Runs calls with the PIN; one that the service does not take any more is forgotten, and asked for. */
export function usePinned(): <T>(call: (header: Pinned) => Promise<T>) => Promise<T> {
  const { held } = useArea();
  return async (call) => {
    const { pin } = held;
    if (pin === undefined) throw new ApiError({ status: 403, code: 'PIN_REQUIRED' });
    try {
      return await call({ 'X-Pin': pin });
    } catch (failure) {
      if (isOfPin(failure)) held.drop();
      throw failure;
    }
  };
}
