import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  DownloadOutlined,
  SyncOutlined,
} from '@ant-design/icons';
import { Progress } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { Chip, type Tone } from '../../lib/ui/page';
import type { Work } from '../../lib/work';
import './work.css';

const LOOK: Record<Work['state'], [Tone, ReactNode]> = {
  waiting: ['neutral', <ClockCircleOutlined key="i" aria-hidden />],
  running: ['info', <SyncOutlined key="i" aria-hidden />],
  done: ['success', <CheckCircleOutlined key="i" aria-hidden />],
  failed: ['error', <CloseCircleOutlined key="i" aria-hidden />],
};

interface Props {
  work: Work;
  /** Beside the time when it was begun. */
  more?: string;
  /** Below: how it is done again. */
  children?: ReactNode;
  /** One of its links was taken. */
  onLeave?: () => void;
}

/** A long work in words: what it is, when it was begun, how far it is, and what came of it. */
export function WorkRow({ work, more, children, onLeave }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { title, about, startedAt, state, progress, result, error } = work;
  const [tone, icon] = LOOK[state];
  return (
    <li className="work">
      <span className="work-what">
        <strong>{title}</strong>
        {about && <span>{about}</span>}
        <span className="num">
          {format.dateTime(startedAt)}
          {more && ` · ${more}`}
        </span>
      </span>
      <span className="work-state">
        {state === 'running' && progress !== undefined ? (
          <Progress percent={progress} aria-label={`${t('long_work.state.running')}: ${title}`} />
        ) : (
          <Chip tone={tone} icon={icon}>
            {t(`long_work.state.${state}`)}
          </Chip>
        )}
        {result?.text && <span>{result.text}</span>}
        {error && <span className="work-error">{error}</span>}
        {result?.download && (
          <Button
            size="small"
            href={result.download}
            icon={<DownloadOutlined />}
            aria-label={`${t('long_work.download')}: ${title}`}
          >
            {t('long_work.download')}
          </Button>
        )}
        {result?.to && (
          <Link to={result.to.url} {...(onLeave && { onClick: onLeave })}>
            {result.to.text}
          </Link>
        )}
        {children}
      </span>
    </li>
  );
}
