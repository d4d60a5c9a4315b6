import { vi } from 'vitest';
import { service, testRanking } from '../../../lib/form/ranking.test-data';
import SortMode from './SortMode';

vi.mock('./api', () => ({ useRefreshCatalogue: () => service.refresh }));

testRanking('a list of the catalogue sorted by hand', ({ rows, onDone }) => (
  <SortMode rows={rows} nameOf={(row) => row.name} send={service.send} onDone={onDone}>
    {(row) => <span>{row.name}</span>}
  </SortMode>
));
