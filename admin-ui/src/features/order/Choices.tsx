import { ConfigProvider } from 'antd';
import { type ReactNode, type Ref, useId, useImperativeHandle, useRef } from 'react';
import './archive.css';

export interface Choice<V extends string> {
  value: V;
  label: ReactNode;
}

interface Props<V extends string> {
  legend: ReactNode;
  choices: readonly Choice<V>[];
  value?: V | undefined;
  onChange?: (value: V) => void;
  /** From a form, which gives the focus to what is wrong. */
  ref?: Ref<{ focus: () => void }>;
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean | 'true' | 'false';
}

/** One of a few, each large enough for a finger. Also the control of a form's item. */
export function Choices<V extends string>(props: Props<V>) {
  const { legend, choices, value, onChange, id, ref, ...aria } = props;
  const name = useId();
  const set = useRef<HTMLFieldSetElement>(null);
  useImperativeHandle(ref, () => ({
    focus: () => {
      const radios = [...(set.current?.querySelectorAll('input') ?? [])];
      (radios.find(({ checked }) => checked) ?? radios[0])?.focus();
    },
  }));
  const { componentDisabled } = ConfigProvider.useConfig();
  return (
    <fieldset
      ref={set}
      className="archive-reasons"
      id={id}
      disabled={componentDisabled}
      aria-describedby={aria['aria-describedby']}
    >
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange?.(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
