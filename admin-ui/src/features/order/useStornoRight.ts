import { useCan } from '../../lib/access';

/**
 * Who may cancel orders and give money back: whoever has the right, and whoever works with orders, by the PIN of
 * somebody who may.
 */
export function useStornoRight(): { may: boolean; needsPin: boolean } {
  const can = useCan();
  const own = can('order_storno');
  return { may: own || can('order_accept'), needsPin: !own };
}
