import { DeleteOutlined } from '@ant-design/icons';
import { Input, Select } from 'antd';
import { Button } from '../../lib/ui/Button';
import { useTranslation } from 'react-i18next';
import DayInput from '../../lib/fields/DayInput';
import { Chip } from '../../lib/ui/page';
import { faultOf, type HolidayRow, type RowState } from './rows';

interface Props {
  row: HolidayRow;
  number: number;
  state: RowState | undefined;
  disabled: boolean;
  /** It was the one that could not be saved. */
  failed: boolean;
  onChange: (part: Partial<HolidayRow>) => void;
  onRemove: (() => void) | undefined;
}

/** One row of days that differ from the week. */
export function HolidayLine(props: Props) {
  const { row, number, state, disabled, failed, onChange, onRemove } = props;
  const { t } = useTranslation();
  const fault = state && faultOf(row);
  return (
    <div className="holiday" role="group" aria-label={t('rows.row', { number })}>
      <Days {...props} />
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
      {row.holiday_type === 'holiday_open' && <Hours {...props} />}
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

function Days({ row, disabled, onChange }: Props) {
  const { t } = useTranslation();
  return (['valid_from', 'valid_till'] as const).map((field) => (
    <div key={field}>
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
  ));
}

function Hours({ row, disabled, onChange }: Props) {
  const { t } = useTranslation();
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
    <div>
      <span className="holiday-label">{t('hours.own_hours')}</span>
      <div className="holiday-hours">
        {hour('open_at')}
        <span aria-hidden>–</span>
        {hour('close_at')}
      </div>
    </div>
  );
}
