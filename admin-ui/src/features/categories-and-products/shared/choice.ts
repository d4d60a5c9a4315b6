/** How many a guest chooses, as a key of the texts with its numbers; a maximum of 0 is no limit. */
export function choice({
  min_no_options: min,
  max_no_options: max,
}: {
  min_no_options: number;
  max_no_options: number;
}): { key: string; min: number; max: number } {
  const kind =
    min === 0 ? (max === 0 ? 'any' : 'up_to') : max === 0 ? 'at_least' : min === max ? 'exactly' : 'between';
  return { key: `option_groups.choice_${kind}`, min, max };
}
