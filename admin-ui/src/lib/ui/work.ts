import { useState } from 'react';
import { useNotify } from './notify';

/**
 * Work that a button begins: whether it is under way, what of several it is (`doing`), and how it is begun.
 * Its problem becomes a notification; `useInlineWork` is for one that stands beside the button.
 */
export function useWork<What = true>() {
  const notify = useNotify();
  const [doing, setDoing] = useState<What>();
  const work = async (run: () => Promise<unknown>, what: What = true as What): Promise<void> => {
    setDoing(() => what);
    try {
      await run();
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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** @returns whether it was done */
  const work = async (run: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
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
