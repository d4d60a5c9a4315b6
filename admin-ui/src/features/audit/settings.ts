import { restaurantSwitchesHistoryRestore } from '../../generated/client/platform/platform';
import { settingsHistoryRestore } from '../../generated/client/restaurants/restaurants';
import type { SettingsChange, SettingsGroup } from '../../generated/model';
import { request } from '../../lib/http';
import { collectionPath } from '../../lib/providers/data';
import { here } from '../../lib/target';
import { type AuditLine, PAGE_SIZE } from './model';

/** Each history of settings is read under this key. */
const KEY = 'settings_history';

/** A line of the history of settings, as the log shows lines. */
export type SettingsLine = AuditLine & Pick<SettingsChange, 'can_restore' | 'version'>;

/** Where a history is read, and how one returns to what was before a line. */
export interface SettingsSource {
  key: readonly string[];
  read: (page: number, signal?: AbortSignal) => Promise<{ rows: SettingsLine[]; total: number }>;
  /** Refused when the group was changed since the line was read. */
  restore: (line: SettingsLine) => Promise<unknown>;
}

async function readPage(path: string, page: number, more: Record<string, string>, signal?: AbortSignal) {
  const query = new URLSearchParams({
    ...more,
    limit: String(PAGE_SIZE),
    page: String(page - 1),
    count: 'true',
  });
  const { data, headers } = await request<SettingsChange[]>(`${path}?${query}`, { signal: signal ?? null });
  const rows = data.map((line) => ({ ...line, request_id: '' }));
  return { rows, total: Number(headers.get('X-Total-Count') ?? data.length) };
}

/** The history of a group of the restaurant that one is in. */
export const settingsOf = (group: SettingsGroup): SettingsSource => ({
  key: [KEY, group],
  read: (page, signal) => readPage(collectionPath(KEY), page, { group }, signal),
  restore: ({ id, version }) => settingsHistoryRestore(...here(), id, { version }),
});

/** The history of switches and features of any restaurant, for super admins. */
export const switchesOf = (restaurant: string): SettingsSource => ({
  key: [KEY, 'switches', restaurant],
  read: (page, signal) =>
    readPage(collectionPath('restaurant_switches_history', { restaurant_id: restaurant }), page, {}, signal),
  restore: ({ id, version }) => restaurantSwitchesHistoryRestore(restaurant, id, { version }),
});

/**
 * The line that takes a return back: the first one that it wrote. Lines stand newest first; undefined when it
 * changed nothing.
 */
export function restoredBy(
  before: readonly SettingsLine[],
  after: readonly SettingsLine[],
): SettingsLine | undefined {
  const known = new Set(before.map((line) => line.id));
  const first = after.findLast((line) => !known.has(line.id) && line.id > (before[0]?.id ?? ''));
  return first?.can_restore ? first : undefined;
}
