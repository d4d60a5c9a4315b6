import { expect, it, vi } from 'vitest';
import { setTarget } from '../../lib/target';
import type { Restaurant } from '../../generated/model';
import { restoredBy, type SettingsLine, settingsOf, switchesOf } from './settings';

const line = (id: string, can_restore = true): SettingsLine => ({
  id,
  can_restore,
  version: 7,
  at: '2031-01-01T10:00:00Z',
  actor_kind: 'admin',
  actor_name: 'Anna',
  action: 'restaurant_holidays_update',
  request_id: '',
  details: {},
});

it('a return is taken back by the first line that it wrote', () => {
  const before = [line('3'), line('2'), line('1')];
  expect(restoredBy(before, [line('5'), line('4'), ...before])?.id).toBe('4');
  expect(restoredBy(before, before)).toBeUndefined();
  // A line without values leads nowhere.
  expect(restoredBy(before, [line('4', false), ...before])).toBeUndefined();
  // Lines that moved onto the first page are no new ones.
  expect(restoredBy([line('3'), line('2')], [line('3'), line('2'), line('1')])).toBeUndefined();
});

it('a return says of which state of the history it was chosen', async () => {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(null, { status: 204 }));
  vi.stubGlobal('fetch', fetch);
  setTarget({ id: 'r', partner_id: 'p' } as Restaurant);
  for (const source of [settingsOf('socials'), switchesOf('r')]) {
    await source.restore(line('3'));
    expect(JSON.parse(String(fetch.mock.lastCall![1].body))).toEqual({ version: 7 });
  }
  setTarget(undefined);
});
