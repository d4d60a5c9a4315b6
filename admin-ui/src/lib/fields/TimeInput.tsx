import { Input } from 'antd';
import { useRef, useState } from 'react';
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

interface TimeTextProps {
  label: string;
  /** What is typed. */
  value: string;
  wrong: boolean;
  disabled: boolean;
  onChange: (text: string) => void;
  onBlur: () => void;
  id?: string | undefined;
  className?: string;
  title?: string;
}

/** The text field of a time. What is typed stays as it is until the field is left: half a time is none yet. */
export function TimeText({ label, wrong, onChange, className = 'num', ...control }: TimeTextProps) {
  const { t } = useTranslation();
  const entered = useRef(false);
  return (
    <Input
      {...control}
      className={className}
      inputMode="numeric"
      maxLength={5}
      aria-label={label}
      aria-invalid={wrong}
      status={wrong ? 'error' : ''}
      placeholder={t('form.time_placeholder')}
      // Five letters fill the field: what is typed after entering it replaces them. A second click sets the
      // cursor.
      onFocus={(event) => {
        entered.current = true;
        event.target.select();
      }}
      onClick={(event) => {
        if (entered.current) event.currentTarget.select();
        entered.current = false;
      }}
      onChange={(event) => {
        entered.current = false;
        onChange(event.target.value);
      }}
    />
  );
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
    <TimeText
      {...control}
      label={label}
      wrong={wrong}
      title={wrong ? t('form.time') : ''}
      disabled={disabled ?? false}
      value={text ?? value}
      onChange={type}
      onBlur={leave}
    />
  );
}
