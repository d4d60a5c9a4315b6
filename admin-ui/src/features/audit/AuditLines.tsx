import {
  ApiOutlined,
  HistoryOutlined,
  SafetyCertificateOutlined,
  ScheduleOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { Chip } from '../../lib/ui/page';
import { CopyButton } from '../../lib/ui/states';
import { type AuditLine, changesOf, listChange } from './model';
import { useFieldTexts, useWords, type Words } from './words';
import './audit.css';

/** Fields shown at once; the others are folded. */
const SHOWN_FIELDS = 4;
const ICONS: Record<string, ReactNode> = {
  admin: <UserOutlined aria-hidden />,
  support: <SafetyCertificateOutlined aria-hidden />,
  api_key: <ApiOutlined aria-hidden />,
  job: <ScheduleOutlined aria-hidden />,
};

/**
 * Lines of the log: when, who, what, and each field before and after. `onRecord` offers the history of a
 * line's record; `places`: lines of several restaurants or partners.
 */
export function AuditLines<L extends AuditLine>({
  rows,
  places = false,
  onRecord,
  actions,
}: {
  rows: readonly L[];
  places?: boolean;
  onRecord?: (line: L) => void;
  /** Below the changes of a line. */
  actions?: (line: L) => ReactNode;
}) {
  const named = useFieldTexts(rows.map((row) => row.action));
  // Computed once for all lines, because it is the same for each.
  const words = useWords(
    rows.flatMap((row) => changesOf(row.action, row.details).map((change) => change.field)),
    useMemo(() => rows.flatMap((row) => row.names ?? []), [rows]),
  );
  return (
    // Names as the service has them are nobody's language: their room is kept until their texts are there.
    <ol className="audit" data-named={named}>
      {rows.map((row) => (
        <Line key={row.id} row={row} words={words} places={places} onRecord={onRecord} actions={actions} />
      ))}
    </ol>
  );
}

function Line<L extends AuditLine>({
  row,
  words,
  places,
  onRecord,
  actions,
}: {
  row: L;
  words: Words;
  places: boolean;
  onRecord?: ((line: L) => void) | undefined;
  actions?: ((line: L) => ReactNode) | undefined;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const changes = changesOf(row.action, row.details);
  const what = words.action(row.action);
  return (
    <li>
      <time className="num" dateTime={row.at}>
        {format.dateTime(row.at)}
      </time>
      <div className="audit-what">
        <p>
          <b>{what}</b>
          {onRecord && row.record_name && !changes.some((change) => change.field === 'name') && (
            <span className="audit-name">{row.record_name}</span>
          )}
          {places && (row.restaurant_name ?? row.partner_name) && (
            <span className="audit-place">{row.restaurant_name ?? row.partner_name}</span>
          )}
        </p>
        {changes.length > 0 && (
          <Changes action={row.action} changes={changes.slice(0, SHOWN_FIELDS)} words={words} />
        )}
        {changes.length > SHOWN_FIELDS && (
          <details>
            <summary>{t('audit.more_fields', { count: changes.length - SHOWN_FIELDS })}</summary>
            <Changes action={row.action} changes={changes.slice(SHOWN_FIELDS)} words={words} />
          </details>
        )}
        {actions?.(row)}
      </div>
      <div className="audit-who">
        <span className="audit-actor">
          {row.actor_kind === 'support' ? (
            <Chip tone="violet" icon={ICONS.support}>
              {t('audit.kind.support')}
            </Chip>
          ) : (
            <span title={t([`audit.kind.${row.actor_kind}`, 'audit.kind.admin'])}>
              {ICONS[row.actor_kind]}
            </span>
          )}{' '}
          {row.actor_name || t('audit.nobody')}
        </span>
        <span className="audit-tools">
          {onRecord && row.record_id && (
            <Button
              type="text"
              size="small"
              icon={<HistoryOutlined />}
              aria-label={t('audit.record_of', { what, at: format.dateTime(row.at) })}
              onClick={() => onRecord(row)}
            />
          )}
          {row.request_id && (
            <CopyButton text={row.request_id} label={t('audit.copy_request', { id: row.request_id })} />
          )}
        </span>
      </div>
    </li>
  );
}

function Changes({
  action,
  changes,
  words,
}: {
  action: string;
  changes: ReturnType<typeof changesOf>;
  words: Words;
}) {
  return (
    <dl className="audit-changes">
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{words.field(change.field, action)}</dt>
          <dd>
            {'value' in change ? (
              words.value(change.value, change.field, action)
            ) : (
              <Difference
                before={change.before}
                after={change.after}
                say={(value) => words.value(value, change.field, action)}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Old and new value; for a list only removed and added values. */
function Difference({
  before,
  after,
  say,
}: {
  before: unknown;
  after: unknown;
  say: (value: unknown) => string;
}) {
  const { t } = useTranslation();
  const list = listChange(before, after);
  if (list) {
    return (
      <>
        {list.gone.length > 0 && (
          <del>
            <span className="sr-only">{t('audit.gone')} </span>
            {say(list.gone)}
          </del>
        )}
        {list.gone.length > 0 && list.come.length > 0 && ' '}
        {list.come.length > 0 && (
          <ins>
            <span aria-hidden>+ </span>
            <span className="sr-only">{t('audit.come')} </span>
            {say(list.come)}
          </ins>
        )}
      </>
    );
  }
  return (
    <>
      <del>
        <span className="sr-only">{t('audit.before')} </span>
        {say(before)}
      </del>
      <span aria-hidden> → </span>
      <ins>
        <span className="sr-only">{t('audit.after')} </span>
        {say(after)}
      </ins>
    </>
  );
}
