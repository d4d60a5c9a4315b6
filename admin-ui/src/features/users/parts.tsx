import { CheckCircleOutlined, InboxOutlined, LockOutlined, MailOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
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
