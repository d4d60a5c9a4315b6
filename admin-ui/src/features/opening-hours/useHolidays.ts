import { useEffect, useRef, useState } from 'react';
import {
  restaurantHolidaysCreate,
  restaurantHolidaysDelete,
  restaurantHolidaysUpdate,
} from '../../generated/client/restaurants/restaurants';
import type { RestaurantHoliday } from '../../generated/model';
import { type Draft, useDraft } from '../../lib/form/useDraft';
import { useSave } from '../../lib/form/useSave';
import type { KeyFor } from '../../lib/idempotency';
import { useForget } from '../../lib/query';
import { here } from '../../lib/target';
import { faultOf, type Holidays, type HolidayRow, stateOf, toBody, toRow, unsavedRows } from './rows';

export const NAME = 'restaurant_holidays';

const differ = (draft: Holidays, base: Holidays) => unsavedRows(draft, base).length > 0;
const put = (rows: readonly HolidayRow[], key: string, row: HolidayRow) =>
  rows.some((old) => old.key === key) ? rows.map((old) => (old.key === key ? row : old)) : [...rows, row];

/** Creates or updates one row. */
async function sendRow(row: HolidayRow, keyFor: KeyFor): Promise<HolidayRow> {
  const body = toBody(row);
  const saved = row.id
    ? await restaurantHolidaysUpdate(...here(), row.id, { ...body, version: row.version })
    : await restaurantHolidaysCreate(...here(), body, { 'Idempotency-Key': keyFor(body, row.key) });
  return toRow(saved);
}

/**
 * The rows as one draft. One save creates the new ones and updates the changed ones, one call a row: what is
 * saved stays saved when a later row is refused.
 */
export function useHolidays(holidays: readonly RestaurantHoliday[]) {
  const forget = useForget();
  const counter = useRef(0);
  /** Key of the row that could not be saved. */
  const [failed, setFailed] = useState<string>();
  const values: Draft<Holidays> = useDraft<Holidays>({
    start: () => ({ rows: holidays.map(toRow) }),
    differ,
    place: () => undefined,
    validate: (draft) =>
      Object.fromEntries(
        unsavedRows(draft, values.base()).flatMap((row) => {
          const fault = faultOf(row);
          return fault ? [[row.key, fault]] : [];
        }),
      ),
  });
  // Somebody else has changed them: what is being edited here stays.
  useEffect(() => {
    if (!values.differs()) values.begin({ rows: holidays.map(toRow) });
    // `values` is another one at each rendering.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [holidays]);
  const setRows = (edit: (rows: readonly HolidayRow[]) => readonly HolidayRow[]) =>
    values.set({ rows: edit(values.read().rows) });
  const rowsChanged = () => void forget(['public_opening_hours']);

  const save = useSave<Holidays, HolidayRow[], void>({
    values,
    bodyOf: (draft) => unsavedRows(draft, values.base()),
    send: async (rows, _, keyFor) => {
      setFailed(undefined);
      for (const row of rows) {
        try {
          const saved = await sendRow(row, keyFor);
          values.begin(
            { rows: put(values.base().rows, row.key, saved) },
            { rows: put(values.read().rows, row.key, saved) },
          );
        } catch (problem) {
          setFailed(row.key);
          throw problem;
        }
      }
    },
    onSaved: rowsChanged,
    repeatable: true,
  });

  const remove = async (row: HolidayRow) => {
    if (row.id) {
      try {
        await restaurantHolidaysDelete(...here(), row.id);
        rowsChanged();
      } catch (problem) {
        setFailed(row.key);
        return save.fail(problem);
      }
    }
    const without = (rows: readonly HolidayRow[]) => rows.filter((old) => old.key !== row.key);
    values.begin({ rows: without(values.base().rows) }, { rows: without(values.read().rows) });
  };
  const { rows } = values.draft;
  const unsaved = unsavedRows(values.draft, values.base());
  return {
    ...save,
    rows,
    dirty: values.dirty,
    faulty: unsaved.some((row) => faultOf(row)),
    stateOf: (row: HolidayRow) => stateOf(row, values.base()),
    failed: save.error === undefined ? undefined : failed,
    add: () => setRows((now) => [...now, newRow(`new-${++counter.current}`)]),
    edit: (key: string, part: Partial<HolidayRow>) =>
      setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row))),
    discard: () => values.begin(values.base()),
    remove,
  };
}

const newRow = (key: string): HolidayRow => ({
  key,
  valid_from: null,
  valid_till: null,
  holiday_type: 'holiday_close',
  open_at: '',
  close_at: '',
});
