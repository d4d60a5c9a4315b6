import { CheckCircleOutlined, LoadingOutlined } from '@ant-design/icons';
import { useOne } from '@refinedev/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../generated/model';
import { useNow } from '../../lib/hooks';
import { useLiveEvent } from '../../lib/live';
import { useForget } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { CopyButton } from '../../lib/ui/states';
import { Dialog } from '../../lib/ui/Dialog';
import './devices.css';

/** How often the service is asked whether the device was paired. ms */
const WATCH_MS = 2_000;

/**
 * The code and the link, this once. The device is connected when it has come with its secret, not when the
 * code was typed.
 */
export function Pairing({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation();
  const now = useNow(1_000);
  const { result, query } = useOne<Device>({ resource: 'devices', id: device.id });
  useLiveEvent('poll', () => void query.refetch());
  const pairing = device.pairing!;
  // Paired again, after this code was made.
  const paired = Boolean(result?.paired_at) && result!.paired_at !== device.paired_at;
  const connected = paired && Boolean(result!.last_seen_at);
  const watch = paired && !connected ? Math.floor(now / WATCH_MS) : 0;
  // eslint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => void (watch && query.refetch()), [watch]);
  const forget = useForget();
  // The list behind it says the same.
  useEffect(() => {
    if (connected) void forget(['devicesList']);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [connected]);
  const left = Math.max(0, Math.ceil((Date.parse(pairing.expires_at) - now) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <Dialog
      title={t('devices.pair_title', { name: device.name })}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      {connected ? (
        <p className="pairing-done" role="status">
          <CheckCircleOutlined aria-hidden /> {t('devices.paired')}
        </p>
      ) : paired ? (
        <p className="pairing-done" role="status">
          <LoadingOutlined aria-hidden /> {t('devices.comes')}
        </p>
      ) : (
        <div className="pairing">
          <p>
            {t(device.kind === 'kiosk' ? 'devices.code_text_kiosk' : 'devices.code_text')}{' '}
            <b className="pairing-where">{pairing.address}</b>
          </p>
          <output className="pairing-code num" aria-label={t('devices.code')} data-over={left === 0}>
            {pairing.code}
          </output>
          <p className="pairing-left num" role="timer">
            {left > 0 ? t('devices.left', { time }) : t('devices.over')}
          </p>
          <p>{t('devices.link_text')}</p>
          <CopyButton text={pairing.link} label={t('action.copy')}>
            {t('devices.copy_link')}
          </CopyButton>
        </div>
      )}
    </Dialog>
  );
}
