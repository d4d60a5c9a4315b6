import { CalendarOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RestaurantHoliday } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { DayInput } from '../../lib/fields/DayInput';
import { useHotkey } from '../../lib/hooks';
import { request } from '../../lib/http';
import { IdempotencyKeys } from '../../lib/idempotency';
import { collectionPath, itemPath } from '../../lib/providers/data';
import { Button } from '../../lib/ui/Button';
import { Chip } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading, ProblemAlert } from '../../lib/ui/states';
import { useNotify } from '../../lib/ui/notify';
import { useUnsaved } from '../../lib/unsaved';
import { faultOf, type HolidayRow, sameRow, toBody, toRow } from './rows';

const KEY = ['restaurant_holidays'];
const NAME = 'restaurant_holidays';

/**
 * Days that differ from the week. New rows are created and changed ones updated by one button.
 */
export function Holidays() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await request<RestaurantHoliday[]>(collectionPath(NAME))).data,
    refetchOnWindowFocus: false,
  });
  if (data) return <Editor holidays={data} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading rows={4} />;
}

function Editor({ holidays }: { holidays: RestaurantHoliday[] }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const cache = useQueryClient();
  const canDo = useCanDo();
  const [base, setBase] = useState(() => holidays.map(toRow));
  const [rows, setRows] = useState(base);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<{ key: string; problem: unknown }>();
  const counter = useRef(0);
  const keys = useRef(new Map<string, IdempotencyKeys>());
  const before = (row: HolidayRow) => base.find((old) => old.key === row.key);
  const stateOf = (row: HolidayRow) =>
    !row.id ? 'new' : sameRow(row, before(row)!) ? undefined : 'modified';
  const open = rows.filter((row) => stateOf(row));
  const faulty = open.some((row) => faultOf(row));
  const may = canDo(NAME, 'update');

  const edit = (key: string, part: Partial<HolidayRow>) =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () =>
    setRows((now) => [
      ...now,
      {
        key: `new-${++counter.current}`,
        valid_from: null,
        valid_till: null,
        holiday_type: 'holiday_close',
        open_at: '',
        close_at: '',
      },
    ]);
  const heard = () => void cache.invalidateQueries({ queryKey: ['open'] });

  const save = async (): Promise<boolean> => {
    if (saving || faulty || open.length === 0) return false;
    setSaving(true);
    setError(undefined);
    let at = '';
    try {
      for (const row of open) {
        at = row.key;
        const body = toBody(row);
        const key = keys.current.get(row.key) ?? new IdempotencyKeys();
        keys.current.set(row.key, key);
        const { data } = row.id
          ? await request<RestaurantHoliday>(itemPath(NAME, row.id), {
              method: 'PUT',
              body: { ...body, version: row.version },
            })
          : await request<RestaurantHoliday>(collectionPath(NAME), {
              method: 'POST',
              body,
              headers: { 'Idempotency-Key': key.keyFor(body) },
            });
        key.done();
        const saved = toRow(data);
        setBase((now) => [...now.filter((old) => old.key !== row.key), saved]);
        setRows((now) => now.map((old) => (old.key === row.key ? saved : old)));
      }
      guard.clean();
      notify.saved();
      heard();
      return true;
    } catch (problem) {
      setError({ key: at, problem });
      return false;
    } finally {
      setSaving(false);
    }
  };
  const guard = useUnsaved({ dirty: open.length > 0, save });
  useHotkey('ctrl+s', () => void save(), may && open.length > 0);

  const remove = async (row: HolidayRow) => {
    if (row.id) {
      if (
        !(await notify.confirm({
          title: t('hours.remove_question'),
          effect: t('hours.remove_effect'),
          verb: t('action.delete'),
        }))
      )
        return;
      try {
        await request(itemPath(NAME, row.id), { method: 'DELETE' });
        heard();
      } catch (problem) {
        return setError({ key: row.key, problem });
      }
    }
    setBase((now) => now.filter((old) => old.key !== row.key));
    setRows((now) => now.filter((old) => old.key !== row.key));
  };

  const adding = canDo(NAME, 'create') && (
    <Button icon={<PlusOutlined />} disabled={saving} onClick={add}>
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
      {error && <ProblemAlert error={error.problem} onClose={() => setError(undefined)} />}
      <div className="holidays">
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            number={index + 1}
            state={stateOf(row)}
            disabled={!may || saving}
            failed={error?.key === row.key}
            onChange={(part) => edit(row.key, part)}
            onRemove={canDo(NAME, 'delete') ? () => void remove(row) : undefined}
          />
        ))}
      </div>
      <div className="form-buttons hours-buttons">
        <span className="form-buttons-gap" />
        {open.length > 0 && (
          <Button disabled={saving} onClick={() => setRows(base)}>
            {t('unsaved.discard')}
          </Button>
        )}
        <Button
          type="primary"
          loading={saving}
          disabled={open.length === 0 || faulty}
          onClick={() => void save()}
        >
          {t('action.save')}
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  row: HolidayRow;
  number: number;
  state: 'new' | 'modified' | undefined;
  disabled: boolean;
  failed: boolean;
  onChange: (part: Partial<HolidayRow>) => void;
  onRemove: (() => void) | undefined;
}

function Row({ row, number, state, disabled, failed, onChange, onRemove }: RowProps) {
  const { t } = useTranslation();
  const fault = state && faultOf(row);
  const day = (field: 'valid_from' | 'valid_till') => (
    <div>
      <label className="holiday-label" htmlFor={`${row.key}-${field}`}>
        {t(`restaurant_holidays.${field}`)}
      </label>
      <DayInput
        id={`${row.key}-${field}`}
        disabled={disabled}
        allowClear={false}
        value={row[field]}
        // One day is the usual holiday.
        onChange={(date) =>
          onChange(
            field === 'valid_from' && (!row.valid_till || (date && row.valid_till < date))
              ? { valid_from: date, valid_till: date }
              : { [field]: date },
          )
        }
      />
    </div>
  );
  const hour = (field: 'open_at' | 'close_at') => (
    <Input
      className="num hours-time"
      inputMode="numeric"
      maxLength={5}
      aria-label={t(`restaurant_holidays.${field}`)}
      placeholder={t('form.time_placeholder')}
      disabled={disabled}
      value={row[field]}
      onChange={(event) => onChange({ [field]: event.target.value })}
    />
  );
  return (
    <div className="holiday" role="group" aria-label={t('rows.row', { number })}>
      {day('valid_from')}
      {day('valid_till')}
      <div>
        <label className="holiday-label" htmlFor={`${row.key}-type`}>
          {t('restaurant_holidays.holiday_type')}
        </label>
        <Select
          id={`${row.key}-type`}
          disabled={disabled}
          value={row.holiday_type}
          options={(['holiday_close', 'holiday_open'] as const).map((value) => ({
            value,
            label: t(`restaurant_holidays.holiday_type.${value}`),
          }))}
          onChange={(holiday_type) => onChange({ holiday_type })}
        />
      </div>
      {row.holiday_type === 'holiday_open' && (
        <div>
          <span className="holiday-label">{t('hours.own_hours')}</span>
          <div className="holiday-hours">
            {hour('open_at')}
            <span aria-hidden>–</span>
            {hour('close_at')}
          </div>
        </div>
      )}
      <div className="holiday-end">
        {state && <Chip tone={state === 'new' ? 'info' : 'warning'}>{t(`hours.state_${state}`)}</Chip>}
        {onRemove && (
          <Button
            type="text"
            danger
            disabled={disabled}
            icon={<DeleteOutlined />}
            aria-label={t('hours.remove_holiday', { number })}
            onClick={onRemove}
          />
        )}
      </div>
      {(fault ?? failed) && <p className="hours-wrong">{t(fault ?? 'hours.row_failed')}</p>}
    </div>
  );
}
