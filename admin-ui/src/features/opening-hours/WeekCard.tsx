import { CopyOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Input, Switch } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OpeningWeek } from '../../generated/model';
import { useCanDo } from '../../lib/access';
import { parseTime } from '../../lib/fields/TimeInput';
import { useHotkey } from '../../lib/hooks';
import { ApiError, request } from '../../lib/http';
import { itemPath } from '../../lib/providers/data';
import { Button } from '../../lib/ui/Button';
import { DropMenu } from '../../lib/ui/DropMenu';
import { ErrorState, Loading, ProblemAlert } from '../../lib/ui/states';
import { useNotify } from '../../lib/ui/notify';
import { useUnsaved } from '../../lib/unsaved';
import { WeekConflict } from './WeekConflict';
import { type Day, DAYS, faultsOf, FIRST, overnight, sameWeek, type Span, toHours, toWeek } from './week';

const PATH = () => itemPath('opening_hours', undefined);
const KEY = ['opening_hours'];

interface Props {
  /** In the guide: takes what saves, whose own button this replaces. */
  onSave?: ((save: () => Promise<boolean>) => void) | undefined;
}

/** The seven days, each with its spans; saved whole. */
export function WeekCard({ onSave }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await request<OpeningWeek>(PATH())).data,
    refetchOnWindowFocus: false,
  });
  if (data) return <Editor now={data} onSave={onSave} />;
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading rows={7} />;
}

function Editor({ now: read, onSave }: { now: OpeningWeek } & Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const cache = useQueryClient();
  const may = useCanDo()('opening_hours', 'update');
  const [base, setBase] = useState(() => toWeek(read.opening_hours));
  /** Of the base. */
  const [version, setVersion] = useState(read.version);
  const [conflict, setConflict] = useState<OpeningWeek>();
  const [week, setWeek] = useState(base);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const dirty = !sameWeek(week, base);
  const faults = faultsOf(week);

  const take = (now: OpeningWeek) => {
    setBase(toWeek(now.opening_hours));
    setWeek(toWeek(now.opening_hours));
    setVersion(now.version);
    setConflict(undefined);
  };

  // What arrives later is taken unless somebody has begun to edit.
  useEffect(() => {
    if (!sameWeek(week, base)) return; // saving it would say that it is stale
    take(read);
    // what is edited and its base are those before this reading
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [read]);

  const set = (day: Day, spans: Span[]) => setWeek((now) => ({ ...now, [day]: spans }));
  const copy = (from: Day, to: readonly Day[]) =>
    setWeek((now) => ({
      ...now,
      ...Object.fromEntries(to.map((day) => [day, now[from].map((span) => ({ ...span }))])),
    }));

  const save = async (over = version): Promise<boolean> => {
    if (saving || faults.size > 0) return false;
    setSaving(true);
    setError(undefined);
    try {
      const { data } = await request<OpeningWeek>(PATH(), {
        method: 'PUT',
        body: { opening_hours: toHours(week), version: over },
      });
      take(data);
      guard.clean();
      cache.setQueryData(KEY, data);
      void cache.invalidateQueries({ queryKey: ['open'] });
      if (!onSave) notify.saved();
      return true;
    } catch (failure) {
      const current = failure instanceof ApiError && failure.code === 'CONFLICT' && failure.problem.current;
      if (current) setConflict(current as unknown as OpeningWeek);
      else setError(failure);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const guard = useUnsaved({ dirty, save: () => save() });
  useHotkey('ctrl+s', () => void save(), may && dirty);
  onSave?.(async () => !dirty || save());

  const theirs = () => {
    if (!conflict) return;
    cache.setQueryData(KEY, conflict);
    take(conflict);
  };

  return (
    <>
      <WeekConflict
        theirs={conflict && toWeek(conflict.opening_hours)}
        mine={week}
        onTheirs={theirs}
        onMine={() => conflict && void save(conflict.version)}
        onLater={() => setConflict(undefined)}
      />
      {error !== undefined && <ProblemAlert error={error} onClose={() => setError(undefined)} />}
      <div className="hours">
        {DAYS.map((day) => (
          <DayRow
            key={day}
            day={day}
            spans={week[day]}
            faults={faults}
            disabled={!may || saving}
            onChange={(spans) => set(day, spans)}
            onCopy={(to) => copy(day, to)}
          />
        ))}
      </div>
      {may && (!onSave || faults.size > 0) && (
        <div className="form-buttons hours-buttons">
          {faults.size > 0 && (
            <span className="hours-wrong" role="status">
              {t('hours.faulty')}
            </span>
          )}
          <span className="form-buttons-gap" />
          {dirty && !onSave && (
            <Button disabled={saving} onClick={() => setWeek(base)}>
              {t('unsaved.discard')}
            </Button>
          )}
          {!onSave && (
            <Button
              type="primary"
              loading={saving}
              disabled={!dirty || faults.size > 0}
              onClick={() => void save()}
            >
              {t('action.save')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface DayProps {
  day: Day;
  spans: Span[];
  faults: ReturnType<typeof faultsOf>;
  disabled: boolean;
  onChange: (spans: Span[]) => void;
  onCopy: (to: readonly Day[]) => void;
}

function DayRow({ day, spans, faults, disabled, onChange, onCopy }: DayProps) {
  const { t } = useTranslation();
  const name = t(`day.${day}`);
  const edit = (index: number, part: Partial<Span>) =>
    onChange(spans.map((span, i) => (i === index ? { ...span, ...part } : span)));
  const others = DAYS.filter((other) => other !== day);
  const targets = { all: others, workdays: others.filter((other) => other !== 'sat' && other !== 'sun') };
  return (
    <div className="hours-day" role="group" aria-label={name}>
      <label className="hours-name target">
        <Switch
          checked={spans.length > 0}
          disabled={disabled}
          aria-label={name}
          onChange={(on) => onChange(on ? [{ ...FIRST }] : [])}
        />
        <b>{name}</b>
      </label>
      <div className="hours-spans">
        {spans.length === 0 && <span className="hours-closed">{t('hours.closed')}</span>}
        {spans.map((span, index) => {
          const fault = faults.get(`${day}.${index}`);
          return (
            <div key={index}>
              <div className="hours-span">
                <Time
                  label={t('hours.from', { day: name })}
                  value={span.open_at}
                  disabled={disabled}
                  wrong={fault !== undefined}
                  onChange={(open_at) => edit(index, { open_at })}
                />
                <span aria-hidden>–</span>
                <Time
                  label={t('hours.till', { day: name })}
                  value={span.close_at}
                  disabled={disabled}
                  wrong={fault !== undefined}
                  onChange={(close_at) => edit(index, { close_at })}
                />
                {spans.length > 1 && (
                  <Button
                    type="text"
                    disabled={disabled}
                    icon={<DeleteOutlined />}
                    aria-label={t('hours.remove', { day: name })}
                    onClick={() => onChange(spans.filter((_, i) => i !== index))}
                  />
                )}
              </div>
              {fault ? (
                <p className="hours-wrong">{t(`hours.fault_${fault}`)}</p>
              ) : (
                overnight(span) && (
                  <p className="hours-note">
                    {t(span.open_at === span.close_at ? 'hours.whole_day' : 'hours.overnight')}
                  </p>
                )
              )}
            </div>
          );
        })}
      </div>
      <div className="hours-actions">
        {spans.length > 0 && (
          <Button
            type="text"
            disabled={disabled}
            icon={<PlusOutlined />}
            aria-label={t('hours.add', { day: name })}
            title={t('hours.add', { day: name })}
            onClick={() => onChange([...spans, { open_at: '', close_at: '' }])}
          />
        )}
        <DropMenu
          disabled={disabled}
          menu={{
            items: [
              { key: 'all', label: t('hours.copy_all') },
              { key: 'workdays', label: t('hours.copy_workdays') },
              { type: 'divider' },
              ...others.map((other) => ({ key: other, label: t(`day.${other}`) })),
            ],
            onClick: ({ key }) => onCopy(key === 'all' || key === 'workdays' ? targets[key] : [key as Day]),
          }}
        >
          <Button
            type="text"
            icon={<CopyOutlined />}
            aria-label={t('hours.copy', { day: name })}
            title={t('hours.copy', { day: name })}
          />
        </DropMenu>
      </div>
    </div>
  );
}

/** A time as it is typed; put into form when the field is left. */
function Time({
  label,
  value,
  disabled,
  wrong,
  onChange,
}: {
  label: string;
  value: string;
  disabled: boolean;
  wrong: boolean;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const leave = () => {
    const time = parseTime(value);
    if (time && time !== value) onChange(time);
  };
  return (
    <Input
      className="num hours-time"
      inputMode="numeric"
      maxLength={5}
      aria-label={label}
      aria-invalid={wrong}
      status={wrong ? 'error' : ''}
      placeholder={t('form.time_placeholder')}
      disabled={disabled}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={leave}
    />
  );
}
