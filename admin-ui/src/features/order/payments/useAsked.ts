import { ApiError } from '../../../lib/http';
import { useNotify } from '../../../lib/ui/notify';
import { useWork } from '../../../lib/ui/work';

/** After a question: a call whose outcome others may have said already, so that all is read again. */
export function useAsked(onChanged: () => void) {
  const notify = useNotify();
  const { busy, work } = useWork();
  const ask = async (
    question: { title: string; effect?: string; verb: string },
    call: () => Promise<unknown>,
  ) => {
    if (!(await notify.confirm({ ...question, danger: false }))) return;
    await work(async () => {
      try {
        await call();
      } catch (failure) {
        if (failure instanceof ApiError && failure.status < 500) onChanged();
        throw failure;
      }
      onChanged();
    });
  };
  return { busy, ask };
}
