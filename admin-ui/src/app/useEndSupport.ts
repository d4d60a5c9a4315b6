import { useNavigate } from 'react-router';
import { useUnsaved } from '../lib/form/unsaved';
import { endSupport } from '../lib/support/api';
import { useWork } from '../lib/ui/work';

/** Ends an access, unless something unsaved holds it. */
export function useEndSupport(): { ending: boolean; end: (partner: string) => Promise<void> } {
  const navigate = useNavigate();
  const { ask } = useUnsaved({ dirty: false });
  const { busy: ending, work } = useWork();
  const end = async (partner: string) => {
    if (!(await ask())) return;
    await work(async () => {
      await endSupport(partner);
      void navigate('/platform');
    });
  };
  return { ending, end };
}
