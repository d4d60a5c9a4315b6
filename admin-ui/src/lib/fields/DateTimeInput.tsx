import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import 'dayjs/locale/hu';
import { useFormat } from '../format';
import { toInstant, toWall } from './zone';

interface Props {
  value?: string | null;
  onChange?: (value: string | null) => void;
  [control: string]: unknown;
}

/** An instant, edited as the restaurant's wall clock. */
export default function DateTimeInput({ value, onChange, ...control }: Props) {
  const { zone, language } = useFormat();
  dayjs.locale(language); // month names and the first day of the week in the picker
  return (
    <DatePicker
      {...control}
      showTime={{ format: 'HH:mm', minuteStep: 5 }}
      format="YYYY/MM/DD HH:mm"
      value={value ? toWall(value, zone) : null}
      onChange={(wall) => onChange?.(wall ? toInstant(wall, zone) : null)}
      style={{ width: '100%', maxWidth: 260 }}
    />
  );
}
