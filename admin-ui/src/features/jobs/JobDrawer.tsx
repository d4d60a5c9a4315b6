import {
  CaretRightOutlined,
  ClockCircleOutlined,
  DeleteOutlined,
  LoadingOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { jobsGet } from '../../generated/client/platform/platform';
import { useFormat } from '../../lib/format';
import { isMissing } from '../../lib/http';
import { readKey, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { Chip, Facts } from '../../lib/ui/page';
import { CopyButton, EmptyState, ErrorState, Loading } from '../../lib/ui/states';
import { SideDrawer } from '../../lib/ui/SideDrawer';
import '../../lib/crud/form.css';
import type { Job } from '../../generated/model';

const ICONS = {
  failed: <WarningOutlined aria-hidden />,
  waiting: <ClockCircleOutlined aria-hidden />,
  running: <LoadingOutlined aria-hidden />,
};
const TONES = { failed: 'error', waiting: 'neutral', running: 'info' } as const;

export function JobChip({ state }: { state: Job['state'] }) {
  const { t } = useTranslation();
  return (
    <Chip tone={TONES[state]} icon={ICONS[state]}>
      {t(`jobs.state.${state}`)}
    </Chip>
  );
}

/** As often as the operator's console renews itself. ms */
export const REFRESH_MS = 10_000;

const isNumber = (id: string): boolean => /^\d{1,15}$/.test(id);

/** Before its time it would find nothing to do, so the service lets it wait. */
const isPlanned = (job: Job): boolean =>
  job.state === 'waiting' && job.attempts === 0 && Date.parse(job.run_at) > Date.now();

interface Props {
  id: string;
  nameOf: (kind: string) => string;
  busy: boolean;
  onRun: (job: Job) => void;
  onDiscard: (job: Job) => void;
  onClose: () => void;
}

/** One job with its whole error. */
export function JobDrawer({ id, nameOf, busy, onRun, onDiscard, onClose }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, isLoading, refetch } = useRead(
    readKey('jobsGet', id),
    ({ signal }) => jobsGet(Number(id), { signal }),
    {
      // An address that is no number names no job.
      enabled: isNumber(id),
      refetchInterval: REFRESH_MS,
    },
  );
  const missing = isMissing(error);
  // What was read last is no longer there.
  const job = missing ? undefined : data;
  return (
    <SideDrawer
      title={job ? nameOf(job.kind) : t('jobs.one')}
      onClose={onClose}
      footer={
        job && (
          <div className="form-buttons">
            <Button
              danger
              icon={<DeleteOutlined />}
              disabled={busy || job.state === 'running'}
              onClick={() => onDiscard(job)}
            >
              {t('jobs.discard')}
            </Button>
            <span className="form-buttons-gap" />
            {!isPlanned(job) && (
              <Button
                type="primary"
                icon={<CaretRightOutlined />}
                loading={busy}
                disabled={job.state === 'running'}
                onClick={() => onRun(job)}
              >
                {t(job.state === 'failed' ? 'jobs.again' : 'jobs.now')}
              </Button>
            )}
          </div>
        )
      }
    >
      {isLoading ? (
        <Loading rows={4} />
      ) : error && !missing && !job ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !job ? (
        <EmptyState title={t('jobs.gone')} text={t('jobs.gone_text')} />
      ) : (
        <div className="page-cards">
          <Facts
            rows={[
              [t('jobs.state'), <JobChip key="state" state={job.state} />],
              [t('jobs.partner_name'), job.partner_name ?? t('jobs.platform')],
              [t('jobs.attempts'), format.number(job.attempts)],
              [t('jobs.run_at'), format.dateTime(job.run_at)],
              [t('field.created_at'), format.dateTime(job.created_at)],
              [t('jobs.kind'), <code key="kind">{job.kind}</code>],
            ]}
          />
          {job.last_error && (
            <section>
              <div className="job-error-head">
                <h3>{t('jobs.last_error')}</h3>
                <CopyButton text={job.last_error} label={t('action.copy')} />
              </div>
              <pre className="job-error-whole" tabIndex={0}>
                {job.last_error}
              </pre>
            </section>
          )}
        </div>
      )}
    </SideDrawer>
  );
}
