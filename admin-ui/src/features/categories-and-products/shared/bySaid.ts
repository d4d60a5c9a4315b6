import { plain } from '../../../lib/plain';

/** Whether each word of a search stands in a label, in any order; accents and case do not count. */
export function isSaid(search: string, label: unknown): boolean {
  const text = plain(String(label ?? ''));
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** How a select is searched: `gulyas`, `cola 0,5`. */
export const BY_SAID = {
  filterOption: (search: string, option?: { label?: unknown }) => isSaid(search, option?.label),
};
