import {
  ClockCircleOutlined,
  ExperimentOutlined,
  GlobalOutlined,
  KeyOutlined,
  StopOutlined,
} from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { useNow } from '../../lib/hooks';
import { Chip } from '../../lib/ui/page';
import { type ApiKey, SOON_DAYS } from './types';

const ICONS = {
  secret: <KeyOutlined aria-hidden />,
  browser: <GlobalOutlined aria-hidden />,
  test: <ExperimentOutlined aria-hidden />,
};

/** The kind of a key, and whether it is revoked, about to expire or being rotated. */
export function KeyChip({ row }: { row: ApiKey }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const now = useNow(60_000);
  const kind = (
    <Chip icon={ICONS[row.kind]} tone={row.kind === 'test' ? 'violet' : 'neutral'}>
      {t(`api_keys.kind.${row.kind}`)}
    </Chip>
  );
  if (row.revoked_at)
    return (
      <span className="chips key-chips">
        {kind}
        <Chip tone="error" icon={<StopOutlined aria-hidden />}>
          {t('api_keys.revoked_at', { at: dateTime(row.revoked_at) })}
        </Chip>
      </span>
    );
  const left = row.expires_at ? Date.parse(row.expires_at) - now : undefined;
  return (
    <span className="chips key-chips">
      {kind}
      {left !== undefined && left <= 0 && (
        <Chip tone="error" icon={<StopOutlined aria-hidden />}>
          {t('api_keys.expired')}
        </Chip>
      )}
      {left !== undefined && left > 0 && left < SOON_DAYS * 86_400_000 && (
        <Chip tone="warning" icon={<ClockCircleOutlined aria-hidden />}>
          {t('api_keys.expires_soon')}
        </Chip>
      )}
      {row.rotated_until && Date.parse(row.rotated_until) > now && (
        <Chip tone="info" icon={<ClockCircleOutlined aria-hidden />}>
          {t('api_keys.rotating', { till: dateTime(row.rotated_until) })}
        </Chip>
      )}
    </span>
  );
}
