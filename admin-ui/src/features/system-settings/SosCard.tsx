import { StopOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { useSosClose } from '../sos-close/useSosClose';

/** SOS close, its end, and the way back. */
export function SosCard() {
  const { t } = useTranslation();
  const { closed, end, may, busy, close, reopen } = useSosClose();
  return (
    <Card
      title={t('restaurants_close.title')}
      extra={
        <Chip tone={closed ? 'error' : 'success'}>
          {t(closed ? 'restaurants_close.closed' : 'restaurants_close.open')}
        </Chip>
      }
    >
      <p className="setting-lead">{t('restaurants_close.text')}</p>
      {closed && (
        <p className="setting-lead">
          <b>{end}</b>
        </p>
      )}
      {may && (
        <div className="form-buttons">
          {closed ? (
            <Button type="primary" loading={busy} onClick={() => void reopen()}>
              {t('restaurants_close.reopen')}
            </Button>
          ) : (
            <Button danger icon={<StopOutlined />} loading={busy} onClick={() => void close()}>
              {t('restaurants_close.close')}
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}
