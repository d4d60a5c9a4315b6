import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RestaurantHoliday } from '../../generated/model';
import { type Draft, useDraft } from '../../lib/form/useDraft';
import { useSave } from '../../lib/form/useSave';
import { request } from '../../lib/http';
import { collectionPath, itemPath } from '../../lib/providers/data';
import { faultOf, type Holidays, type HolidayRow, stateOf, toBody, toRow, unsavedRows } from './rows';

export const NAME = 'restaurant_holidays';

const differ = (draft: Holidays, base: Holidays) => unsavedRows(draft, base).length > 0;
const put = (rows: readonly HolidayRow[], key: string, row: HolidayRow) =>
  rows.some((old) => old.key === key) ? rows.map((old) => (old.key === key ? row : old)) : [...rows, row];

/**
 * The rows as one draft. One save creates the new ones and updates the changed ones, one call a row: what is
 * saved stays saved when a later row is refused.
 */
export function useHolidays(holidays: readonly RestaurantHoliday[]) {
  const cache = useQueryClient();
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
  const setRows = (edit: (rows: readonly HolidayRow[]) => readonly HolidayRow[]) =>
    values.set({ rows: edit(values.read().rows) });
  const rowsChanged = () => void cache.invalidateQueries({ queryKey: ['open'] });

  const sendRow = async (row: HolidayRow, keyFor: (body: object, part: string) => string) => {
    const body = toBody(row);
    return row.id
      ? request<RestaurantHoliday>(itemPath(NAME, row.id), {
          method: 'PUT',
          body: { ...body, version: row.version },
        })
      : request<RestaurantHoliday>(collectionPath(NAME), {
          method: 'POST',
          body,
          headers: { 'Idempotency-Key': keyFor(body, row.key) },
        });
  };
  const save = useSave<Holidays, HolidayRow[], void>({
    values,
    bodyOf: (draft) => unsavedRows(draft, values.base()),
    send: async (rows, _, keyFor) => {
      setFailed(undefined);
      for (const row of rows) {
        try {
          const saved = toRow((await sendRow(row, keyFor)).data);
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
        await request(itemPath(NAME, row.id), { method: 'DELETE' });
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
