import { vi } from 'vitest';
import { service, testRanking } from '../form/ranking.test-data';
import RankList from './RankList';

vi.mock('../query', () => ({ useForget: () => service.refresh }));
vi.mock('../http', async (original) => ({
  ...(await original<object>()),
  request: (_: string, { body }: { body: { ids: string[] } }) => service.send(body.ids),
}));
vi.mock('../resources', () => ({ resourceInfo: () => ({ rankPath: '/things/ranking', rankBody: 'ids' }) }));

testRanking('a resource sorted by hand', ({ rows, onDone }) => (
  <RankList
    resource="couriers"
    rows={rows.map((row) => ({ ...row }))}
    nameOf={(row) => String(row.name)}
    onDone={onDone}
  />
));
