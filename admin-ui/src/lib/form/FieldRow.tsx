import type { ReactNode } from 'react';
import { fieldId, useFault } from './fieldState';
import './draft.css';

/** Properties that link an input to its label, help and error. */
export interface Control {
  id: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
  'aria-describedby'?: string;
  status?: 'error';
}

interface RowProps {
  path: string;
  label: ReactNode;
  help?: ReactNode;
  required?: boolean;
  /** Several inputs under one label. */
  group?: boolean;
  /** Beside the label, on the right. */
  extra?: ReactNode;
  className?: string;
  children: (control: Control) => ReactNode;
}

/** Label above, then the input, its help and its fault. */
export function FieldRow({ path, label, help, required, group, extra, className = '', children }: RowProps) {
  const fault = useFault(path);
  const id = fieldId(path);
  const describedBy = [fault && `${id}-fault`, help && `${id}-help`].filter(Boolean).join(' ');
  const control: Control = {
    id,
    ...(fault ? { 'aria-invalid': true, status: 'error' } : {}),
    ...(required ? { 'aria-required': true } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
  };
  const text = (
    <>
      {label}
      {required && (
        <span className="required" aria-hidden>
          *
        </span>
      )}
    </>
  );
  const body = (
    <>
      <div className="edit-label">
        {group ? <span id={`${id}-label`}>{text}</span> : <label htmlFor={id}>{text}</label>}
        {extra}
      </div>
      {children(control)}
      {help && (
        <p className="edit-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {fault && (
        <p className="edit-fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </>
  );
  return group ? (
    <div
      className={`edit-field ${className}`}
      role="group"
      aria-labelledby={`${id}-label`}
      data-fault={fault !== undefined}
    >
      {body}
    </div>
  ) : (
    <div className={`edit-field ${className}`} data-fault={fault !== undefined}>
      {body}
    </div>
  );
}
