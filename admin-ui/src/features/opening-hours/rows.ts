import type { HolidayType, RestaurantHoliday } from '../../generated/model';
import { parseTime } from '../../lib/fields/TimeInput';

/** A holiday as it is edited; one without an id is new. */
export interface HolidayRow {
  /** Of the row on the screen. */
  key: string;
  id?: string;
  version?: number;
  valid_from: string | null;
  valid_till: string | null;
  holiday_type: HolidayType;
  open_at: string;
  close_at: string;
}

export const toRow = (holiday: RestaurantHoliday): HolidayRow => ({
  key: holiday.id,
  id: holiday.id,
  version: holiday.version,
  valid_from: holiday.valid_from,
  valid_till: holiday.valid_till,
  holiday_type: holiday.holiday_type,
  open_at: holiday.open_at ?? '',
  close_at: holiday.close_at ?? '',
});

/** The body of the request. Hours belong to open days only. */
export const toBody = (row: HolidayRow) => {
  const own = row.holiday_type === 'holiday_open' && row.open_at.trim() !== '';
  return {
    valid_from: row.valid_from!,
    valid_till: row.valid_till!,
    holiday_type: row.holiday_type,
    open_at: own ? parseTime(row.open_at)! : null,
    close_at: own ? parseTime(row.close_at)! : null,
  };
};

const sameRow = (a: HolidayRow, b: HolidayRow): boolean =>
  JSON.stringify(toBody(a)) === JSON.stringify(toBody(b));

/** All rows of the screen. */
export interface Holidays {
  rows: readonly HolidayRow[];
}

export type RowState = 'new' | 'modified';

/** The unsaved changes of a row, if any. */
export function stateOf(row: HolidayRow, base: Holidays): RowState | undefined {
  if (!row.id) return 'new';
  const before = base.rows.find((old) => old.key === row.key);
  return before && sameRow(row, before) ? undefined : 'modified';
}

export const unsavedRows = (draft: Holidays, base: Holidays): HolidayRow[] =>
  draft.rows.filter((row) => stateOf(row, base));

/** The text key of what is wrong with a row, if anything. */
export function faultOf(row: HolidayRow): string | undefined {
  if (!row.valid_from || !row.valid_till) return 'hours.fault_dates';
  if (row.valid_till < row.valid_from) return 'hours.fault_order';
  if (row.holiday_type === 'holiday_close') return undefined;
  const [from, till] = [row.open_at.trim(), row.close_at.trim()];
  if (!from && !till) return undefined;
  return parseTime(from) && parseTime(till) ? undefined : 'hours.fault_time';
}
