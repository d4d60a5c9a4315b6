import { Form, type FormInstance, type FormRule, Select, Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { serverNow } from '../../lib/clock';
import { Day, DayTime } from './DateInputs';
import { businessDay, QUICK, quickRange, type Range, withoutTimes, withTimes } from './days';
import { DATES_BY, type Filter } from './filter';
import { useClock } from './useClock';

interface Props {
  form: FormInstance<Filter>;
  timed: boolean;
  setTimed: (timed: boolean) => void;
  /** A range was chosen that says all. */
  onChoose: () => void;
}

/** From when till when, by which time. Inputs give null where they are empty. */
export function RangeFields({ form, timed }: Pick<Props, 'form' | 'timed'>) {
  const { t } = useTranslation();
  const clock = useClock();
  const notTurned: FormRule = {
    validator: async (_, till: string) => {
      const from = form.getFieldValue('from') as string;
      if (from && till && till < from) throw new Error(t('previous.turned'));
    },
  };
  const input = (time: string) => (timed ? <DayTime time={time} /> : <Day />);
  const asText = (value: unknown) => value ?? '';
  return (
    <>
      <Form.Item name="from" label={t(timed ? 'previous.from_time' : 'previous.from')} normalize={asText}>
        {input(clock.reset)}
      </Form.Item>
      <Form.Item
        name="till"
        label={t(timed ? 'previous.till_time' : 'previous.till')}
        normalize={asText}
        rules={[notTurned]}
        dependencies={['from']}
        validateTrigger="onSubmit"
      >
        {input('23:59')}
      </Form.Item>
      <Form.Item name="date_filter_by" label={t('previous.date_filter_by')}>
        <Select
          popupMatchSelectWidth={false}
          options={DATES_BY.map((value) => ({ value, label: t(`previous.by.${value}`) }))}
        />
      </Form.Item>
    </>
  );
}

/** Ranges that are asked for most, and whether the bounds have times. */
export function Quick({ form, timed, setTimed, onChoose }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const clock = useClock();
  const from = Form.useWatch('from', { form, preserve: true });
  const till = Form.useWatch('till', { form, preserve: true });
  const today = businessDay(new Date(serverNow()), clock);
  const rangeOf = (which: (typeof QUICK)[number]): Range => {
    const days = quickRange(which, today);
    return timed ? withTimes(days, clock) : days;
  };
  const turn = (on: boolean) => {
    const range = { from: from ?? '', till: till ?? '' };
    form.setFieldsValue(on ? withTimes(range, clock) : withoutTimes(range, clock));
    setTimed(on);
  };
  return (
    <div className="previous-quick" role="group" aria-label={t('previous.quick')}>
      {QUICK.map((which) => {
        const range = rangeOf(which);
        const chosen = range.from === from && range.till === till;
        return (
          <Button
            key={which}
            className="previous-choice"
            aria-pressed={chosen}
            onClick={() => {
              form.setFieldsValue(range);
              onChoose();
            }}
          >
            {t(`previous.quick.${which}`)}
          </Button>
        );
      })}
      <label className="previous-timed" htmlFor={id}>
        <Switch id={id} checked={timed} onChange={turn} />
        {t('previous.timed')}
      </label>
    </div>
  );
}
