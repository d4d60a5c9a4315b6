import {
  restaurantSwitchesHistoryList,
  restaurantSwitchesHistoryRestore,
} from '../../generated/client/platform/platform';
import { settingsHistoryList, settingsHistoryRestore } from '../../generated/client/restaurants/restaurants';
import type { SettingsChange, SettingsGroup } from '../../generated/model';
import { type Counted, counted, type RequestOptions } from '../../lib/http';
import { readKey, type Key } from '../../lib/query';
import { here } from '../../lib/target';
import { type AuditLine, pageQuery } from './model';

/** A line of the history of settings, as the log shows lines. */
export type SettingsLine = AuditLine & Pick<SettingsChange, 'can_restore' | 'version'>;

/** Where a history is read, and how one returns to what was before a line. */
export interface SettingsSource {
  key: (...page: readonly number[]) => Key;
  read: (page: number, signal?: AbortSignal) => Promise<Counted<SettingsLine>>;
  /** Refused when the group was changed since the line was read. */
  restore: (line: SettingsLine) => Promise<unknown>;
}

async function readLines(
  list: (options: RequestOptions) => Promise<SettingsChange[]>,
  signal?: AbortSignal,
): Promise<Counted<SettingsLine>> {
  const { rows, total } = await counted(list, { signal: signal ?? null });
  return { rows: rows.map((line) => ({ ...line, request_id: '' })), total };
}

/** The history of a group of the restaurant that one is in. */
export const settingsOf = (group: SettingsGroup): SettingsSource => ({
  key: (...page) => readKey('settingsHistoryList', group, ...page),
  read: (page, signal) =>
    readLines((options) => settingsHistoryList(...here(), { group, ...pageQuery(page) }, options), signal),
  restore: ({ id, version }) => settingsHistoryRestore(...here(), id, { version }),
});

/** The history of switches and features of any restaurant, for super admins. */
export const switchesOf = (restaurant: string): SettingsSource => ({
  key: (...page) => readKey('restaurantSwitchesHistoryList', restaurant, ...page),
  read: (page, signal) =>
    readLines((options) => restaurantSwitchesHistoryList(restaurant, pageQuery(page), options), signal),
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
