import { expect, it } from 'vitest';
import { restoredBy, type SettingsLine } from './settings';

const line = (id: string, can_restore = true): SettingsLine => ({
  id,
  can_restore,
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
