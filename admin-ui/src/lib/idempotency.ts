import { useCallback, useRef } from 'react';

/** The Idempotency-Key of a body; `part` names one of several bodies that are sent one after the other. */
export type KeyFor = (body: unknown, part?: string) => string;

/**
 * One Idempotency-Key per submitted body: the same body sent again (a retry, a second click) carries the same
 * key, an edited body a new one.
 */
export class IdempotencyKeys {
  #sent = new Map<string, { body: string; key: string }>();

  keyFor: KeyFor = (body, part = '') => {
    const text = JSON.stringify(body ?? null);
    const known = this.#sent.get(part);
    if (known?.body === text) return known.key;
    const key = newKey();
    this.#sent.set(part, { body: text, key });
    return key;
  };

  /** After success: the next submission is a new one even when it looks the same. */
  done(): void {
    this.#sent.clear();
  }
}

/** Runs calls that take keys. A run that fails and is repeated sends the same bodies with the same keys. */
export function useIdempotency(): <A>(run: (keyFor: KeyFor) => Promise<A>) => Promise<A> {
  const keys = useRef(new IdempotencyKeys());
  return useCallback(async (run) => {
    const answer = await run(keys.current.keyFor);
    keys.current.done();
    return answer;
  }, []);
}

/** A key of its own. randomUUID exists only in secure contexts, which a tablet on plain http is not. */
export function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
