/** The order that is taken, kept in this tab: a reload loses nothing of a call. Nothing of it outlives the tab. */
import { FRESH, isFresh, type PhoneDraft } from './draft';

/** What was sent and not answered: sent again unchanged it is the same order. */
export interface Sent {
  body: string;
  key: string;
}

interface StoredDraft {
  /** When it was written. ms */
  at: number;
  draft: PhoneDraft;
  sent?: Sent | undefined;
}

/** What is older was forgotten. ms */
const LONGEST_MS = 12 * 3_600_000;

/** Of one person at one restaurant: whoever signs in after somebody else does not see it. */
export function storedOrder(person: string, restaurant: string) {
  const name = `pult.phone-order.${person}.${restaurant}`;
  const forget = () => sessionStorage.removeItem(name);
  const read = (now: number = Date.now()): Omit<StoredDraft, 'at'> | undefined => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(name) ?? 'null') as StoredDraft | null;
      if (!kept || now - kept.at > LONGEST_MS) return undefined;
      // What another release kept may lack a field.
      return { draft: { ...FRESH, ...kept.draft }, sent: kept.sent };
    } catch {
      return undefined;
    }
  };
  const write = (draft: PhoneDraft, sent: Sent | undefined, now: number = Date.now()) => {
    if (isFresh(draft)) return forget();
    try {
      sessionStorage.setItem(name, JSON.stringify({ at: now, draft, sent } satisfies StoredDraft));
    } catch {
      // A full storage keeps nobody from taking the order.
    }
  };
  return { read, write, forget };
}
