/** What is sent: field by field as the service names them. */
export type Body = Record<string, unknown>;

export const same = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** An optional text as it is sent: without outer blanks, an empty one is null. */
export const optional = (text: string): string | null => text.trim() || null;

/** An amount as it is compared and sent, without superfluous zeros: 12.50 and 12.5 are the same. */
export function amount(text: string | number | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null;
  const plain = String(text);
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain;
}

/** The fields of `after` that differ from `before`. */
export const changes = (before: Body, after: Body): Body =>
  Object.fromEntries(Object.entries(after).filter(([field, value]) => !same(value, before[field])));

/**
 * What there is to save when somebody else saved meanwhile: my changes on top of theirs, field by field. A
 * field that both changed is mine.
 */
export function mergeFields<T extends object>(base: T, mine: T, theirs: T): T {
  const merged = { ...theirs };
  for (const field of Object.keys(mine) as (keyof T)[])
    if (!same(mine[field], base[field])) merged[field] = mine[field];
  return merged;
}

/** Whether no field was changed by both, each in another way: their changes go together without a question. */
export const apartFields = <T extends object>(base: T, mine: T, theirs: T): boolean =>
  (Object.keys(mine) as (keyof T)[]).every(
    (field) =>
      same(mine[field], base[field]) || same(theirs[field], base[field]) || same(theirs[field], mine[field]),
  );
