import type { Amount } from '../../../lib/format';

/** Without its sign: words say which way money goes. */
export const unsigned = (amount: Amount): string => String(amount ?? 0).replace(/^-/, '');
