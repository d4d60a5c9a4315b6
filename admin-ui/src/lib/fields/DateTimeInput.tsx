import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useMemo } from 'react';
import { INSTANT, useFormat } from '../format';
import { speakDays } from './DayNames';
import { toInstant, toLocalTime } from './zone';
import './date.css';

interface Props {
  value?: string | null;
  onChange?: (value: string | null) => void;
  /** HH:MM that a day gets when it is picked. */
  time?: string | undefined;
  [control: string]: unknown;
}

/** An instant, edited as the restaurant's wall clock; it can be typed as people write it. */
export default function DateTimeInput({ value, onChange, time, ...control }: Props) {
  const { zone, language } = useFormat();
  speakDays(language);
  // Another object counts as another value: with one of each drawing what is being typed would be lost.
  const shown = useMemo(() => (value ? toLocalTime(value, zone) : null), [value, zone]);
  return (
    <DatePicker
      {...control}
      className="date-time-input"
      showTime={{
        format: 'HH:mm',
        minuteStep: 5,
        ...(time ? { defaultOpenValue: dayjs(`2000-01-01T${time}`) } : {}),
      }}
      needConfirm={false}
      format={[INSTANT, 'YYYY. MM. DD. HH:mm', 'YYYY.MM.DD. HH:mm', 'YYYY-MM-DD HH:mm']}
      value={shown}
      onChange={(local) => onChange?.(local ? toInstant(local, zone) : null)}
      // Each click in the calendar counts at once: nobody must confirm a day before saving.
      onCalendarChange={(local) => {
        if (dayjs.isDayjs(local)) onChange?.(toInstant(local, zone));
      }}
    />
  );
}
