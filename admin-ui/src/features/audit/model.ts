import { auditList, partnerAuditList, platformAuditList } from '../../generated/client/access/access';
import type { AuditListParams, RecordName } from '../../generated/model';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import { type Counted, counted, type RequestOptions } from '../../lib/http';
import { readKey } from '../../lib/query';
import { here, target } from '../../lib/target';

/** A line of the log, of a restaurant, a company or the platform. */
export interface AuditLine {
  id: string;
  at: string;
  actor_kind: string;
  actor_id?: string | null;
  actor_name: string;
  /** Mostly an operation's id: `couriers_update`. */
  action: string;
  record_id?: string | null;
  /** The name it had then. */
  record_name?: string | null;
  restaurant_id?: string | null;
  restaurant_name?: string | null;
  partner_id?: string | null;
  partner_name?: string | null;
  request_id: string;
  details: unknown;
  /** What the records are called whose ids stand in `details`. */
  names?: RecordName[];
}

/** The log to show. */
export type Log = 'audit' | 'partner_audit' | 'platform_audit';
export const FILTERS = ['from', 'till', 'name', 'action', 'record_id'] as const;

/** A day of the address; what somebody has typed there and is none counts as none. */
export const dayOf = (text: string | undefined) =>
  text && /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/.test(text) ? text : undefined;

const LISTS: Record<Log, (query: AuditListParams, options: RequestOptions) => Promise<AuditLine[]>> = {
  audit: (query, options) => auditList(...here(), query, options),
  partner_audit: (query, options) => partnerAuditList(target().partner_id, query, options),
  platform_audit: platformAuditList,
};

const CALLS = {
  audit: 'auditList',
  partner_audit: 'partnerAuditList',
  platform_audit: 'platformAuditList',
} as const;
export const logKey = (log: Log, ...asked: readonly unknown[]) => readKey(CALLS[log], ...asked);

/** The query of a page. Screens count pages from 1, the service from 0. */
export const pageQuery = (page: number) => ({ limit: PAGE_SIZE, page: page - 1, count: true });

export const readLog = (
  log: Log,
  filters: AuditListParams,
  page: number,
  signal?: AbortSignal,
): Promise<Counted<AuditLine>> =>
  counted((options) => LISTS[log]({ ...filters, ...pageQuery(page) }, options), { signal: signal ?? null });

/** Verb and resource of an action: `product_categories_rank` is `rank` of `product_categories`. */
export function splitAction(action: string): { resource: string; verb: string } {
  const hit =
    /^(.+)_(create|update|delete|rank|move|copy|accept|archive|rotate|invite|unlock|sign_out|suspend|reactivate|undelete|clone|migrate|restore|run|general|delivery|close|system|points|prove|apply|undo|save|connect|logout|test|pairing|pair|prepared|confirm|reset|export|step)$/.exec(
      action,
    );
  return hit ? { resource: hit[1]!, verb: hit[2]! } : { resource: '', verb: action };
}

type Change = { field: string; before: unknown; after: unknown } | { field: string; value: unknown };

/** The details as changes. A value that is no pair of before and after is shown as a plain fact. */
export function changesOf(action: string, details: unknown): Change[] {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return [];
  const { verb } = splitAction(action);
  // An order of rows is a list of ids, which two rows would make look like a change.
  // First what the record is called: of a new one with many fields the rest is folded away.
  const place = ([field]: [string, unknown]) => NAMES.indexOf(field) + 1 || NAMES.length + 1;
  return Object.entries(details)
    .sort((a, b) => place(a) - place(b))
    .flatMap<Change>(([field, value]) => {
      if (field === 'id' || (!Array.isArray(value) && none(value))) return [];
      if (verb === 'rank' || !Array.isArray(value) || value.length !== 2)
        return [{ field, value: value as unknown }];
      const [before, after] = value as [unknown, unknown];
      if (none(before) && none(after)) return [];
      // A new field had no value before, and a removed one has none now.
      if (none(before) && verb !== 'update') return [{ field, value: after }];
      if (none(after) && verb === 'delete') return [{ field, value: before }];
      return [{ field, before, after }];
    });
}

/** What a list has lost and gained; undefined where there are not two lists of plain values. */
export function listChange(
  before: unknown,
  after: unknown,
): { gone: unknown[]; come: unknown[] } | undefined {
  const plain = (list: unknown): list is unknown[] =>
    Array.isArray(list) && list.every((one) => typeof one !== 'object');
  if (!plain(before) || !plain(after)) return undefined;
  const change = {
    gone: before.filter((one) => !after.includes(one)),
    come: after.filter((one) => !before.includes(one)),
  };
  // Only another order.
  return change.gone.length + change.come.length > 0 ? change : undefined;
}

const NAMES: readonly string[] = ['name', 'last_name', 'first_name', 'title', 'email'];

const none = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
