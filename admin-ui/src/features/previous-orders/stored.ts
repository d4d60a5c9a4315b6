import { cleaned, type Filter, isFiltered } from './filter';

/** The last filter of one person at one restaurant, on this device. It goes with `pult.user.` at sign-out. */
export function storedFilter(person: string, restaurant: string) {
  const name = `pult.user.${person}.previous-orders.${restaurant}`;
  return {
    read: (): Filter | undefined => {
      try {
        const kept = cleaned(JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Filter>);
        return isFiltered(kept) ? kept : undefined;
      } catch {
        return undefined;
      }
    },
    write: (filter: Filter): void => {
      if (!isFiltered(filter)) return localStorage.removeItem(name);
      try {
        localStorage.setItem(name, JSON.stringify(filter));
      } catch {
        // A full storage keeps nobody from filtering.
      }
    },
  };
}
