import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PaymentReconciliation } from '../../../generated/model';
import { useFormat } from '../../../lib/format';
import { Chip } from '../../../lib/ui/page';

interface Props {
  comparison: PaymentReconciliation;
}

/** How far it is. */
export function Progressing({ comparison: { state, progress } }: Props) {
  const { t } = useTranslation();
  const word = t(`payments.comparison_state.${state}`);
  if (state === 'running') return <Progress percent={progress} aria-label={word} />;
  const [tone, Icon] = (
    {
      waiting: ['neutral', ClockCircleOutlined],
      ready: ['success', CheckCircleOutlined],
      failed: ['error', CloseCircleOutlined],
    } as const
  )[state];
  return (
    <Chip tone={tone} icon={<Icon aria-hidden />}>
      {word}
    </Chip>
  );
}

/** Differences that nothing explains; somebody has to look while there are any. */
export function Unexplained({ comparison: { unexplained } }: Props) {
  const { number } = useFormat();
  const shown = <span className="num">{number(unexplained)}</span>;
  return unexplained > 0 ? (
    <Chip tone="error" icon={<WarningOutlined aria-hidden />}>
      {shown}
    </Chip>
  ) : (
    shown
  );
}

/** The person that began it, or that it was made at night. */
export function MadeBy({ comparison: { actor_name } }: Props) {
  const { t } = useTranslation();
  return <>{actor_name ?? t('payments.compared_at_night')}</>;
}
