import { LinkOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { devicesPairing } from '../../generated/client/devices/devices';
import { fields } from '../../generated/fields/devices.gen';
import type { Device } from '../../generated/model';
import { FormDrawer, useResourceForm } from '../../lib/crud';
import { NONE, useFormat } from '../../lib/format';
import { useForget } from '../../lib/query';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Facts } from '../../lib/ui/page';
import { useWork } from '../../lib/ui/work';
import { StateChip } from './StateChip';

/** A device: its name, where it was seen, another code for it; deleting revokes it. */
export function DeviceDrawer({
  id,
  onClose,
  onPairing,
}: {
  id: string;
  onClose: () => void;
  onPairing: (device: Device) => void;
}) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const notify = useNotify();
  const forget = useForget();
  const { busy, work } = useWork();
  const state = useResourceForm({ resource: 'devices', fields, id });
  const device = state.row as unknown as Device | undefined;
  const pair = () =>
    work(async () => {
      onPairing(await devicesPairing(...here(), id));
      void forget(['devices']);
    });
  const at = (moment: string | null | undefined) =>
    moment ? <span className="num">{dateTime(moment)}</span> : NONE;
  return (
    <FormDrawer
      state={state}
      resource="devices"
      fields={fields}
      layout={['name']}
      name={device?.name ?? ''}
      title={device?.name ?? t('state.loading')}
      history="restaurant"
      onClose={onClose}
      onRemoved={() => notify.success(t('devices.revoked', { name: device?.name }))}
    >
      {device && (
        <>
          <Facts
            rows={[
              [t('devices.state'), <StateChip key="state" device={device} />],
              [t('devices.kind'), t(`devices.kind.${device.kind}`)],
              [t('devices.shows'), device.shows ?? NONE],
              [t('devices.paired_at'), device.by_address ? t('devices.by_address') : at(device.paired_at)],
              [t('devices.last_seen_at'), at(device.last_seen_at)],
              [
                t('devices.seen_with'),
                [device.seen_with, device.seen_from].filter(Boolean).join(' · ') || NONE,
              ],
            ]}
          />
          <p className="field-lead">
            {t(device.by_address ? 'devices.by_address_text' : 'devices.again_text')}
          </p>
          {!device.by_address && (
            <Button icon={<LinkOutlined />} loading={busy} onClick={() => void pair()}>
              {t('devices.again')}
            </Button>
          )}
        </>
      )}
    </FormDrawer>
  );
}
