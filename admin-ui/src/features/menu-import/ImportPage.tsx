import { ReloadOutlined } from '@ant-design/icons';
import { Alert, Checkbox, Progress } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuImport } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading, ProblemAlert } from '../../lib/ui/states';
import { useNotify } from '../../lib/ui/notify';
import { Link } from 'react-router';
import { busy, useImport, useImportCalls } from './api';
import { Columns } from './Columns';
import { Faults } from './Faults';
import { ToGuide, useFromGuide } from './guide';
import { Lines } from './Lines';
import { StatusChip } from './StatusChip';

/** One import: its columns, its faults, the difference, and the button that writes it or takes it back. */
export function ImportPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const found = useImport(id);
  const row = found.data;
  if (found.isError && !row)
    return (
      <>
        <PageHeader />
        <Card>
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        </Card>
      </>
    );
  if (!row)
    return (
      <>
        <PageHeader />
        <Card>
          <Loading rows={6} />
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
      {/* Anew with other columns only: what somebody has opened stays open when faulty rows are left out. */}
      {ready && (
        <Columns key={JSON.stringify([row.sheet, row.header_row, row.columns])} row={row} open={unmapped} />
      )}
      {/* Before the lists: below some hundred rows nobody finds the button. */}
      {row.counts && !unmapped && <Decision row={row} />}
      {(row.counts?.faults ?? 0) > 0 && <Faults row={row} />}
      {row.counts && !unmapped && <Lines row={row} />}
    </div>
  );
}

/** What will happen, in numbers, and the one button. */
function Decision({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const notify = useNotify();
  const calls = useImportCalls();
  const { open } = usePage();
  const url = usePageUrl();
  const { fromGuide } = useFromGuide();
  const [working, setWorking] = useState(false);
  const [error, setError] = useState<unknown>();
  const counts = row.counts!;
  const n = (value: number) => format.number(value);
  const effect = [
    t('menu_imports.effect', {
      new: n(counts.new),
      changed: n(counts.changed),
      categories: n(counts.new_categories),
    }),
    counts.new_option_groups > 0 ? t('menu_imports.effect_groups', { n: n(counts.new_option_groups) }) : '',
  ]
    .join(' ')
    .trim();
  const run = async (work: () => Promise<unknown>, done?: string) => {
    setWorking(true);
    setError(undefined);
    try {
      await work();
      if (done) notify.success(done);
    } catch (problem) {
      setError(problem);
    } finally {
      setWorking(false);
    }
  };
  const apply = async () => {
    const left =
      row.skip_faulty && counts.faulty_rows > 0
        ? ` ${t('menu_imports.left_out', { n: n(counts.faulty_rows) })}`
        : '';
    if (
      !(await notify.confirm({
        title: t('menu_imports.apply_title'),
        effect: `${effect}${left}`,
        verb: t('menu_imports.apply'),
        danger: false,
      }))
    )
      return;
    await run(() => calls.apply(row.id), t('menu_imports.applied'));
  };
  const undo = async () => {
    if (
      !(await notify.confirm({
        title: t('menu_imports.undo_title'),
        effect: t('menu_imports.undo_effect'),
        verb: t('menu_imports.undo'),
      }))
    )
      return;
    await run(() => calls.undo(row.id), t('menu_imports.undone'));
  };
  const outdated = error instanceof ApiError && error.code === 'MENU_IMPORT_OUTDATED';
  const changed =
    error instanceof ApiError && Array.isArray(error.problem.changed)
      ? (error.problem.changed as string[])
      : [];
  return (
    <Card title={t(row.status === 'ready' ? 'menu_imports.decide' : 'menu_imports.outcome')}>
      {error !== undefined && (
        <ProblemAlert
          error={error}
          extra={
            changed.length > 0 ? (
              <p>{t('menu_imports.changed_since', { names: changed.join(', ') })}</p>
            ) : undefined
          }
          action={
            outdated ? (
              <Button
                size="small"
                icon={<ReloadOutlined />}
                onClick={() => void run(() => calls.change(row.id, {}))}
              >
                {t('menu_imports.again')}
              </Button>
            ) : undefined
          }
        />
      )}
      {row.status === 'ready' && (
        <>
          {counts.faulty_rows > 0 && (
            <p>
              <Checkbox
                checked={row.skip_faulty}
                disabled={working}
                onChange={(event) =>
                  void run(() =>
                    calls.change(row.id, { skip_faulty: event.target.checked, version: row.version }),
                  )
                }
              >
                {t('menu_imports.skip_faulty', { n: n(counts.faulty_rows) })}
              </Checkbox>
            </p>
          )}
          <p className="mi-effect">
            {counts.new + counts.changed === 0 ? t('menu_imports.nothing') : effect}
          </p>
          <div className="mi-buttons">
            <Button
              type="primary"
              loading={working}
              disabled={!row.can_apply || counts.new + counts.changed === 0}
              onClick={() => void apply()}
            >
              {t('menu_imports.apply')}
            </Button>
            {!row.can_apply && counts.faulty_rows > 0 && (
              <span className="mi-hint">{t('menu_imports.blocked')}</span>
            )}
            {!row.can_apply && counts.rows === 0 && (
              <span className="mi-hint">{t('menu_imports.no_rows')}</span>
            )}
          </div>
        </>
      )}
      {row.status === 'applied' && (
        <>
          <p>
            {t('menu_imports.was_applied', { at: format.dateTime(row.applied_at), who: row.actor_name })}{' '}
            {effect}
          </p>
          <div className="mi-buttons">
            {fromGuide && <ToGuide primary />}
            <Link to={url('categories_and_products')}>
              <Button tabIndex={-1} type={fromGuide ? 'default' : 'primary'}>
                {t('menu_imports.to_menu')}
              </Button>
            </Link>
            {row.undo_until && (
              <Button danger loading={working} onClick={() => void undo()}>
                {t('menu_imports.undo')}
              </Button>
            )}
            <span className="mi-hint">
              {row.undo_until
                ? t('menu_imports.undo_until', { at: format.dateTime(row.undo_until) })
                : t('menu_imports.undo_over')}
            </span>
          </div>
        </>
      )}
      {row.status === 'undone' && (
        <>
          <p>{t('menu_imports.was_undone', { at: format.dateTime(row.undone_at) })}</p>
          <Button onClick={() => open()}>{t('menu_imports.another')}</Button>
        </>
      )}
    </Card>
  );
}
