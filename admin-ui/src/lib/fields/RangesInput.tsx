import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useAddedRow } from '../form/useAddedRow';
import { Button } from '../ui/Button';
import { TimeInput } from './TimeInput';

interface TimeRange {
  /** `mon` to `sun`, or `every_day`. */
  day: string;
  from: string;
  till: string;
}

interface Props {
  id?: string;
  value?: TimeRange[] | null;
  onChange?: (value: TimeRange[] | null) => void;
  disabled?: boolean;
}

const DAYS = ['every_day', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Times of the week: a day or every day, from and till as HH:MM. An empty list is null: always. */
export default function RangesInput({ id, value, onChange, disabled }: Props) {
  const { t } = useTranslation();
  const rows = value ?? [];
  const { ref, added } = useAddedRow();
  const set = (next: TimeRange[]) => onChange?.(next.length ? next : null);
  const change = (index: number, part: Partial<TimeRange>) =>
    set(rows.map((row, i) => (i === index ? { ...row, ...part } : row)));
  return (
    <div ref={ref} id={id} className="ranges">
      {rows.map((row, index) => (
        <div className="range" key={index} role="group" aria-label={t('ranges.row', { number: index + 1 })}>
          <Select
            aria-label={t('ranges.day')}
            disabled={disabled ?? false}
            value={row.day}
            options={DAYS.map((day) => ({ value: day, label: t(`day.${day}`) }))}
            onChange={(day) => change(index, { day })}
          />
          <TimeInput
            label={t('ranges.from')}
            disabled={disabled ?? false}
            value={row.from}
            onChange={(from) => change(index, { from })}
          />
          <span aria-hidden>–</span>
          <TimeInput
            label={t('ranges.till')}
            disabled={disabled ?? false}
            value={row.till}
            onChange={(till) => change(index, { till })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('action.remove')}
            disabled={disabled ?? false}
            onClick={() => set(rows.filter((_, i) => i !== index))}
          />
        </div>
      ))}
      <Button
        icon={<PlusOutlined />}
        disabled={disabled ?? false}
        onClick={() => {
          set([...rows, { day: 'every_day', from: '11:00', till: '20:00' }]);
          added();
        }}
      >
        {t('ranges.add')}
      </Button>
    </div>
  );
}
