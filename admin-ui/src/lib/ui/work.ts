import { useState } from 'react';
import { useNotify } from './notify';

/**
 * Work that a button begins: whether it is under way, what of several it is (`doing`), and how it is begun.
 * Its problem is told; whoever shows it beside the button keeps it by hand.
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
