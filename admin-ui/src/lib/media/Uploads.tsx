import { CloseOutlined, ReloadOutlined } from '@ant-design/icons';
import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { explain } from '../problem';
import { Button } from '../ui/Button';
import type { Upload } from './useUploads';

interface Props {
  uploads: readonly Upload[];
  onRetry: (upload: Upload) => void;
  onDismiss: (key: string) => void;
}

/** Pictures on their way, and those that were refused with the reason. */
export function Uploads({ uploads, onRetry, onDismiss }: Props) {
  const { t } = useTranslation();
  if (uploads.length === 0) return null;
  return (
    <ul className="uploads" aria-label={t('media.uploads')}>
      {uploads.map((upload) => (
        <li key={upload.key} className={upload.error ? 'upload upload-failed' : 'upload'}>
          <span className="upload-name">{upload.name}</span>
          {upload.error ? (
            <>
              <span className="upload-error" role="alert">
                {explain(upload.error).text}
              </span>
              <Button size="small" icon={<ReloadOutlined />} onClick={() => onRetry(upload)}>
                {t('media.retry')}
              </Button>
              <Button
                size="small"
                type="text"
                icon={<CloseOutlined />}
                aria-label={t('media.dismiss', { name: upload.name })}
                onClick={() => onDismiss(upload.key)}
              />
            </>
          ) : (
            <>
              <Progress
                percent={Math.round(upload.share * 100)}
                showInfo={false}
                size="small"
                aria-label={upload.name}
              />
              <span className="upload-state">
                {upload.share >= 1 ? t('media.making') : t('media.sending')}
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
