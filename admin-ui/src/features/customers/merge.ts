/** As much of a customer as a merge looks at. */
export interface Mergeable {
  id: string;
  name: string;
  created_at: string;
}

/** Who of two stays, and who points to that one: the older is kept, as the service does it. */
export function olderOf<C extends Mergeable>(a: C, b: C): [stays: C, goes: C] {
  const [of, and] = [Date.parse(a.created_at), Date.parse(b.created_at)];
  const first = of === and ? a.id < b.id : of < and;
  return first ? [a, b] : [b, a];
}
