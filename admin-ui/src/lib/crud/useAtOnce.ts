import { useNotify } from '../ui/notify';
import { useWork } from '../ui/work';

/**
 * Something that takes effect at once and by itself: `put` sends it, `message` describes it, with an undo;
 * nothing else may be sent while `saving`.
 */
export function useAtOnce<T>(put: (value: T) => Promise<unknown>): {
  saving: boolean;
  change: (next: T, before: T, message: string) => Promise<void>;
} {
  const notify = useNotify();
  const { busy, work } = useWork();
  const change = (next: T, before: T, message: string) =>
    work(async () => {
      await put(next);
      notify.undo(message, () => put(before));
    });
  return { saving: busy, change };
}
