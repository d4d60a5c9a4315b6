import { CalendarOutlined, PlusOutlined } from '@ant-design/icons';
import { readKey, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { useTranslation } from 'react-i18next';
import { restaurantHolidaysList } from '../../generated/client/restaurants/restaurants';
import type { RestaurantHoliday } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { FormAlert } from '../../lib/form/FormAlert';
import { useAddedRow } from '../../lib/form/useAddedRow';
import { useHotkey } from '../../lib/hooks';
import { here } from '../../lib/target';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { useNotify } from '../../lib/ui/notify';
import { HolidayLine } from './HolidayLine';
import type { HolidayRow } from './rows';
import { NAME, useHolidays } from './useHolidays';

const KEY = readKey('restaurantHolidaysList');

/** Days that differ from the week. New rows are created and changed ones updated by one button. */
export function Holidays() {
  const query = useRead(KEY, () => restaurantHolidaysList(...here()), { refetchOnWindowFocus: false });
  return query.data ? <Editor holidays={query.data} /> : <QueryFallback query={query} rows={4} />;
}

function Editor({ holidays }: { holidays: RestaurantHoliday[] }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const canDo = useCanDo();
  const form = useHolidays(holidays);
  const { rows, saving, dirty, faulty } = form;
  const { ref, added } = useAddedRow();
  const may = canDo(NAME, 'update');
  const save = async () => {
    if (dirty && !faulty && (await form.run())) notify.saved();
  };
  useHotkey('ctrl+s', () => void save(), may && dirty);
  const remove = async (row: HolidayRow) => {
    const question = {
      title: t('hours.remove_question'),
      effect: t('hours.remove_effect'),
      verb: t('action.delete'),
    };
    if (!row.id || (await notify.confirm(question))) await form.remove(row);
  };

  const adding = canDo(NAME, 'create') && (
    <Button
      icon={<PlusOutlined />}
      disabled={saving}
      onClick={() => {
        form.add();
        added();
      }}
    >
      {t('hours.new_holiday')}
    </Button>
  );
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<CalendarOutlined />}
        title={t('hours.no_holidays')}
        text={t('hours.holidays_text')}
        actions={adding}
      />
    );
  return (
    <>
      <div className="holidays-top">
        <p>{t('hours.holidays_text')}</p>
        {adding}
      </div>
      <FormAlert state={form} />
      <div className="holidays" ref={ref}>
        {rows.map((row, index) => (
          <HolidayLine
            key={row.key}
            row={row}
            number={index + 1}
            state={form.stateOf(row)}
            disabled={!may || saving}
            failed={form.failed === row.key}
            onChange={(part) => form.edit(row.key, part)}
            onRemove={canDo(NAME, 'delete') ? () => void remove(row) : undefined}
          />
        ))}
      </div>
      <div className="form-buttons hours-buttons">
        <span className="form-buttons-gap" />
        {dirty && (
          <Button disabled={saving} onClick={form.discard}>
            {t('unsaved.discard')}
          </Button>
        )}
        <Button type="primary" loading={saving} disabled={!dirty || faulty} onClick={() => void save()}>
          {t('action.save')}
        </Button>
      </div>
    </>
  );
}
