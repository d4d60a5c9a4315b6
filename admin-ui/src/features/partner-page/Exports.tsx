import { CloudDownloadOutlined, ExportOutlined } from '@ant-design/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { Alert, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog, type PlainColumn, PlainRows, useInputForm } from '../../lib/crud';
import { useTextRules } from '../../lib/form/useTextRules';
import { NONE, useFormat } from '../../lib/format';
import { REASON } from '../../lib/support/api';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { type Export, EXPORT_TONE } from '../partners/api';
import './partner.css';

export const isMade = (row: Export) => row.status === 'waiting' || row.status === 'running';

interface Props {
  query: UseQueryResult<Export[]>;
  start: (reason: string) => Promise<unknown>;
  /** The reason is asked first: the company that is exported can read it. */
  reasonRequired?: boolean;
  /** None can be ordered now. */
  blocked?: boolean;
  /** Text while there are none. */
  empty: string;
}

/** Archives of a whole company: ordered, made by a job, downloaded while they last. */
export function Exports({ query, start, reasonRequired = false, blocked = false, empty }: Props) {
  const { t } = useTranslation();
  const columns = useColumns();
  const { busy: ordering, work } = useWork();
  const [dialogOpen, setDialogOpen] = useState(false);
  const order = () =>
    reasonRequired
      ? setDialogOpen(true)
      : void work(async () => {
          await start('');
          await query.refetch();
        });
  const rows = query.data ?? [];
  const button = (
    <Button
      icon={<ExportOutlined />}
      loading={ordering}
      disabled={rows.some(isMade) || blocked}
      onClick={order}
    >
      {t('partner_page.export')}
    </Button>
  );
  return (
    <>
      {dialogOpen && (
        <ReasonDialog
          start={start}
          onClose={() => setDialogOpen(false)}
          onDone={() => {
            setDialogOpen(false);
            void query.refetch();
          }}
        />
      )}
      <Card flush title={t('partner_page.exports')} extra={rows.length > 0 && button} className="list-card">
        {query.isError && !query.data ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.isLoading ? (
          <Loading rows={3} />
        ) : rows.length === 0 ? (
          <EmptyState title={t('partner_page.no_exports_title')} text={empty} actions={button} />
        ) : (
          <PlainRows
            rows={rows}
            rowKey={(row) => row.id}
            columns={columns}
            rowActions={(row) => row.download_url && <Download row={row} />}
          />
        )}
      </Card>
    </>
  );
}

function useColumns(): PlainColumn<Export>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return [
    {
      key: 'created_at',
      title: t('field.created_at'),
      render: (row) => <span className="num">{format.dateTime(row.created_at)}</span>,
    },
    {
      key: 'status',
      title: t('partners.status'),
      render: (row) => (
        <span aria-live="polite">
          <Chip tone={EXPORT_TONE[row.status]}>{t(`partner_page.export.${row.status}`)}</Chip>
          {row.error && <p className="partner-error">{row.error}</p>}
        </span>
      ),
    },
    {
      key: 'size',
      align: 'right',
      title: t('partners.size_bytes'),
      wideOnly: true,
      render: (row) => <span className="num">{format.size(row.size_bytes)}</span>,
    },
    {
      key: 'expires_at',
      title: t('partner_page.expires'),
      render: (row) => (
        <>
          <span className="num">{format.dateTime(row.expires_at)}</span>
          {row.status === 'ready' && !row.download_url && (
            <span className="partner-others">{t('partner_page.export_others')}</span>
          )}
        </>
      ),
    },
    {
      key: 'reason',
      title: t('partner_page.export_why'),
      render: (row) => (row.reason === null ? NONE : <span className="partner-reason">{row.reason}</span>),
    },
  ];
}

function Download({ row }: { row: Export }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Button
      href={row.download_url!}
      icon={<CloudDownloadOutlined />}
      aria-label={t('partner_page.download_of', { at: format.dateTime(row.created_at) })}
    >
      {t('partner_page.download')}
    </Button>
  );
}

/** Orders an export. The company sees the reason, because all its data leave the service. */
function ReasonDialog({
  start,
  onClose,
  onDone,
}: {
  start: Props['start'];
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  const action = useInputForm<{ reason: string }, unknown>({
    send: ({ reason }) => start(reason.trim()),
    onDone,
  });
  const rules = [
    filled,
    {
      min: REASON.min,
      transform: (value: string | undefined) => value?.trim(),
      message: t('form.min_length', { min: REASON.min }),
    },
    max(REASON.max),
  ];
  return (
    <ActionDialog
      action={action}
      title={t('partner_page.export')}
      verb={t('partner_page.export')}
      onClose={onClose}
    >
      <Alert type="info" showIcon className="page-alert" title={t('partner_page.export_told')} />
      <Form.Item name="reason" label={t('support.reason')} rules={rules} validateTrigger="onBlur">
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
    </ActionDialog>
  );
}
