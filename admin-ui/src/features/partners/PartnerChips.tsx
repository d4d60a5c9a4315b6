import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  DeleteOutlined,
  LoadingOutlined,
  PauseCircleOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '../../lib/ui/page';
import { type Mode, type Status, TONE } from './api';

const ICONS: Record<Status, ReactNode> = {
  creating: <LoadingOutlined aria-hidden />,
  active: <CheckCircleOutlined aria-hidden />,
  suspended: <PauseCircleOutlined aria-hidden />,
  maintenance: <ClockCircleOutlined aria-hidden />,
  deleting: <DeleteOutlined aria-hidden />,
};

export function StatusChip({ status }: { status: Status }) {
  const { t } = useTranslation();
  return (
    <Chip tone={TONE[status]} icon={ICONS[status]}>
      {t(`partners.status.${status}`)}
    </Chip>
  );
}

/** Nothing for live partners: the others are the exception. */
export function ModeChip({ mode }: { mode: Mode }) {
  const { t } = useTranslation();
  return mode === 'live' ? null : <Chip tone="violet">{t(`partners.mode.${mode}`)}</Chip>;
}
