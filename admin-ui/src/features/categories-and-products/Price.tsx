import { useFormat } from '../../lib/format';
import { priceRange } from './product';

/** The price, or the lowest and highest where sizes differ. */
export function Price({ rows }: { rows: readonly { price: number | string }[] }) {
  const { money } = useFormat();
  const range = priceRange(rows);
  if (!range) return <span className="num">{money(null)}</span>;
  const [low, high] = range;
  return (
    <span className="num cat-price">
      {Number(low) === Number(high) ? money(low) : `${money(low)} – ${money(high)}`}
    </span>
  );
}
