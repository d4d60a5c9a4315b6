import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  EyeOutlined,
  RollbackOutlined,
} from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { MenuImport } from '../../generated/model';
import { Chip, type Tone } from '../../lib/ui/page';

const APPEARANCE: Record<MenuImport['status'], [Tone, React.ReactNode]> = {
  waiting: ['neutral', <ClockCircleOutlined key="i" />],
  reading: ['info', <ClockCircleOutlined key="i" />],
  ready: ['info', <EyeOutlined key="i" />],
  failed: ['error', <CloseCircleOutlined key="i" />],
  applied: ['success', <CheckCircleOutlined key="i" />],
  undone: ['neutral', <RollbackOutlined key="i" />],
};

/** How far an import is, in words. */
export function StatusChip({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const [tone, icon] = APPEARANCE[row.status];
  return (
    <Chip tone={tone} icon={icon}>
      {t(`menu_imports.status.${row.status}`)}
    </Chip>
  );
}
