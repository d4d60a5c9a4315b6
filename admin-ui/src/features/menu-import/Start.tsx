import { CloudUploadOutlined, DownloadOutlined } from '@ant-design/icons';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MenuImport } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { ProblemAlert, QueryFallback } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useImportCalls, useImports } from './api';
import { ToGuide, useFromGuide } from './guide';
import { StatusChip } from './StatusChip';
import { save } from '../../lib/download';

const KINDS = '.xlsx,.xls,.ods,.csv,.tsv,.txt';

/** A file is dropped or chosen here; below it stand the last imports. */
export function Start() {
  const { t } = useTranslation();
  const { open } = usePage();
  const calls = useImportCalls();
  const { fromGuide } = useFromGuide();
  const upload = useInlineWork();
  const template = useInlineWork();
  const { error, dismiss } = template.error === undefined ? upload : template;
  return (
    <>
      <PageHeader
        lead={t('menu_imports.lead')}
        actions={
          <>
            {fromGuide && <ToGuide />}
            <Button
              icon={<DownloadOutlined />}
              onClick={() =>
                void template.work(async () => save(t('menu_imports.template_file'), await calls.template()))
              }
            >
              {t('menu_imports.template')}
            </Button>
          </>
        }
      />
      {error !== undefined && <ProblemAlert error={error} onClose={dismiss} />}
      <div className="page-cards">
        <FileDrop
          sending={upload.busy}
          onFile={(file) => void upload.work(async () => open((await calls.upload(file)).id))}
        />
        <Recent />
      </div>
    </>
  );
}

/** A file from the computer: dropped, or chosen by the button. */
function FileDrop({ sending, onFile }: { sending: boolean; onFile: (file: File) => void }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file && !sending) onFile(file);
  };
  return (
    <section
      className={`mi-drop ${over ? 'mi-drop-over' : ''}`}
      aria-label={t('menu_imports.file')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <CloudUploadOutlined className="mi-drop-icon" />
      <p className="mi-drop-title">{t('menu_imports.drop')}</p>
      <Button type="primary" loading={sending} onClick={() => input.current?.click()}>
        {t('menu_imports.choose')}
      </Button>
      <p className="mi-hint">{t('menu_imports.kinds')}</p>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        hidden
        aria-label={t('menu_imports.file')}
        onChange={(event) => {
          take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </section>
  );
}

function Recent() {
  const { t } = useTranslation();
  const format = useFormat();
  const url = usePageUrl();
  const imports = useImports();
  const { query } = useFromGuide();
  if (!imports.data)
    return (
      <Card>
        <QueryFallback query={imports} rows={3} />
      </Card>
    );
  if (imports.data.length === 0) return null;
  const counts = (row: MenuImport) =>
    row.counts
      ? t('menu_imports.counts_short', {
          new: format.number(row.counts.new),
          changed: format.number(row.counts.changed),
        })
      : '';
  return (
    <Card title={t('menu_imports.recent')}>
      <ul className="mi-recent">
        {imports.data.map((row) => (
          <li key={row.id}>
            <Link to={url('menu_import', row.id, query)}>{row.file_name}</Link>
            <StatusChip row={row} />
            <span className="mi-hint">{counts(row)}</span>
            <span className="mi-hint num">
              {format.dateTime(row.created_at)} · {row.actor_name}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
