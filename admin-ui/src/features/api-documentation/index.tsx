import { DownloadOutlined, ExportOutlined, FilePdfOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { documentationFilesList } from '../../generated/client/content/content';
import type { Documentation } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { callsAddress, useRestaurant } from '../../lib/target';
import { CopyButton, EmptyState, QueryFallback } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { download } from './download';
import './api-documentation.css';

/** What third parties read: the reference, and files to download. */
export default function ApiDocumentation() {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const query = useRead('documentationFilesList', () => documentationFilesList());
  return (
    <>
      <PageHeader lead={t('documentation_files.lead')} />
      <div className="documentation">
        <Card title={t('documentation_files.reference')}>
          <p>{t('documentation_files.reference_text')}</p>
          <div className="documentation-links">
            <Button
              type="primary"
              icon={<ExportOutlined />}
              href="/api/docs/public"
              target="_blank"
              rel="noreferrer"
            >
              {t('documentation_files.open_reference')}
            </Button>
            <Button icon={<DownloadOutlined />} href="/api/public.json" download="pult-openapi.json">
              {t('documentation_files.document')}
            </Button>
          </div>
        </Card>
        <Card title={t('documentation_files.address')}>
          <p>{t('documentation_files.address_text', { name: restaurant.name })}</p>
          <code className="documentation-address">{callsAddress(restaurant)}</code>
          <CopyButton text={callsAddress(restaurant)} label={t('action.copy')}>
            {t('documentation_files.address_copy')}
          </CopyButton>
        </Card>
        <Card title={t('documentation_files.files')} flush>
          {!query.data ? (
            <QueryFallback query={query} rows={4} />
          ) : query.data.length === 0 ? (
            <EmptyState title={t('documentation_files.empty_title')} text={t('documentation_files.empty')} />
          ) : (
            <ul className="documentation-files">
              {query.data.map((file) => (
                <li key={file.name}>
                  <File file={file} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </>
  );
}

function File({ file }: { file: Documentation }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { busy: loading, work } = useWork();
  const fetch = () =>
    work(async () => {
      await download(file);
    });
  return (
    <div className="documentation-file">
      <FilePdfOutlined className="documentation-icon" aria-hidden />
      <span className="documentation-text">
        <b>{file.title}</b> <Chip>{t(`language.${file.lang}`)}</Chip>
        <small>
          {file.filename} · {format.size(file.bytes)} · {format.date(file.updated_at)}
        </small>
      </span>
      <Button
        icon={<DownloadOutlined />}
        loading={loading}
        onClick={() => void fetch()}
        aria-label={t('documentation_files.download_of', { name: file.title })}
      >
        {t('documentation_files.download')}
      </Button>
    </div>
  );
}
