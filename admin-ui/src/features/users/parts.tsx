import { CheckCircleOutlined, InboxOutlined, LockOutlined, MailOutlined } from '@ant-design/icons';
import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import { fieldId } from '../../lib/form/fieldState';
import { Chip, type Tone } from '../../lib/ui/page';
import type { Status } from './types';

const TONES: Record<Status, { tone: Tone; icon: React.ReactNode }> = {
  invited: { tone: 'info', icon: <MailOutlined aria-hidden /> },
  active: { tone: 'success', icon: <CheckCircleOutlined aria-hidden /> },
  locked: { tone: 'warning', icon: <LockOutlined aria-hidden /> },
  archived: { tone: 'neutral', icon: <InboxOutlined aria-hidden /> },
};

export function StatusChip({ status }: { status: Status }) {
  const { t } = useTranslation();
  return <Chip {...TONES[status]}>{t(`field.status.${status}`)}</Chip>;
}

interface SwitchProps {
  /** Of the field in the draft. */
  name: string;
  label: string;
  help: string;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with its label and help beside it. */
export function SwitchRow({ name, label, help, checked, disabled, onChange }: SwitchProps) {
  const id = fieldId(name);
  return (
    <div className="edit-switch">
      <label className="target">
        <Switch
          id={id}
          checked={checked}
          disabled={disabled}
          onChange={onChange}
          aria-describedby={`${id}-help`}
        />
      </label>
      <div>
        <label htmlFor={id}>{label}</label>
        <p className="edit-help" id={`${id}-help`}>
          {help}
        </p>
      </div>
    </div>
  );
}
