import { Switch, type SwitchProps } from 'antd';

interface Props extends Omit<SwitchProps, 'loading'> {
  /** Nothing else may be sent meanwhile. */
  saving: boolean;
}

/** A switch that saves at once. While it does it takes no change, but keeps the focus: antd's `loading` loses it. */
export function SavingSwitch({ saving, onChange, ...props }: Props) {
  return (
    <Switch
      {...props}
      {...(saving ? { 'aria-disabled': true, className: 'ant-switch-loading' } : {})}
      onChange={(...change) => {
        if (!saving) onChange?.(...change);
      }}
    />
  );
}
