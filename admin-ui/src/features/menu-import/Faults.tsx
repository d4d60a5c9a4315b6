import { DownloadOutlined } from '@ant-design/icons';
import { Pagination } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuImport, MenuImportFault } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { useFaults, useImportCalls } from './api';
import { csv, save } from '../../lib/download';

const PAGE = 20;

/** Every faulty cell: row, column, what stands there and why it cannot be taken. */
export function Faults({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [page, setPage] = useState(0);
  const found = useFaults(row, page, PAGE);
  const download = useDownload(row);
  const counts = row.counts!;
  return (
    <Card
      flush
      title={t('menu_imports.faults', {
        faults: format.number(counts.faults),
        rows: format.number(counts.faulty_rows),
      })}
      extra={
        <Button icon={<DownloadOutlined />} onClick={() => void download()}>
          {t('menu_imports.faults_download')}
        </Button>
      }
    >
      {!found.data && <QueryFallback query={found} rows={4} />}
      {found.data && <FaultTable faults={found.data.rows} withSheet={Boolean(row.options_sheet)} />}
      {counts.faults > PAGE && (
        <Pagination
          className="mi-pages"
          simple
          current={page + 1}
          pageSize={PAGE}
          total={counts.faults}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      )}
    </Card>
  );
}

/** Why a cell cannot be taken. */
function useReason(): (fault: MenuImportFault) => string {
  const { t } = useTranslation();
  return (fault) =>
    t(`menu_imports.reason.${fault.reason}`, { limit: fault.limit ?? '', other: fault.other_row ?? '' });
}

/** Saves all faults as a table of text. */
function useDownload(row: MenuImport): () => Promise<void> {
  const { t } = useTranslation();
  const { work } = useWork();
  const calls = useImportCalls();
  const reason = useReason();
  const withSheet = Boolean(row.options_sheet);
  return () =>
    work(async () => {
      const all = await calls.faults(row.id, row.counts!.faults);
      const head = [...(withSheet ? ['sheet'] : []), 'row', 'column', 'field', 'value', 'reason'].map((key) =>
        t(`menu_imports.faults_${key}`),
      );
      const lines = all.map((fault) => [
        ...(withSheet ? [fault.sheet ?? ''] : []),
        String(fault.row),
        fault.column ?? '',
        t(`menu_imports.field.${fault.key}`),
        fault.value,
        reason(fault),
      ]);
      save(t('menu_imports.faults_file'), csv([head, ...lines]));
    });
}

function FaultTable({ faults, withSheet }: { faults: readonly MenuImportFault[]; withSheet: boolean }) {
  const { t } = useTranslation();
  const reason = useReason();
  return (
    <table className="mi-table">
      <thead>
        <tr>
          {withSheet && <th>{t('menu_imports.faults_sheet')}</th>}
          <th>{t('menu_imports.faults_row')}</th>
          <th>{t('menu_imports.faults_column')}</th>
          <th>{t('menu_imports.faults_field')}</th>
          <th>{t('menu_imports.faults_value')}</th>
          <th>{t('menu_imports.faults_reason')}</th>
        </tr>
      </thead>
      <tbody>
        {faults.map((fault, index) => (
          <tr key={`${fault.row} ${fault.key} ${index}`}>
            {withSheet && <td data-label={t('menu_imports.faults_sheet')}>{fault.sheet}</td>}
            <td className="num" data-label={t('menu_imports.faults_row')}>
              {fault.row}
            </td>
            <td data-label={t('menu_imports.faults_column')}>{fault.column ?? '–'}</td>
            <td data-label={t('menu_imports.faults_field')}>{t(`menu_imports.field.${fault.key}`)}</td>
            <td data-label={t('menu_imports.faults_value')} className="mi-value">
              {fault.value || t('menu_imports.empty_cell')}
            </td>
            <td data-label={t('menu_imports.faults_reason')}>{reason(fault)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
