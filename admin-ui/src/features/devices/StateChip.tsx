import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  DisconnectOutlined,
  MinusCircleOutlined,
} from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../generated/model';
import { Chip } from '../../lib/ui/page';

/** Where a device stands, in a word. */
export function StateChip({ device }: { device: Device }) {
  const { t } = useTranslation();
  if (device.online)
    return (
      <Chip tone="success" icon={<CheckCircleOutlined aria-hidden />}>
        {t('devices.online')}
      </Chip>
    );
  if (device.pairing_until)
    return (
      <Chip tone="info" icon={<ClockCircleOutlined aria-hidden />}>
        {t('devices.waiting')}
      </Chip>
    );
  if (!device.paired_at)
    return (
      <Chip tone="warning" icon={<DisconnectOutlined aria-hidden />}>
        {t('devices.unpaired')}
      </Chip>
    );
  return (
    <Chip icon={<MinusCircleOutlined aria-hidden />}>
      {t(device.last_seen_at ? 'devices.offline' : 'devices.never')}
    </Chip>
  );
}
