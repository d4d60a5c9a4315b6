import { useRef, useState } from 'react';
import { ApiError } from '../http';

export type Row = Record<string, unknown> & { id?: string };

/** What somebody else has saved meanwhile, and what was to be saved. */
export interface Conflict {
  current: Row;
  mine: Row;
}

/** `mine` saves over, `theirs` takes the current row, `later` leaves the form as it is. */
export type Choice = 'mine' | 'theirs' | 'later';

/** The row that a refusal names because somebody else was faster. */
export const faster = (failure: unknown): Row | undefined =>
  failure instanceof ApiError && failure.code === 'CONFLICT'
    ? (failure.problem.current as Row | undefined)
    : undefined;

/** For `ConflictDialog`: `ask` shows a conflict and waits for the choice. */
export function useConflict() {
  const [conflict, setConflict] = useState<Conflict>();
  const decided = useRef<(choice: Choice) => void>(undefined);
  const ask = async (found: Conflict): Promise<Choice> => {
    setConflict(found);
    const choice = await new Promise<Choice>((resolve) => (decided.current = resolve));
    setConflict(undefined);
    return choice;
  };
  return { conflict, ask, resolve: (choice: Choice) => decided.current?.(choice) };
}
