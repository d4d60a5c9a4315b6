import { Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** `9`, `930`, `9.30`, `09:30` -> `09:30`; undefined when it is no time of a day. */
export function parseTime(text: string): string | undefined {
  const match = /^\s*(\d{1,2})(?:[:.,\s]?(\d{2}))?\s*$/.exec(text);
  if (!match) return undefined;
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? 0)];
  return hour < 24 && minute < 60
    ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
    : undefined;
}

/**
 * A time of day as HH:MM, 24 hours in both languages (the browser's own time field follows the system
 * instead).
 */
export function TimeInput({
  value = '',
  onChange,
  label,
  disabled,
  ...control
}: {
  value?: string;
  onChange?: (value: string) => void;
  label: string;
  disabled?: boolean;
  id?: string;
  onBlur?: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState<string>();
  const wrong = text !== undefined && parseTime(text) === undefined;
  // A whole time counts at once, so that saving by a key has it; half of one waits until the field is left.
  const type = (typed: string) => {
    setText(typed);
    if (/^\d{2}:\d{2}$/.test(typed) && parseTime(typed)) onChange?.(typed);
  };
  const leave = () => {
    const time = parseTime(text ?? value);
    if (time) {
      if (time !== value) onChange?.(time);
      setText(undefined);
    }
    control.onBlur?.();
  };
  return (
    <Input
      {...control}
      className="num"
      inputMode="numeric"
      maxLength={5}
      aria-label={label}
      aria-invalid={wrong}
      status={wrong ? 'error' : ''}
      title={wrong ? t('form.time') : ''}
      placeholder={t('form.time_placeholder')}
      disabled={disabled ?? false}
      value={text ?? value}
      onChange={(event) => type(event.target.value)}
      onBlur={leave}
    />
  );
}
