import { useQueries } from '@tanstack/react-query';
import { useCan } from '../../lib/access';
import { serverNow } from '../../lib/clock';
import { ApiError } from '../../lib/http';
import { useLiveEvent } from '../../lib/live';
import { useMe } from '../../lib/me';
import { readKey, useForget } from '../../lib/query';
import { useRestaurant } from '../../lib/target';
import { isUnderWay, type Work } from '../../lib/work';
import { sources } from './sources';
import { useWords } from './useWords';

/** How often a list is read while one of the own works in it is under way and the window is seen. */
const WATCH_MS = 2500;
const DAY_MS = 24 * 60 * 60_000;

export interface Works {
  /** Whether there is anything that this person may begin here. */
  any: boolean;
  /** The own ones of the last day and those under way, the newest first. */
  works: Work[];
  /** Every list was read, or could not be. */
  settled: boolean;
  /** A list could not be read, for another reason than that it is closed to this person. */
  incomplete: boolean;
  reread: () => Promise<void>;
}

/** Closed or not there: the menu says so, and the tray leaves it out. */
const isClosed = (error: unknown) => error instanceof ApiError && [403, 404].includes(error.status);

/** The own works of all kinds in this restaurant. Nothing is read by the clock unless one is under way. */
export function useWorks(): Works {
  const can = useCan();
  const me = useMe();
  const restaurant = useRestaurant();
  const words = useWords();
  const forget = useForget();
  const open = sources.filter(
    (source) => can(...source.permission) && (source.may?.(me, restaurant) ?? true),
  );
  const worksOf = (at: number, rows: unknown[] | undefined): Work[] => {
    const source = open[at]!;
    return (rows ?? []).filter((row) => source.own(row, me)).map((row) => source.toWork(row, words));
  };
  const lists = useQueries({
    queries: open.map((source, at) => ({
      queryKey: readKey(source.call),
      queryFn: ({ signal }: { signal: AbortSignal }) => source.read({ signal }),
      refetchInterval: ({ state }: { state: { data: unknown[] | undefined } }) =>
        worksOf(at, state.data).some(isUnderWay) ? WATCH_MS : false,
    })),
  });
  const reread = () => forget(open.map(({ call }) => call));
  // The socket tells nothing of works by themselves. After a cut, and when the service says that anything may
  // have changed, one may have ended.
  useLiveEvent('live', ({ first }) => void (first || reread()));
  useLiveEvent('TASK_RELOAD', () => void reread());
  const since = serverNow() - DAY_MS;
  return {
    any: open.length > 0,
    works: lists
      .flatMap(({ data }, at) => worksOf(at, data))
      .filter((work) => isUnderWay(work) || Date.parse(work.startedAt) > since)
      .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt)),
    settled: lists.every(({ isPending }) => !isPending),
    incomplete: lists.some(({ error }) => error !== null && !isClosed(error)),
    reread,
  };
}
