import { useQueryClient } from '@tanstack/react-query';
import { readKey, useForget, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { useTranslation } from 'react-i18next';
import { openingHoursGet, openingHoursUpdate } from '../../generated/client/restaurants/restaurants';
import type { OpeningHoursChange, OpeningWeek } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { FormAlert } from '../../lib/form/FormAlert';
import { type DraftForm, useDraftForm } from '../../lib/form/useDraftForm';
import { useHotkey } from '../../lib/hooks';
import { here } from '../../lib/target';
import { QueryFallback } from '../../lib/ui/states';
import { useNotify } from '../../lib/ui/notify';
import { DayRow } from './DayRow';
import { WeekConflict } from './WeekConflict';
import {
  type Day,
  DAYS,
  everyDay,
  faultsOf,
  FIRST,
  isClosed,
  sameWeek,
  toHours,
  toWeek,
  type Week,
} from './week';

const KEY = readKey('openingHoursGet');

interface Props {
  /** In the guide: receives the save function, whose button the guide replaces. */
  onSave?: ((save: () => Promise<boolean>) => void) | undefined;
}

/** The seven days, each with its spans; saved whole. */
export function WeekCard({ onSave }: Props) {
  const query = useRead(KEY, () => openingHoursGet(...here()), { refetchOnWindowFocus: false });
  if (!query.data) return <QueryFallback query={query} rows={7} />;
  return <Editor row={query.data} onSave={onSave} />;
}

const draftOf = (row: OpeningWeek): Week => toWeek(row.opening_hours);
const bodyOf = (week: Week, base?: Week) =>
  base && sameWeek(week, base) ? {} : { opening_hours: toHours(week) };
const validate = (week: Week) =>
  Object.fromEntries([...faultsOf(week)].map(([place, fault]) => [place, `hours.fault_${fault}`]));

function useWeekForm(row: OpeningWeek) {
  const cache = useQueryClient();
  const forget = useForget();
  return useDraftForm<OpeningWeek, Week>({
    row,
    fresh: () => toWeek([]),
    draftOf,
    bodyOf,
    // The week is one value: mine replaces theirs.
    merge: (_, mine) => mine,
    validate,
    place: () => undefined,
    send: async ({ body }) => {
      const saved = await openingHoursUpdate(...here(), body as OpeningHoursChange & typeof body);
      cache.setQueryData(KEY, saved);
      void forget(['public_opening_hours']);
      return saved;
    },
    onTheirs: (current) => cache.setQueryData(KEY, current),
  });
}

function Editor({ row, onSave }: { row: OpeningWeek } & Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const may = useCanDo()('opening_hours', 'update');
  const form = useWeekForm(row);
  const { draft: week, set, dirty, saving } = form;
  const faults = faultsOf(week);

  const copy = (from: Day, to: readonly Day[]) =>
    set(Object.fromEntries(to.map((day) => [day, week[from].map((span) => ({ ...span }))])));
  const save = async (): Promise<boolean> => {
    const saved = await form.save();
    if (saved && !onSave) notify.saved();
    return saved !== undefined;
  };
  useHotkey('ctrl+s', () => void save(), may && dirty);
  onSave?.(async () => !dirty || save());

  return (
    <>
      <WeekConflict conflict={form.conflict} resolve={form.resolve} />
      <FormAlert state={form} />
      <div className="hours-top">
        <p role="status">{isClosed(week) && t('hours.all_closed')}</p>
        {may && isClosed(week) && (
          <Button disabled={saving} onClick={() => set(everyDay())}>
            {t('hours.every_day', { ...FIRST })}
          </Button>
        )}
      </div>
      <div className="hours">
        {DAYS.map((day) => (
          <DayRow
            key={day}
            day={day}
            spans={week[day]}
            faults={faults}
            disabled={!may || saving}
            onChange={(spans) => set({ [day]: spans })}
            onCopy={(to) => copy(day, to)}
          />
        ))}
      </div>
      {may && (!onSave || faults.size > 0) && (
        <Buttons form={form} faulty={faults.size > 0} onSave={onSave ? undefined : () => void save()} />
      )}
    </>
  );
}

function Buttons({
  form,
  faulty,
  onSave,
}: {
  form: DraftForm<OpeningWeek, Week>;
  faulty: boolean;
  /** Absent in the guide. */
  onSave: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const { dirty, saving } = form;
  return (
    <div className="form-buttons hours-buttons">
      {faulty && (
        <span className="hours-wrong" role="status">
          {t('hours.faulty')}
        </span>
      )}
      <span className="form-buttons-gap" />
      {dirty && onSave && (
        <Button disabled={saving} onClick={form.discard}>
          {t('unsaved.discard')}
        </Button>
      )}
      {onSave && (
        <Button type="primary" loading={saving} disabled={!dirty || faulty} onClick={onSave}>
          {t('action.save')}
        </Button>
      )}
    </div>
  );
}
