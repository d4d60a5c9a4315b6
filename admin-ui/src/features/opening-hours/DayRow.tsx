import { CopyOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Switch } from 'antd';
import { Button } from '../../lib/ui/Button';
import { useTranslation } from 'react-i18next';
import { parseTime, TimeText } from '../../lib/fields/TimeInput';
import { useAddedRow } from '../../lib/form/useAddedRow';
import { DropMenu } from '../../lib/ui/DropMenu';
import { type Day, DAYS, type Fault, FIRST, overnight, type Span } from './week';

interface DayProps {
  day: Day;
  spans: Span[];
  /** By `day.index`. */
  faults: ReadonlyMap<string, Fault>;
  disabled: boolean;
  onChange: (spans: Span[]) => void;
  onCopy: (to: readonly Day[]) => void;
}

/** One day with its spans, and the way to copy them to other days. */
export function DayRow({ day, spans, faults, disabled, onChange, onCopy }: DayProps) {
  const { t } = useTranslation();
  const name = t(`day.${day}`);
  const { ref, added } = useAddedRow('div');
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
      <div className="hours-spans" ref={ref}>
        {spans.length === 0 && <span className="hours-closed">{t('hours.closed')}</span>}
        {spans.map((span, index) => (
          <SpanRow
            key={index}
            name={name}
            span={span}
            fault={faults.get(`${day}.${index}`)}
            disabled={disabled}
            onChange={(part) => edit(index, part)}
            onRemove={spans.length > 1 ? () => onChange(spans.filter((_, i) => i !== index)) : undefined}
          />
        ))}
      </div>
      <div className="hours-actions">
        {spans.length > 0 && (
          <Button
            type="text"
            disabled={disabled}
            icon={<PlusOutlined />}
            aria-label={t('hours.add', { day: name })}
            title={t('hours.add', { day: name })}
            onClick={() => {
              onChange([...spans, { open_at: '', close_at: '' }]);
              added();
            }}
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

interface SpanProps {
  /** Of the day. */
  name: string;
  span: Span;
  fault: Fault | undefined;
  disabled: boolean;
  onChange: (part: Partial<Span>) => void;
  onRemove: (() => void) | undefined;
}

function SpanRow({ name, span, fault, disabled, onChange, onRemove }: SpanProps) {
  const { t } = useTranslation();
  const time = (field: keyof Span, label: string) => (
    <Time
      label={t(label, { day: name })}
      value={span[field]}
      disabled={disabled}
      wrong={fault !== undefined}
      onChange={(value) => onChange({ [field]: value })}
    />
  );
  return (
    <div>
      <div className="hours-span">
        {time('open_at', 'hours.from')}
        <span aria-hidden>–</span>
        {time('close_at', 'hours.till')}
        {onRemove && (
          <Button
            type="text"
            disabled={disabled}
            icon={<DeleteOutlined />}
            aria-label={t('hours.remove', { day: name })}
            onClick={onRemove}
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
  const leave = () => {
    const time = parseTime(value);
    if (time && time !== value) onChange(time);
  };
  return (
    <TimeText
      className="num hours-time"
      label={label}
      wrong={wrong}
      disabled={disabled}
      value={value}
      onChange={onChange}
      onBlur={leave}
    />
  );
}
