/** Choosing options of a size, by the limits of their groups. A quantity is per piece. */
import type { MenuOptionGroup } from '../../generated/model';

type Group = Pick<MenuOptionGroup, 'id' | 'min_no_options' | 'max_no_options'> & {
  options: readonly { id: string }[];
};

/** How many of each option one piece has, by its id. */
export type Chosen = Readonly<Record<string, number>>;

/** The most of one option. */
const MOST = 999;

/** How many options of the group one piece has. */
export const countIn = (group: Group, chosen: Chosen): number =>
  group.options.reduce((sum, { id }) => sum + (chosen[id] ?? 0), 0);

/** The most that the group takes; 0 is no limit. */
const mostOf = ({ max_no_options }: Group): number => max_no_options || MOST;

/** One of them, as with radio buttons. */
export const isSingle = (group: Group): boolean => group.max_no_options === 1;

/** What is wrong with the choice: `few`, `many`. */
export function faultOf(group: Group, chosen: Chosen): 'few' | 'many' | undefined {
  const count = countIn(group, chosen);
  return count < group.min_no_options ? 'few' : count > mostOf(group) ? 'many' : undefined;
}

export const isMet = (groups: readonly Group[], chosen: Chosen): boolean =>
  groups.every((group) => faultOf(group, chosen) === undefined);

/** How many more of the group fit. */
export const roomIn = (group: Group, chosen: Chosen): number =>
  Math.max(0, mostOf(group) - countIn(group, chosen));

const without = (chosen: Chosen, ids: readonly string[]): Chosen =>
  Object.fromEntries(Object.entries(chosen).filter(([id]) => !ids.includes(id)));

/**
 * So many of one option, as many as fit. Of a group that takes one, another one goes.
 */
export function choose(group: Group, chosen: Chosen, id: string, count: number): Chosen {
  if (isSingle(group)) {
    const rest = without(
      chosen,
      group.options.map((one) => one.id),
    );
    return count > 0 ? { ...rest, [id]: 1 } : rest;
  }
  const rest = without(chosen, [id]);
  const fits = Math.min(Math.max(0, Math.floor(count)), roomIn(group, rest), MOST);
  return fits > 0 ? { ...rest, [id]: fits } : rest;
}

/** What a size begins with: options between which nobody can choose. */
export const firstChoice = (groups: readonly Group[]): Chosen =>
  Object.fromEntries(
    groups
      .filter(({ options, min_no_options }) => options.length === 1 && min_no_options === 1)
      .map(({ options }) => [options[0]!.id, 1]),
  );

/** Whether somebody must say something before it can be ordered. */
export const asksFirst = (groups: readonly Group[]): boolean => !isMet(groups, firstChoice(groups));

/** Options that the groups still have, and the ids of those that are gone. */
export function stillThere(groups: readonly Group[], chosen: Chosen): { kept: Chosen; gone: string[] } {
  const known = new Set(groups.flatMap(({ options }) => options.map(({ id }) => id)));
  const gone = Object.keys(chosen).filter((id) => !known.has(id));
  return { kept: without(chosen, gone), gone };
}
