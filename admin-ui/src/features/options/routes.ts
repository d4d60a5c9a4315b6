import { isEdit } from '../categories-and-products/routes';

/** The path behind the screen's slug. */
type Place =
  | { at: 'groups'; editor?: 'new' }
  | { at: 'options'; group: string; editor?: 'group' | 'new' | { option: string } };

export function placeOf(path: readonly string[], isNew: (segment: string | undefined) => boolean): Place {
  const [group, inside] = path;
  if (group === undefined) return { at: 'groups' };
  if (isNew(group)) return { at: 'groups', editor: 'new' };
  if (inside === undefined) return { at: 'options', group };
  return {
    at: 'options',
    group,
    editor: isEdit(inside) ? 'group' : isNew(inside) ? 'new' : { option: inside },
  };
}

/** Where another screen wants to jump, from the navigation's state or the address. */
export function jumpOf(
  state: unknown,
  query: URLSearchParams,
): { group?: string; option?: string } | undefined {
  const given = (typeof state === 'object' && state !== null ? state : {}) as Record<string, unknown>;
  const of = (name: string) =>
    typeof given[name] === 'string' ? (given[name] as string) : (query.get(name) ?? undefined);
  const [group, option] = [of('option_group_id'), of('option_id')];
  return group || option ? { ...(group ? { group } : {}), ...(option ? { option } : {}) } : undefined;
}
