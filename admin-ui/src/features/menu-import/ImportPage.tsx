import { Alert, Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import type { MenuImport } from '../../generated/model';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { Link } from 'react-router';
import { busy, useImport } from './api';
import { Columns } from './Columns';
import { Decision } from './Decision';
import { Faults } from './Faults';
import { ToGuide, useFromGuide } from './guide';
import { Lines } from './Lines';
import { OptionGroups, Prices } from './Sources';
import { StatusChip } from './StatusChip';

/** One import: its columns, its faults, the difference, and the button that writes it or takes it back. */
export function ImportPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const found = useImport(id);
  const row = found.data;
  if (!row)
    return (
      <>
        <PageHeader />
        <Card>
          <QueryFallback query={found} rows={6} />
        </Card>
      </>
    );
  return (
    <>
      <PageHeader
        title={row.file_name}
        mark={<StatusChip row={row} />}
        lead={t(`menu_imports.lead_${row.status}`)}
        actions={<Back />}
      />
      {busy(row) && (
        <Card>
          <Progress percent={row.progress} status="active" aria-label={t('menu_imports.reading')} />
          <p className="mi-hint">{t('work_import.in_tray')}</p>
        </Card>
      )}
      {row.status === 'failed' && (
        <Alert type="error" showIcon title={t(`menu_imports.error.${row.error ?? 'broken'}`)} />
      )}
      {!busy(row) && row.status !== 'failed' && <Result row={row} />}
    </>
  );
}

function Back() {
  const { t } = useTranslation();
  const url = usePageUrl();
  const { fromGuide, query } = useFromGuide();
  return (
    <>
      {fromGuide && <ToGuide />}
      <Link to={url('menu_import', undefined, query)}>
        <Button tabIndex={-1}>{t('menu_imports.another')}</Button>
      </Link>
    </>
  );
}

function Result({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const ready = row.status === 'ready';
  const unmapped = row.missing_fields.length > 0;
  return (
    <div className="page-cards">
      {ready && unmapped && (
        <Alert
          type="warning"
          showIcon
          title={t('menu_imports.unmapped', {
            fields: row.missing_fields.map((field) => t(`menu_imports.field.${field}`)).join(', '),
          })}
        />
      )}
      {ready && !unmapped && <UnusedColumns columns={row.unused_columns} />}
      {ready && !unmapped && <UnusedSheets sheets={row.unused_sheets} />}
      {/* Anew with other columns only: what somebody has opened stays open when faulty rows are left out. */}
      {ready && (
        <Columns
          key={JSON.stringify([row.sheet, row.header_row, row.columns, row.options_columns])}
          row={row}
          open={unmapped}
        />
      )}
      {ready && !unmapped && <Prices row={row} />}
      {ready && !unmapped && <OptionGroups row={row} />}
      {/* Before the lists: below some hundred rows nobody finds the button. */}
      {row.counts && !unmapped && <Decision row={row} />}
      {(row.counts?.faults ?? 0) > 0 && <Faults row={row} />}
      {row.counts && !unmapped && <Lines row={row} />}
    </div>
  );
}

/** Names the columns with content that the import leaves out, so that nothing is lost unseen. */
function UnusedColumns({ columns }: { columns: MenuImport['unused_columns'] }) {
  const { t } = useTranslation();
  if (columns.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={t('menu_imports.unused', { count: columns.length })}
      description={
        <>
          {t('menu_imports.unused_hint')}
          <ul className="mi-unused">
            {columns.map((column) => (
              <li key={`${column.sheet ?? ''} ${column.letter}`}>
                <strong>
                  {column.letter} · {column.heading || t('menu_imports.no_heading')}
                </strong>
                {column.sheet ? ` (${column.sheet})` : ''}: {column.samples.join(' · ')}
              </li>
            ))}
          </ul>
        </>
      }
    />
  );
}

/** Names the filled sheets that are left out: a list of extras with a price for each size is none of options. */
function UnusedSheets({ sheets }: { sheets: readonly string[] }) {
  const { t } = useTranslation();
  if (sheets.length === 0) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={t('menu_imports.unused_sheets', { count: sheets.length, names: sheets.join(', ') })}
      description={t('menu_imports.unused_sheets_hint')}
    />
  );
}
