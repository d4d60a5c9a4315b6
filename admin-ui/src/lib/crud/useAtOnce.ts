import { useState } from 'react';
import { useNotify } from '../ui/notify';

/**
 * Something that takes effect at once and by itself: `put` sends it, `message` describes it, with an undo;
 * nothing else may be sent while `saving`.
 */
export function useAtOnce<T>(put: (value: T) => Promise<unknown>): {
  saving: boolean;
  change: (next: T, before: T, message: string) => Promise<void>;
} {
  const notify = useNotify();
  const [saving, setSaving] = useState(false);
  const change = async (next: T, before: T, message: string) => {
    setSaving(true);
    try {
      await put(next);
      notify.undo(message, () => put(before));
    } catch (error) {
      notify.problem(error);
    } finally {
      setSaving(false);
    }
  };
  return { saving, change };
}
