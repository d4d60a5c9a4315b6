import { CheckCircleOutlined } from '@ant-design/icons';
import { useOne } from '@refinedev/core';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Device } from '../../generated/model';
import { useNow } from '../../lib/hooks';
import { useLiveEvent } from '../../lib/live';
import { whenRead } from '../../lib/providers/reading';
import { CopyButton } from '../../lib/ui/states';
import { Dialog } from '../../lib/ui/Dialog';
import './devices.css';

/** The code and the link, this once; it sees by itself that the device has come. */
export function Pairing({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation();
  const now = useNow(1_000);
  const { result, query } = useOne<Device>({ resource: 'devices', id: device.id });
  useLiveEvent('TASK_DEVICES_RELOAD', () => whenRead('devices', () => void query.refetch()));
  useLiveEvent('poll', () => void query.refetch());
  const pairing = device.pairing!;
  // Paired anew: later than when this code was made.
  const paired = Boolean(result?.paired_at) && result!.paired_at !== device.paired_at;
  const left = Math.max(0, Math.ceil((Date.parse(pairing.expires_at) - now) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <Dialog title={t('devices.pair_title', { name: device.name })} mask={{ closable: false }} onCancel={onClose} footer={<Button type="primary" onClick={onClose}>{t('action.close')}</Button>}>
      {paired ? (
        <p className="pairing-done" role="status"><CheckCircleOutlined aria-hidden /> {t('devices.paired')}</p>
      ) : (
        <div className="pairing">
          <p>{t('devices.code_text')} <b className="pairing-where">{pairing.address}</b></p>
          <output className="pairing-code num" aria-label={t('devices.code')} data-over={left === 0}>{`${pairing.code.slice(0, 3)} ${pairing.code.slice(3)}`}</output>
          <p className="pairing-left num" role="timer">{left > 0 ? t('devices.left', { time }) : t('devices.over')}</p>
          <p>{t('devices.link_text')}</p>
          <CopyButton text={pairing.link} label={t('action.copy')}>{t('devices.copy_link')}</CopyButton>
        </div>
      )}
    </Dialog>
  );
}
