import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fields } from '../../generated/fields/devices.gen';
import type { Device } from '../../generated/model';
import { type Column, ResourceList } from '../../lib/crud';
import { isWord } from '../../lib/features';
import { NONE, useFormat } from '../../lib/format';
import { useLiveEvent } from '../../lib/live';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useForget } from '../../lib/query';
import { DeviceDrawer } from './DeviceDrawer';
import { NewDevice } from './NewDevice';
import { Pairing } from './Pairing';
import { StateChip } from './StateChip';

/** Devices that sign in by themselves: paired with a code or a link, seen last, revoked. */
export default function Devices() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  const { dateTime } = useFormat();
  const forget = useForget();
  const [pairing, setPairing] = useState<Device>();
  const reload = () => void forget(['devices']);
  useLiveEvent('TASK_DEVICES_RELOAD', reload);
  useLiveEvent('live', reload);

  const columns: Column<Device>[] = [
    { key: 'name' },
    { key: 'kind', render: (row) => t(`devices.kind.${row.kind}`) },
    { key: 'shows', title: t('devices.shows'), wideOnly: true, render: (row) => row.shows },
    { key: 'state', title: t('devices.state'), render: (row) => <StateChip device={row} /> },
    {
      key: 'last_seen_at',
      title: t('devices.last_seen_at'),
      render: (row) => (row.last_seen_at ? <span className="num">{dateTime(row.last_seen_at)}</span> : NONE),
    },
    { key: 'seen_with', title: t('devices.seen_with'), wideOnly: true, render: (row) => row.seen_with },
  ];
  const [at] = path;
  return (
    <>
      <ResourceList
        resource="devices"
        fields={fields}
        // Last seen grows old without an event.
        refreshMs={30_000}
        lead={t('devices.lead')}
        columns={columns}
        href={(row) => url('devices', row.id)}
        onOpen={(row) => open(row.id)}
        onNew={() => open('new')}
      />
      {at && isWord('new', at) && (
        <NewDevice
          onClose={() => open()}
          onMade={(device) => {
            open();
            setPairing(device);
          }}
        />
      )}
      {at && !isWord('new', at) && (
        <DeviceDrawer key={at} id={at} onClose={() => open()} onPairing={setPairing} />
      )}
      {pairing?.pairing && <Pairing device={pairing} onClose={() => setPairing(undefined)} />}
    </>
  );
}
