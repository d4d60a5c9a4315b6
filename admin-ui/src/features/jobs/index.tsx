import { CaretRightOutlined } from '@ant-design/icons';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useSearchParams } from 'react-router';
import { jobsDelete, jobsRun, jobsRunFailed } from '../../generated/client/platform/platform';
import { type Column, ResourceList } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { ApiError } from '../../lib/http';
import { NONE, useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useForget } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { JobChip, JobDrawer, REFRESH_MS } from './JobDrawer';
import type { Job } from '../../generated/model';
import texts from './en';
import './jobs.css';
import { useWork } from '../../lib/ui/work';

/** The kinds that have a text. */
const KINDS = Object.keys(texts)
  .filter((key) => key.startsWith('jobs.kind.'))
  .map((key) => key.slice('jobs.kind.'.length));

const FIELDS = {
  kind: { kind: 'select', readonly: true, options: KINDS },
  state: { kind: 'select', readonly: true, options: ['failed', 'waiting', 'running'] },
  due: { kind: 'switch', readonly: true },
  attempts: { kind: 'integer', readonly: true },
  run_at: { kind: 'datetime', readonly: true },
  created_at: { kind: 'datetime', readonly: true },
} satisfies Fields;

/** The text of a job's kind, if there is one. */
function useJobName(): (kind: string) => string {
  const { t } = useTranslation();
  return (kind) => (i18next.exists(`jobs.kind.${kind}`) ? t(`jobs.kind.${kind}`) : kind);
}

/** Runs a job now or discards it, after a question; `close` closes its drawer. */
function useJobActions(close: () => void) {
  const { t } = useTranslation();
  const notify = useNotify();
  const forget = useForget();
  const nameOf = useJobName();
  const { busy, work } = useWork();
  const act = (what: 'run' | 'discard', job: Job) =>
    work(async () => {
      try {
        await (what === 'run' ? jobsRun(job.id) : jobsDelete(job.id));
        notify.success(t(what === 'run' ? 'jobs.started' : 'jobs.discarded', { name: nameOf(job.kind) }));
        close();
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'IN_USE')) throw error;
        notify.info(t('jobs.running_now'));
      } finally {
        await forget(['jobs']);
      }
    });
  const discard = async (job: Job) => {
    if (
      await notify.confirm({
        title: t('jobs.discard_title', { name: nameOf(job.kind) }),
        effect: t('jobs.discard_effect', { partner: job.partner_name ?? t('jobs.platform') }),
        verb: t('jobs.discard'),
      })
    )
      await act('discard', job);
  };
  return { busy, act, discard };
}

/** Runs all failed jobs of a kind again, after a question. */
function AllAgain({ kind }: { kind: string }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const forget = useForget();
  const { number } = useFormat();
  const { busy, work } = useWork();
  const name = useJobName()(kind);
  const run = () =>
    work(async () => {
      try {
        const { count } = await jobsRunFailed({ kind });
        notify.success(t('jobs.all_started', { total: number(count) }));
      } finally {
        await forget(['jobs']);
      }
    });
  const ask = async () => {
    if (
      await notify.confirm({
        title: t('jobs.all_again_title', { name }),
        effect: t('jobs.all_again_effect'),
        verb: t('jobs.again'),
        danger: false,
      })
    )
      await run();
  };
  return (
    <Button icon={<CaretRightOutlined />} loading={busy} onClick={() => void ask()}>
      {t('jobs.all_again')}
    </Button>
  );
}

function useColumns(): Column<Job>[] {
  const { t } = useTranslation();
  const url = usePageUrl();
  const nameOf = useJobName();
  return [
    { key: 'kind', render: (row) => nameOf(row.kind) },
    { key: 'state', render: (row) => <JobChip state={row.state} /> },
    {
      key: 'partner',
      title: t('jobs.partner_name'),
      render: (row) =>
        row.partner_id ? (
          <Link to={url('partner_page', row.partner_id)}>{row.partner_name}</Link>
        ) : (
          t('jobs.platform')
        ),
    },
    {
      key: 'last_error',
      title: t('jobs.last_error'),
      render: (row) => (
        <span className="job-error" title={row.last_error ?? undefined}>
          {row.last_error ?? NONE}
        </span>
      ),
    },
    { key: 'attempts', wideOnly: true },
    { key: 'run_at', wideOnly: true },
  ];
}

/** Background work of all partners. It opens with what failed: the rest looks after itself. */
export default function Jobs() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  const nameOf = useJobName();
  const columns = useColumns();
  const [params] = useSearchParams();
  const { busy, act, discard } = useJobActions(open);
  const [failed, kind] = [params.get('state') === 'failed', params.get('kind')];
  // What another release does has no text here, and may be asked for all the same.
  const fields = {
    ...FIELDS,
    kind: { ...FIELDS.kind, options: !kind || KINDS.includes(kind) ? KINDS : [...KINDS, kind] },
  };
  // Only once, so a cleared filter stays cleared.
  const [fresh, setFresh] = useState(params.size === 0 && path.length === 0);
  useEffect(() => {
    if (fresh && params.size > 0) setFresh(false);
  }, [fresh, params]);
  const states = params.getAll('state');
  // A state that there is not would be refused, and could not be chosen away.
  const wrong = states.length > 1 || states.some((state) => !FIELDS.state.options.includes(state as never));
  if ((fresh && params.size === 0) || wrong) return <Navigate to={{ search: '?state=failed' }} replace />;
  return (
    <>
      <ResourceList
        resource="jobs"
        fields={fields}
        refreshMs={REFRESH_MS}
        lead={t('jobs.lead')}
        actions={failed && kind && <AllAgain kind={kind} />}
        columns={columns}
        filters={['state', 'kind', 'due']}
        nameOf={(row) => nameOf(row.kind)}
        href={(row) => url('jobs', String(row.id)) + location.search}
        onOpen={(row) => open(String(row.id))}
      />
      {path[0] && (
        <JobDrawer
          id={path[0]}
          nameOf={nameOf}
          busy={busy}
          onRun={(job) => void act('run', job)}
          onDiscard={(job) => void discard(job)}
          onClose={() => open()}
        />
      )}
    </>
  );
}
