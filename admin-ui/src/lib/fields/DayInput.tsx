import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { type KeyboardEvent, useMemo } from 'react';
import { DAY, PLAIN_DAY, useFormat } from '../format';
import { speakDays } from './DayNames';
import './date.css';

interface Props {
  /** As `2026-07-01`. */
  value?: string | null;
  onChange?: (day: string | null) => void;
  id?: string;
  disabled?: boolean;
  allowClear?: boolean;
  /** Where no label stands for it. */
  label?: string;
  /** Chosen by the calendar alone. */
  inputReadOnly?: boolean;
  /** First and last day that can be chosen. */
  least?: string;
  most?: string;
  status?: 'error' | '';
}

/** Enter takes the typed day or opens the calendar; it sends no form. */
const takesEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
};

/** A day, by the calendar or typed; days of other sources can be pasted. */
export default function DayInput({ value, onChange, label, least, most, ...control }: Props) {
  const { language } = useFormat();
  speakDays(language);
  // Another object counts as another value: with one of each drawing what is being typed would be lost.
  const day = useMemo(() => (value ? dayjs(value) : null), [value]);
  return (
    <div onKeyDown={takesEnter}>
      <DatePicker
        {...control}
        {...(label ? { 'aria-label': label } : {})}
        {...(least ? { minDate: dayjs(least) } : {})}
        {...(most ? { maxDate: dayjs(most) } : {})}
        className="day-input"
        format={[DAY, PLAIN_DAY, 'YYYY.MM.DD.', 'YYYY. MM. DD.']}
        value={day}
        onChange={(next) => onChange?.(next ? next.format(PLAIN_DAY) : null)}
      />
    </div>
  );
}
