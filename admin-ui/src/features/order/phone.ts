/**
 * Country codes with three digits that guests in Europe have; those with one digit are 1 and 7, the rest have
 * two.
 */
const THREE_DIGIT_COUNTRIES = /^(2[1-9]\d|35\d|37\d|38[0-57-9]|42[013]|5[09]\d|6[789]\d|8[05678]\d|9[679]\d)/;

/**
 * A phone number with spaces: `+36 30 123 4567`, `06 1 234 5678`. Other texts stay unchanged.
 */
export function formatPhone(typed: string): string {
  const text = typed.trim();
  const compact = text.replace(/[\s()/.-]/g, '').replace(/^00/, '+');
  if (!/^\+?\d{6,15}$/.test(compact)) return text;
  if (compact.startsWith('+36')) return `+36 ${hungarian(compact.slice(3))}`;
  if (compact.startsWith('06')) return `06 ${hungarian(compact.slice(2))}`;
  if (!compact.startsWith('+')) return groups(compact);
  const digits = compact.slice(1);
  const length = /^[17]/.test(digits) ? 1 : THREE_DIGIT_COUNTRIES.test(digits) ? 3 : 2;
  return `+${digits.slice(0, length)} ${groups(digits.slice(length))}`;
}

/** Budapest has one digit before the number, everything else two. */
function hungarian(digits: string): string {
  const area = digits.startsWith('1') ? 1 : 2;
  const rest = digits.slice(area);
  return `${digits.slice(0, area)} ${rest.slice(0, 3)} ${rest.slice(3)}`.trim();
}

/** Threes, the last group up to four digits so that none stands alone. */
function groups(digits: string): string {
  const parts = digits.match(/\d{1,3}/g) ?? [];
  if (parts.length > 1 && parts.at(-1)!.length === 1) parts.splice(-2, 2, parts.at(-2)! + parts.at(-1)!);
  return parts.join(' ');
}

/** The number for a `tel:` link. */
export const phoneUrl = (typed: string): string => `tel:${typed.replace(/[^\d+]/g, '')}`;
