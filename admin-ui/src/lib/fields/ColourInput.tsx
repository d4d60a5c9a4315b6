import { Input } from 'antd';

interface Props {
  id?: string;
  value?: string | null;
  onChange?: (value: string | null) => void;
  disabled?: boolean;
  'aria-label'?: string;
}

/** A colour as #RRGGBB: typed, or chosen in the browser's own picker. */
export function ColourInput({ id, value, onChange, disabled, ...rest }: Props) {
  return (
    <span className="colour">
      <input
        type="color"
        tabIndex={-1}
        aria-hidden
        className="colour-native"
        disabled={disabled ?? false}
        value={/^#[0-9a-f]{6}$/i.test(value ?? '') ? value! : '#808080'}
        onChange={(event) => onChange?.(event.target.value.toUpperCase())}
      />
      <Input
        {...rest}
        {...(id ? { id } : {})}
        disabled={disabled ?? false}
        maxLength={7}
        value={value ?? ''}
        onChange={(event) => onChange?.(event.target.value || null)}
      />
    </span>
  );
}
