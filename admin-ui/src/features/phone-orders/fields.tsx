import { WarningOutlined } from '@ant-design/icons';
import { Input, type InputRef } from 'antd';
import type { ClipboardEvent, FocusEvent, KeyboardEvent, ReactNode, Ref } from 'react';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';

interface Props {
  path: string;
  label: string;
  help?: ReactNode;
  /** Instead of the help: what looks wrong, though it keeps nobody from sending. */
  warning?: string | undefined;
  required?: boolean;
  value: string;
  onChange: (value: string) => void;
  maxLength: number;
  inputMode?: 'tel' | 'email';
  inputRef?: Ref<InputRef>;
  className?: string;
  onPressEnter?: (event: KeyboardEvent<HTMLInputElement>) => void;
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void;
  onPaste?: (event: ClipboardEvent<HTMLInputElement>) => void;
}

/** A text of the draft. Browsers offer nothing: it is somebody else's. */
export function TextField({ path, label, help, required, onChange, inputRef, className, ...props }: Props) {
  const locked = useLocked();
  const { warning, ...input } = props;
  return (
    <FieldRow
      path={path}
      label={label}
      help={
        warning ? (
          <span className="phone-doubt" role="alert">
            <WarningOutlined aria-hidden /> {warning}
          </span>
        ) : (
          help
        )
      }
      {...(required ? { required } : {})}
      {...(className ? { className } : {})}
    >
      {(control) => (
        <Input
          {...(warning ? { status: 'warning' } : {})}
          {...control}
          {...input}
          ref={inputRef ?? null}
          autoComplete="off"
          disabled={locked}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldRow>
  );
}
