import {
  CheckOutlined,
  CompassOutlined,
  CopyOutlined,
  InboxOutlined,
  LockOutlined,
  SearchOutlined,
  WarningOutlined,
} from '@ant-design/icons';
import { Alert, Skeleton, Tooltip } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { featureByKey } from '../features';
import type { Language } from '../format';
import { useAfter, useNow } from '../hooks';
import { isMissing } from '../http';
import { usePage, usePageUrl } from '../navigation';
import { explain } from '../problem';
import { waitUnit } from '../wait';
import { Button } from './Button';

interface StateProps {
  icon?: ReactNode;
  title: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
  tone?: 'error';
}

/** The frame of empty, error and no-access states. */
export function State({ icon, title, text, actions, tone }: StateProps) {
  return (
    <div
      className={`state ${tone === 'error' ? 'state-error' : ''}`}
      role={tone === 'error' ? 'alert' : undefined}
    >
      <span className="state-icon" aria-hidden>
        {icon}
      </span>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {actions && <div className="state-actions">{actions}</div>}
    </div>
  );
}

/** An empty list: its purpose, and one action. The icon is the screen's own unless given. */
export function EmptyState(props: Omit<StateProps, 'tone'>) {
  const Icon = usePage().feature?.icon ?? InboxOutlined;
  return <State icon={<Icon />} {...props} />;
}

/** Rows exist, but none fits the filters. */
export function NothingMatches({ onClear, filters }: { onClear: () => void; filters?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <State
      icon={<SearchOutlined />}
      title={t('state.no_match')}
      text={filters ?? t('state.no_match_text')}
      actions={<Button onClick={onClear}>{t('action.clear_filters')}</Button>}
    />
  );
}

export function NoPermission({ actions }: { actions?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <State
      icon={<LockOutlined />}
      title={t('state.no_access')}
      text={t('state.no_access_text')}
      actions={actions}
    />
  );
}

/** Reading failed: what happened, the number for support, and another try. */
export function ErrorState({
  error,
  onRetry,
  more,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
  more?: ReactNode;
}) {
  const { t } = useTranslation();
  const { text, requestId } = explain(error);
  if (isMissing(error)) return <Missing text={text} />;
  return (
    <State
      tone="error"
      icon={<WarningOutlined />}
      title={t('state.failed')}
      text={text}
      actions={
        <>
          {onRetry && (
            <Button type="primary" onClick={onRetry}>
              {t('action.retry')}
            </Button>
          )}
          {more}
          <RequestId id={requestId} />
        </>
      }
    />
  );
}

/** What the address names is not there; the way back is the list that it would stand in. */
function Missing({ text }: { text: string }) {
  const { t, i18n } = useTranslation();
  const url = usePageUrl();
  const { feature } = usePage();
  const list = feature && featureByKey(feature.parent ?? feature.key);
  return (
    <State
      icon={<CompassOutlined />}
      title={t('state.missing')}
      text={text}
      actions={
        list && (
          <Link to={url(list.key)}>
            <Button type="primary" tabIndex={-1}>
              {t('state.back_to', { title: list.title[i18n.language as Language] })}
            </Button>
          </Link>
        )
      }
    />
  );
}

export function RequestId({ id }: { id?: string | undefined }) {
  const { t } = useTranslation();
  if (!id) return null;
  return (
    <span className="request-id">
      {t('problem.request_id')} <code>{id}</code> <CopyButton text={id} label={t('action.copy')} />
    </span>
  );
}

/**
 * A failed call beside a form; `keys` are the refused fields that no input of the form stands for.
 * Dismissible, counts down when the service asks to wait.
 */
export function ProblemAlert({
  error,
  extra,
  keys = [],
  onClose,
  action,
}: {
  error: unknown;
  extra?: ReactNode;
  keys?: readonly string[];
  onClose?: () => void;
  action?: ReactNode;
}) {
  const { t } = useTranslation();
  const { text, requestId, retryAfter } = explain(error);
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={text}
      action={action}
      closable={onClose ? { onClose, 'aria-label': t('action.close') } : false}
      description={
        extra || requestId || retryAfter || keys.length ? (
          <>
            {extra}
            {keys.length > 0 && <p>{t('problem.keys', { keys: keys.join(', ') })}</p>}
            {retryAfter ? <Countdown seconds={retryAfter} /> : null}
            <RequestId id={requestId} />
          </>
        ) : undefined
      }
      style={{ marginBottom: 16 }}
    />
  );
}

function Countdown({ seconds }: { seconds: number }) {
  const { t } = useTranslation();
  const [end] = useState(() => Date.now() + seconds * 1000);
  const left = Math.max(0, Math.ceil((end - useNow(500)) / 1000));
  const { unit, n } = waitUnit(left);
  return (
    <p>{left > 0 ? t('problem.wait', { time: t(`problem.wait_${unit}`, { n }) }) : t('problem.wait_over')}</p>
  );
}

/** Copies a text and shows a notice. */
export function CopyButton({
  text,
  label,
  children,
  type,
}: {
  text: string;
  label: string;
  children?: ReactNode;
  type?: 'primary';
}) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void copyText(text).then(() => setCopied(true));
  return (
    <Tooltip title={copied ? t('state.copied') : children ? undefined : label}>
      <Button
        size={children ? 'middle' : 'small'}
        type={type ?? (children ? 'default' : 'text')}
        icon={copied ? <CheckOutlined /> : <CopyOutlined />}
        aria-label={children ? undefined : label}
        onClick={copy}
      >
        {children}
      </Button>
      <span className="sr-only" aria-live="polite">
        {copied ? t('state.copied') : ''}
      </span>
    </Tooltip>
  );
}

/** The clipboard API exists only in secure contexts; a tablet on plain http in the house gets the old way. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Grey lines in the place of a table or form; not before 150 ms. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation();
  const shown = useAfter(150);
  return (
    <div role="status" aria-label={t('state.loading')} style={{ padding: 20, minHeight: 160 }}>
      {shown && (
        <Skeleton
          active
          title={false}
          paragraph={{ rows, width: Array.from({ length: rows }, (_, i) => (i % 3 === 2 ? '70%' : '100%')) }}
        />
      )}
    </div>
  );
}

/** The states of a query: loading, error, data. */
interface Query {
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** In place of what is read: that it could not be read, with another try, or that it is on its way. */
export function QueryFallback({ query, rows }: { query: Query; rows?: number }) {
  return query.isError ? (
    <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <Loading {...(rows === undefined ? {} : { rows })} />
  );
}
