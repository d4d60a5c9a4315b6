import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import 'dayjs/locale/hu';
import type { KeyboardEvent } from 'react';
import { DAY, PLAIN_DAY, useFormat } from '../format';
import './date.css';

interface Props {
  /** As `2026-07-01`. */
  value?: string | null;
  onChange?: (day: string | null) => void;
  id?: string;
  disabled?: boolean;
  allowClear?: boolean;
  status?: 'error' | '';
}

/** Enter takes the typed day or opens the calendar; it sends no form. */
const takesEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
};

/** A day, by the calendar or typed; days of other sources can be pasted. */
export default function DayInput({ value, onChange, ...control }: Props) {
  const { language } = useFormat();
  dayjs.locale(language); // month names and the first day of the week
  return (
    <div onKeyDown={takesEnter}>
      <DatePicker
        {...control}
        className="day-input"
        format={[DAY, PLAIN_DAY, 'YYYY.MM.DD.', 'YYYY. MM. DD.']}
        value={value ? dayjs(value) : null}
        onChange={(day) => onChange?.(day ? day.format(PLAIN_DAY) : null)}
      />
    </div>
  );
}
