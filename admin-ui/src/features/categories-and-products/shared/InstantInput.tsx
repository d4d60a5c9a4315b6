import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import 'dayjs/locale/hu';
import { useTranslation } from 'react-i18next';
import { toInstant, toWall } from '../../../lib/fields/zone';
import { useFormat } from '../../../lib/format';

interface Props {
  value: string | null;
  onChange: (value: string | null) => void;
  /** HH:MM that a day gets when it is picked. */
  time?: string | undefined;
  disabled?: boolean;
  [control: string]: unknown;
}

/** An instant, edited as the restaurant's wall clock; a picked day begins with the given time. */
export default function InstantInput({ value, onChange, time, ...control }: Props) {
  const { zone, language } = useFormat();
  const { t } = useTranslation();
  dayjs.locale(language); // month names and the first day of the week
  return (
    <DatePicker
      {...control}
      className="edit-instant"
      showTime={{ format: 'HH:mm', minuteStep: 5, ...(time ? { defaultOpenValue: dayjs(`2000-01-01T${time}`) } : {}) }}
      needConfirm={false}
      format="YYYY/MM/DD HH:mm"
      placeholder={t('catalogue.no_limit')}
      value={value ? toWall(value, zone) : null}
      onChange={(wall) => onChange(wall ? toInstant(wall, zone) : null)}
      // Each click in the calendar counts at once: nobody must confirm a day before saving.
      onCalendarChange={(wall) => { if (dayjs.isDayjs(wall)) onChange(toInstant(wall, zone)); }}
    />
  );
}
