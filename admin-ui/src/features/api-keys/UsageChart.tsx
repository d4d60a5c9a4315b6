import { Column } from '@ant-design/charts';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { palettes } from '../../lib/theme/palette';
import { look } from '../../lib/theme/prefs';
import type { Usage } from './types';

/** Calls per day, the refused ones on top. The same numbers stand in the table below it. */
export default function UsageChart({ days }: { days: Usage['days'] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { theme } = useSyncExternalStore(look.subscribe, look.get);
  const colours = palettes[theme];
  const [good, bad] = [t('api_keys.answered'), t('api_keys.errors')];
  const data = days.flatMap(({ day, calls, errors }) => [
    { day: day.slice(5).replace('-', '/'), kind: good, value: calls - errors },
    { day: day.slice(5).replace('-', '/'), kind: bad, value: errors },
  ]);
  const text = {
    labelFill: colours['text-2'],
    labelFillOpacity: 1,
    labelOpacity: 1,
    labelFontSize: 13,
    labelFontFamily: 'Inter Variable, sans-serif',
  };
  // Between few calls the scale has halves, which rounded would stand there twice.
  const whole = (value: number) => (Number.isInteger(value) ? number(value) : '');
  const [calls, errors] = [
    days.reduce((sum, day) => sum + day.calls, 0),
    days.reduce((sum, day) => sum + day.errors, 0),
  ];
  return (
    <div
      role="img"
      aria-label={t('api_keys.chart', { calls: number(calls), errors: number(errors) })}
      className="usage-chart"
    >
      <Column
        autoFit
        height={280}
        animate={false}
        theme={theme === 'dark' ? 'classicDark' : 'classic'}
        data={data}
        xField="day"
        yField="value"
        colorField="kind"
        stack
        scale={{ color: { domain: [good, bad], range: [colours.primary, colours.error] } }}
        axis={{
          x: { title: false, labelAutoHide: true, ...text },
          y: { title: false, labelFormatter: whole, gridStroke: colours['line-strong'], ...text },
        }}
        legend={{
          color: {
            position: 'top',
            itemLabelFill: colours.text,
            itemLabelFillOpacity: 1,
            itemLabelFontSize: 14,
            itemLabelFontFamily: text.labelFontFamily,
          },
        }}
        tooltip={{ items: [{ channel: 'y', valueFormatter: (value: number) => number(value, 0) }] }}
      />
    </div>
  );
}
