import { useState } from 'react';
import { type KeyFor, useIdempotency } from '../idempotency';
import { useNotify } from './notify';

/**
 * Work that a button begins: whether it is under way, what of several it is (`doing`), and how it is begun.
 * Its problem becomes a notification; `useInlineWork` is for one that stands beside the button. Calls that
 * create something take their Idempotency-Key from `keyFor`.
 */
export function useWork<What = true>() {
  const notify = useNotify();
  const withKeys = useIdempotency();
  const [doing, setDoing] = useState<What>();
  const work = async (
    run: (keyFor: KeyFor) => Promise<unknown>,
    what: What = true as What,
  ): Promise<void> => {
    setDoing(() => what);
    try {
      await withKeys(run);
    } catch (error) {
      notify.problem(error);
    } finally {
      setDoing(undefined);
    }
  };
  return { doing, busy: doing !== undefined, work };
}

/** Work whose problem is shown beside its button (`<ProblemAlert>`) until it is begun again. */
export function useInlineWork() {
  const withKeys = useIdempotency();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** @returns whether it was done */
  const work = async (run: (keyFor: KeyFor) => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      await withKeys(run);
      return true;
    } catch (problem) {
      setError(problem);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, dismiss: () => setError(undefined), work };
}
