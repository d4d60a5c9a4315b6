import { type ListState, useListState } from '../../lib/crud/useListState';
import { useArea } from './area';

/** A list's state in the address, but for what it is searched by: names, phones and e-mails do not stand there. */
export function useHeldListState(names: readonly string[]): ListState {
  const own = useListState(names);
  const { search, setSearch } = useArea();
  return {
    ...own,
    search,
    filtered: search !== '' || Object.keys(own.filters).length > 0,
    set: ({ search: text, ...change }) => {
      if (text !== undefined) setSearch(text);
      own.set(change);
    },
    clear: () => {
      setSearch('');
      own.clear();
    },
  };
}
