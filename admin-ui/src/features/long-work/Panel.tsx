import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../lib/ui/Button';
import { Loading } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import type { Work } from '../../lib/work';
import { nameOf } from './useNews';
import type { Works } from './useWorks';
import { WorkRow } from './WorkRow';

interface Props {
  all: Works;
  /** The id of the one that is begun anew just now. */
  busy: string | undefined;
  onAgain: (work: Work) => void;
  onLeave: () => void;
}

/** The own works of the last day. */
export function Panel({ all: { works, settled, incomplete, reread }, busy, onAgain, onLeave }: Props) {
  const { t } = useTranslation();
  const reading = useWork();
  return (
    <>
      {works.length > 0 && (
        <ul className="works" aria-label={t('long_work.title')}>
          {works.map((work) => (
            <WorkRow key={work.id} work={work} onLeave={onLeave}>
              <Again work={work} busy={busy} onAgain={onAgain} onLeave={onLeave} />
            </WorkRow>
          ))}
        </ul>
      )}
      {!settled && works.length === 0 && <Loading rows={3} />}
      {settled && !incomplete && works.length === 0 && <p className="tray-note">{t('long_work.empty')}</p>}
      {incomplete && (
        <div className="tray-note">
          {t('long_work.incomplete')}
          <Button size="small" loading={reading.busy} onClick={() => void reading.work(reread)}>
            {t('action.retry')}
          </Button>
        </div>
      )}
    </>
  );
}

function Again({ work, busy, onAgain, onLeave }: Omit<Props, 'all'> & { work: Work }) {
  const { t } = useTranslation();
  const { retry } = work;
  if (!retry) return null;
  if ('url' in retry)
    return (
      <Link to={retry.url} onClick={onLeave}>
        {retry.text}
      </Link>
    );
  return (
    <Button
      size="small"
      loading={busy === work.id}
      aria-label={`${t('action.retry')}: ${nameOf(work)}`}
      onClick={() => onAgain(work)}
    >
      {t('action.retry')}
    </Button>
  );
}
