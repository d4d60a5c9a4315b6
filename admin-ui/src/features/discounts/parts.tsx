import { Checkbox, Switch } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Discount } from '../../generated/model';
import { fieldId, useFault, useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { Chip } from '../../lib/ui/page';
import { NumberInput } from '../../lib/ui/NumberInput';
import { STATE_TONES, stateOf } from './words';

/** Part of the editor with its title. */
export function Section({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className="field-group">
      <legend>{title}</legend>
      {lead && <p className="field-lead">{lead}</p>}
      {children}
    </fieldset>
  );
}

interface SwitchProps {
  path: string;
  label: string;
  help?: ReactNode;
  value: boolean;
  onChange: (value: boolean) => void;
}

/** A switch with its name and what it means beside it. */
export function SwitchField({ path, label, help, value, onChange }: SwitchProps) {
  const locked = useLocked();
  const fault = useFault(path);
  const id = fieldId(path);
  return (
    <div className="edit-switch">
      <label className="target">
        <Switch
          id={id}
          checked={value}
          disabled={locked}
          onChange={onChange}
          aria-label={label}
          aria-describedby={help ? `${id}-help` : undefined}
        />
      </label>
      <div>
        <label htmlFor={id}>{label}</label>
        {help && (
          <p className="edit-help" id={`${id}-help`}>
            {help}
          </p>
        )}
        {fault && (
          <p className="edit-fault" role="alert">
            {fault}
          </p>
        )}
      </div>
    </div>
  );
}

/** A box to tick within a row. */
export function TickField({ label, help, value, onChange }: Omit<SwitchProps, 'path'>) {
  const locked = useLocked();
  const id = useId();
  return (
    <div className="discount-tick">
      <Checkbox
        checked={value}
        disabled={locked}
        aria-describedby={help ? id : undefined}
        onChange={(event) => onChange(event.target.checked)}
      >
        {label}
      </Checkbox>
      {help && (
        <p className="edit-help" id={id}>
          {help}
        </p>
      )}
    </div>
  );
}

interface CountProps {
  path: string;
  label: string;
  help?: ReactNode;
  required?: boolean;
  max: number;
  value: number | null;
  placeholder?: string;
  onChange: (value: number | null) => void;
}

/** A whole number; empty is none. */
export function CountField({ path, label, help, required, max, value, placeholder, onChange }: CountProps) {
  const locked = useLocked();
  return (
    <FieldRow path={path} label={label} help={help} required={required ?? false}>
      {(control) => (
        <NumberInput<number>
          {...control}
          className="discount-number"
          min={0}
          max={max}
          precision={0}
          disabled={locked}
          placeholder={placeholder}
          value={value}
          onChange={onChange}
        />
      )}
    </FieldRow>
  );
}

/** Where a promotion stands. */
export function StateChip({ row }: { row: Discount }) {
  const { t } = useTranslation();
  const state = stateOf(row);
  return <Chip tone={STATE_TONES[state]}>{t(`discounts.state.${state}`)}</Chip>;
}
