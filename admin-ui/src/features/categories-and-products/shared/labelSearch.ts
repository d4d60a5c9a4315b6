import { plain } from '../../../lib/plain';

/** Whether each word of a search stands in a label, in any order; accents and case do not count. */
export function labelMatches(search: string, label: unknown): boolean {
  const text = plain(String(label ?? ''));
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** How a select is searched: `gulyas`, `cola 0,5`. */
export const LABEL_SEARCH = {
  filterOption: (search: string, option?: { label?: unknown }) => labelMatches(search, option?.label),
};
