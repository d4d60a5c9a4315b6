/** What looks wrong about a phone number. Nobody is kept from it: foreign numbers are as they are. */

export type Doubt = 'letters' | 'short' | 'mobile' | 'landline';

/** Fewer digits are no whole number anywhere. */
const LEAST = 8;
/** Areas of Hungarian mobile numbers, each with seven digits behind it. */
const MOBILE = /^(20|30|31|50|70)/;

/** What follows `+36` or `06`. */
const hungarian = (digits: string): string | undefined => /^(?:\+36|0036|06)(\d*)$/.exec(digits)?.[1];

/** Why the number may be wrong: no number, too short for any, or of another length than Hungarian ones. */
export function doubtOf(typed: string): Doubt | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (!/^\+?[\d\s()/.-]+$/.test(text)) return 'letters';
  const digits = text.replace(/[^\d+]/g, '');
  const own = hungarian(digits);
  if (own !== undefined && MOBILE.test(own)) return own.length === 9 ? undefined : 'mobile';
  if (digits.replace('+', '').length < LEAST) return 'short';
  return own === undefined || own.length === 8 ? undefined : 'landline';
}
