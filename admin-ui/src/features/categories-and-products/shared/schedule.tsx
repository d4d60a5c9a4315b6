import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Checkbox, Input, Select } from 'antd';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { parseTime, TimeText } from '../../../lib/fields/TimeInput';
import { Button } from '../../../lib/ui/Button';
import { availability, crossesMidnight, DAYS, nextRange, onWeekdays } from './draft';
import type { TimeRange } from './types';
import { FieldRow } from '../../../lib/form/FieldRow';
import { fieldId, useFault, useLocked } from '../../../lib/form/fieldState';
import { useAddedRow } from '../../../lib/form/useAddedRow';
import { later } from '../../../lib/later';

// The calendar is large: loaded with the first form that shows one.
const DateTimeInput = later(() => import('../../../lib/fields/DateTimeInput'));

/** When a day is picked as publication date. */
const PUBLICATION_TIME = '05:00';

/** An instant in the restaurant's wall time; none is no limit. */
export function Instant({
  path,
  label,
  help,
  value,
  onChange,
  time,
}: {
  path: string;
  label: string;
  help?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  time?: string;
}) {
  const { t } = useTranslation();
  const locked = useLocked();
  return (
    <FieldRow path={path} label={label} help={help}>
      {(control) => (
        <Suspense fallback={<Input {...control} disabled className="date-time-input" />}>
          <DateTimeInput
            {...control}
            disabled={locked}
            value={value}
            onChange={onChange}
            time={time}
            placeholder={t('catalogue.no_limit')}
          />
        </Suspense>
      )}
    </FieldRow>
  );
}

interface Period {
  available_from: string | null;
  available_to: string | null;
}

/** The period in which a row is on the menu: off is always. */
export function AvailabilityField({
  value,
  onChange,
}: {
  value: Period;
  onChange: (change: Period) => void;
}) {
  const { t } = useTranslation();
  const locked = useLocked();
  const on = value.available_from !== null || value.available_to !== null;
  return (
    <div className="edit-field">
      <Checkbox
        checked={on}
        disabled={locked}
        onChange={(event) => onChange(availability(event.target.checked))}
      >
        {t('catalogue.limited')}
      </Checkbox>
      <p className="edit-help">{t('catalogue.limited_help')}</p>
      {on && (
        <div className="field-line edit-inner">
          <Instant
            path="available_from"
            label={t('field.available_from')}
            value={value.available_from}
            onChange={(from) => onChange({ available_from: from, available_to: value.available_to })}
          />
          <Instant
            path="available_to"
            label={t('field.available_to')}
            value={value.available_to}
            onChange={(to) => onChange({ available_from: value.available_from, available_to: to })}
          />
        </div>
      )}
    </div>
  );
}

/** Before this instant guests do not see the row. */
export function PublicationField({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <Instant
      path="expected_at"
      label={t('field.expected_at')}
      help={t('catalogue.expected_help')}
      value={value}
      onChange={onChange}
      time={PUBLICATION_TIME}
    />
  );
}

/** What may be chosen for a row; weekdays are a row for each. */
const WHEN = ['every_day', 'weekdays', ...DAYS] as const;

/** Times of the week at which something holds; none is always. */
export function TimeRangesField({
  value,
  onChange,
  always,
}: {
  value: TimeRange[];
  onChange: (value: TimeRange[]) => void;
  /** What is said where there is none; unless given, that the products can be had at any time. */
  always?: string;
}) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { ref, added } = useAddedRow();
  const change = (index: number, part: Partial<TimeRange>) =>
    onChange(value.map((row, i) => (i === index ? { ...row, ...part } : row)));
  return (
    <FieldRow
      path="time_ranges"
      label={t('field.time_ranges')}
      group
      help={value.length === 0 ? (always ?? t('catalogue.always')) : undefined}
    >
      {({ id }) => (
        <div ref={ref} className="ranges" id={id} tabIndex={-1}>
          {value.map((range, index) => (
            // The rows have no identity of their own: their place is it.
            // eslint-disable-next-line react/no-array-index-key
            <Range
              key={index}
              index={index}
              range={range}
              locked={locked}
              onChange={(part) => change(index, part)}
              onWeekdays={() => onChange(onWeekdays(value, index))}
              onRemove={() => onChange(value.filter((_, i) => i !== index))}
            />
          ))}
          {!locked && (
            <Button
              icon={<PlusOutlined />}
              onClick={() => {
                onChange([...value, nextRange(value)]);
                added();
              }}
            >
              {t('ranges.add')}
            </Button>
          )}
        </div>
      )}
    </FieldRow>
  );
}

function Range({
  index,
  range,
  locked,
  onChange,
  onWeekdays: asWeekdays,
  onRemove,
}: {
  index: number;
  range: TimeRange;
  locked: boolean;
  onChange: (part: Partial<TimeRange>) => void;
  onWeekdays: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const fault = useFault(`time_ranges.${index}`);
  const first = parseTime(range.from) === undefined ? 'from' : 'till';
  const time = (end: 'from' | 'till', label: string) => {
    const wrong = fault !== undefined && parseTime(range[end]) === undefined;
    return (
      <TimeText
        id={end === first ? fieldId(`time_ranges.${index}`) : undefined}
        label={label}
        wrong={wrong}
        disabled={locked}
        value={range[end]}
        onChange={(text) => onChange({ [end]: text })}
        onBlur={() => onChange({ [end]: parseTime(range[end]) ?? range[end] })}
      />
    );
  };
  return (
    <div className="range" role="group" aria-label={t('ranges.row', { number: index + 1 })}>
      <Select<(typeof WHEN)[number]>
        aria-label={t('ranges.day')}
        disabled={locked}
        value={range.day}
        onChange={(day) => (day === 'weekdays' ? asWeekdays() : onChange({ day }))}
        options={WHEN.map((day) => ({ value: day, label: t(`day.${day}`) }))}
      />
      {time('from', t('ranges.from'))}
      <span aria-hidden>–</span>
      {time('till', t('ranges.till'))}
      {crossesMidnight(range) && !fault && (
        <span className="range-next">
          {t(range.from === range.till ? 'catalogue.whole_day' : 'catalogue.next_day')}
        </span>
      )}
      {!locked && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('catalogue.remove_range', { number: index + 1 })}
          onClick={onRemove}
        />
      )}
      {fault && (
        <span className="edit-fault" role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}
