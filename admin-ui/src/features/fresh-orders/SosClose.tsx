import { StopOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { useSosClose } from '../sos-close/useSosClose';

/** The button of the header; there while the restaurant takes orders. */
export function SosButton() {
  const { t } = useTranslation();
  const { closed, may, busy, close } = useSosClose();
  if (closed || !may) return null;
  return (
    <Button danger icon={<StopOutlined />} loading={busy} onClick={() => void close()}>
      {t('restaurants_close.title')}
    </Button>
  );
}

/** Says that no orders come in and until when, and ends it. */
export function SosBanner() {
  const { t } = useTranslation();
  const { closed, end, may, busy, reopen } = useSosClose();
  if (!closed) return null;
  return (
    <div className="fresh-strip fresh-strip-sos" role="alert">
      <StopOutlined aria-hidden />
      <div>
        <b>{t('restaurants_close.title')}.</b> {t('fresh.sos_text')} <b>{end}</b>
      </div>
      {may && (
        <Button loading={busy} onClick={() => void reopen()}>
          {t('restaurants_close.reopen')}
        </Button>
      )}
    </div>
  );
}
