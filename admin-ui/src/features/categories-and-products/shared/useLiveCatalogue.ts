import { useQueryClient } from '@tanstack/react-query';
import { useLiveEvent } from '../../../lib/live';
import { CATALOGUE } from './api';

/**
 * Reads what is shown of the catalogue again when somebody else has changed it, after a cut, and each 15 s while the
 * connection is down. Rows keep their place, and forms what was typed into them.
 */
export function useLiveCatalogue(): void {
  const client = useQueryClient();
  const again = () => void client.invalidateQueries({ queryKey: [CATALOGUE] });
  useLiveEvent('TASK_CATALOGUE_RELOAD', again);
  useLiveEvent('TASK_RELOAD', again);
  useLiveEvent('poll', again);
  useLiveEvent('live', ({ first }) => {
    if (!first) again();
  });
}
