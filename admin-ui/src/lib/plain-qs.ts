/**
 * Stands in for `qs` in Refine, whose tables in the address we do not use (lists keep theirs by
 * `useListState`): flat values only. With all that it draws in the real one is 12 kB of every first visit.
 * See vite.config.ts.
 */
export const parse = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export const stringify = (
  values: Record<string, unknown>,
  options?: { addQueryPrefix?: boolean },
): string => {
  const flat = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return flat.length === 0 ? '' : `${options?.addQueryPrefix ? '?' : ''}${new URLSearchParams(flat)}`;
};

export default { parse, stringify };
