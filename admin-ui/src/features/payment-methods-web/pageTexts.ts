/** The restaurant's own texts on the page after a payment: what the form holds, and what is sent. */
import type { PageText } from '../../generated/model';
import { PaymentOutcome } from '../../generated/model/paymentOutcome';
import { optional } from '../../lib/form/body';
import type { Provider } from './words';

export const OUTCOMES = Object.values(PaymentOutcome);
export const LANGUAGES = ['hu', 'en'] as const;
export type Cell = `${PaymentOutcome}_${(typeof LANGUAGES)[number]}`;
/** A text by outcome and language; an empty one is the standard text. */
export type Texts = Record<Cell, string>;

/** What the form of a provider begins with. */
export const textsOf = (all: readonly PageText[], provider: Provider): Texts =>
  Object.fromEntries(
    OUTCOMES.flatMap((outcome) => {
      const own = all.find((one) => one.provider === provider && one.outcome === outcome);
      return LANGUAGES.map((language) => [`${outcome}_${language}`, own?.[language] ?? '']);
    }),
  ) as Texts;

/**
 * All texts with those of a provider that were changed: what is not sent would be the standard text again, so that those
 * of other providers go along, of ones without an account too.
 */
export function withTexts(all: readonly PageText[], provider: Provider, changed: Partial<Texts>): PageText[] {
  const now = { ...textsOf(all, provider), ...changed };
  const own = OUTCOMES.flatMap((outcome): PageText[] => {
    const hu = optional(now[`${outcome}_hu`]);
    return hu ? [{ provider, outcome, hu, en: optional(now[`${outcome}_en`]) }] : [];
  });
  return [...all.filter((one) => one.provider !== provider), ...own];
}
