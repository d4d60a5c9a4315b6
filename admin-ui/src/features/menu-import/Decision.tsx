import { ReloadOutlined } from '@ant-design/icons';
import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MenuImport } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useImportCalls } from './api';
import { ToGuide, useFromGuide } from './guide';

type Work = ReturnType<typeof useInlineWork>;

interface Props {
  row: MenuImport;
  work: Work;
}

/** The counts of the import, and its button. */
export function Decision({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const work = useInlineWork();
  return (
    <Card title={t(row.status === 'ready' ? 'menu_imports.decide' : 'menu_imports.outcome')}>
      {work.error !== undefined && <Problem row={row} work={work} />}
      {row.status === 'ready' && <Ready row={row} work={work} />}
      {row.status === 'applied' && <Applied row={row} work={work} />}
      {row.status === 'undone' && <Undone row={row} />}
    </Card>
  );
}

/** An import that was read against an older menu is read again. */
function Problem({ row, work: { error, work } }: Props) {
  const { t } = useTranslation();
  const calls = useImportCalls();
  const refusal = error instanceof ApiError ? error : undefined;
  const changed = Array.isArray(refusal?.problem.changed) ? (refusal.problem.changed as string[]) : [];
  return (
    <ProblemAlert
      error={error}
      extra={
        changed.length > 0 ? (
          <p>{t('menu_imports.changed_since', { names: changed.join(', ') })}</p>
        ) : undefined
      }
      action={
        refusal?.code === 'MENU_IMPORT_OUTDATED' ? (
          <Button
            size="small"
            icon={<ReloadOutlined />}
            onClick={() => void work(() => calls.change(row.id, {}))}
          >
            {t('menu_imports.again')}
          </Button>
        ) : undefined
      }
    />
  );
}

/** What is counted, in the order in which it is read. */
const COUNT_KEYS = [
  'new_products',
  'new_sizes',
  'changed_sizes',
  'new_categories',
  'new_option_groups',
  'new_options',
  'changed_options',
] as const;

/** How many products, sizes, options and their groups are new or changed; what does not occur is left out. */
function useEffectText({ counts }: MenuImport): string {
  const { t } = useTranslation();
  const { number } = useFormat();
  if (!counts) return '';
  const found = COUNT_KEYS.filter((key) => counts[key] > 0);
  return found
    .map((key) => t(`menu_imports.effect.${key}`, { count: counts[key], n: number(counts[key]) }))
    .join(', ');
}

function Ready({ row, work: { busy, work } }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const calls = useImportCalls();
  const effect = useEffectText(row);
  const counts = row.counts!;
  const nothing = counts.new + counts.changed === 0;
  const apply = async () => {
    const left =
      row.skip_faulty && counts.faulty_rows > 0
        ? ` ${t('menu_imports.left_out', { n: number(counts.faulty_rows) })}`
        : '';
    const confirmed = await notify.confirm({
      title: t('menu_imports.apply_title'),
      effect: `${effect}.${left}`,
      verb: t('menu_imports.apply'),
      danger: false,
    });
    if (confirmed && (await work(() => calls.apply(row.id)))) notify.success(t('menu_imports.applied'));
  };
  return (
    <>
      {counts.faulty_rows > 0 && (
        <p>
          <Checkbox
            checked={row.skip_faulty}
            disabled={busy}
            onChange={(event) =>
              void work(() =>
                calls.change(row.id, { skip_faulty: event.target.checked, version: row.version }),
              )
            }
          >
            {t('menu_imports.skip_faulty', { n: number(counts.faulty_rows) })}
          </Checkbox>
        </p>
      )}
      <p className="mi-effect">{nothing ? t('menu_imports.nothing') : `${effect}.`}</p>
      <div className="mi-buttons">
        <Button
          type="primary"
          loading={busy}
          disabled={!row.can_apply || nothing}
          onClick={() => void apply()}
        >
          {t('menu_imports.apply')}
        </Button>
        {!row.can_apply && counts.faulty_rows > 0 && (
          <span className="mi-hint">{t('menu_imports.blocked')}</span>
        )}
        {!row.can_apply && counts.rows === 0 && <span className="mi-hint">{t('menu_imports.no_rows')}</span>}
      </div>
    </>
  );
}

function Applied({ row, work: { busy, work } }: Props) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const notify = useNotify();
  const calls = useImportCalls();
  const url = usePageUrl();
  const { fromGuide } = useFromGuide();
  const effect = useEffectText(row);
  const undo = async () => {
    const confirmed = await notify.confirm({
      title: t('menu_imports.undo_title'),
      effect: t('menu_imports.undo_effect'),
      verb: t('menu_imports.undo'),
    });
    if (confirmed && (await work(() => calls.undo(row.id)))) notify.success(t('menu_imports.undone'));
  };
  return (
    <>
      <p>
        {t('menu_imports.was_applied', { at: dateTime(row.applied_at), who: row.actor_name })}{' '}
        {effect && `${effect}.`}
      </p>
      <div className="mi-buttons">
        {fromGuide && <ToGuide primary />}
        <Link to={url('categories_and_products')}>
          <Button tabIndex={-1} type={fromGuide ? 'default' : 'primary'}>
            {t('menu_imports.to_menu')}
          </Button>
        </Link>
        {row.undo_until && (
          <Button danger loading={busy} onClick={() => void undo()}>
            {t('menu_imports.undo')}
          </Button>
        )}
        <span className="mi-hint">
          {row.undo_until
            ? t('menu_imports.undo_until', { at: dateTime(row.undo_until) })
            : t('menu_imports.undo_over')}
        </span>
      </div>
      <p className="mi-next">
        {t('menu_imports.next')} <Link to={url('ntak_menu')}>{t('menu_imports.next_ntak')}</Link>
        {' · '}
        <Link to={url('menu_health')}>{t('menu_imports.next_health')}</Link>
        {' · '}
        <Link to={url('menu_preview')}>{t('menu_imports.next_preview')}</Link>
      </p>
    </>
  );
}

function Undone({ row }: { row: MenuImport }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { open } = usePage();
  return (
    <>
      <p>{t('menu_imports.was_undone', { at: dateTime(row.undone_at) })}</p>
      <Button onClick={() => open()}>{t('menu_imports.another')}</Button>
    </>
  );
}
