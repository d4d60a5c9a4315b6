import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../http';
import { useNotify } from '../ui/notify';
import { same } from './body';
import { useDraft } from './useDraft';
import { type SaveState, useSave } from './useSave';

interface Options<T> {
  /** The rows as they were read last. */
  rows: readonly T[];
  /** Sends the whole order: the ids of all rows, each once. */
  send: (ids: string[]) => Promise<unknown>;
  /** Reads the rows again. */
  refresh: () => Promise<unknown>;
  /** The order is saved, and can be taken back by the notification. */
  onSaved: () => void;
}

export interface RankForm<T> extends SaveState {
  /** The rows in the order that is edited. */
  rows: readonly T[];
  dirty: boolean;
  /** Somebody else added or removed rows meanwhile: the order is to be checked and saved again. */
  changed: boolean;
  /** Puts the rows into another order; ignored while the last one is being saved. */
  sort: (rows: readonly T[]) => void;
  /** Takes the order back that was read. */
  reset: () => void;
  /** False when it was not saved. */
  save: () => Promise<boolean>;
  /** Whether sorting may end (asks when something is unsaved). */
  ask: () => Promise<boolean>;
}

interface Ranking {
  ids: string[];
}

const differ = (draft: Ranking, base: Ranking) => !same(draft.ids, base.ids);

/** My order of the rows that are still there; rows that are new stand at the end. Unedited: theirs. */
function merge(base: Ranking, mine: Ranking, theirs: Ranking): Ranking {
  if (!differ(mine, base)) return theirs;
  const kept = mine.ids.filter((id) => theirs.ids.includes(id));
  return { ids: [...kept, ...theirs.ids.filter((id) => !kept.includes(id))] };
}

/** The service refuses an order that does not have exactly the rows that are there. */
const isOutdated = (failure: unknown) =>
  failure instanceof ApiError && (failure.status === 409 || failure.status === 422);

/**
 * The order of rows as a form. One call sends the whole order, so it can be repeated when nobody answers. When
 * the rows have changed meanwhile they are read again, and the order is joined with what is there.
 */
export function useRankForm<T extends { id: string }>(options: Options<T>): RankForm<T> {
  const { rows, send, refresh, onSaved } = options;
  const { t } = useTranslation();
  const notify = useNotify();
  const [changed, setChanged] = useState(false);
  const read: Ranking = { ids: rows.map((row) => row.id) };
  const values = useDraft<Ranking>({ start: () => read, differ, place: () => undefined });

  const known = useRef(read);
  const key = read.ids.join();
  useEffect(() => {
    if (!differ(read, known.current)) return;
    known.current = read;
    values.begin(read, merge(values.base(), values.read(), read));
    // when rows were added, removed or sorted by somebody else
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);

  const save = useSave<Ranking, Ranking, Ranking>({
    values,
    bodyOf: (draft) => draft,
    send: async (draft) => {
      const before = values.base();
      setChanged(false);
      try {
        await send(draft.ids);
      } catch (failure) {
        if (isOutdated(failure)) {
          await refresh();
          setChanged(true);
        }
        throw failure;
      }
      values.accept();
      await refresh();
      return before;
    },
    onSaved: (before) => {
      notify.undo(t('list.order_saved'), async () => {
        await send(before.ids);
        await refresh();
      });
      onSaved();
    },
    repeatable: true,
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    ...save,
    rows: values.draft.ids.flatMap((id) => byId.get(id) ?? []),
    dirty: values.dirty,
    changed,
    sort: (next) => {
      if (!save.saving) values.set({ ids: next.map((row) => row.id) });
    },
    reset: () => values.begin(values.base()),
    save: async () => (await save.run()) !== undefined,
  };
}
