import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { useWork } from '../../lib/ui/work';
import { usePeople } from './api';
import { StatusChip } from './parts';
import type { Editor } from './rights';
import type { Admin } from './types';

interface Props {
  row: Admin;
  editor: Editor;
  locked: boolean;
}

/** State of the account, its dates, and the actions on it. */
export function StatusCard(props: Props) {
  const { t } = useTranslation();
  const { row } = props;
  const actions = useAccountActions(props);
  return (
    <Card title={t('users.state')} extra={<StatusChip status={row.status} />}>
      {row.status !== 'active' && <p className="edit-lead">{t(`users.state_text.${row.status}`)}</p>}
      <SignInFacts row={row} />
      {actions.length > 0 && <div className="users-actions">{actions}</div>}
    </Card>
  );
}

function SignInFacts({ row }: { row: Admin }) {
  const { t } = useTranslation();
  const { ago, dateTime } = useFormat();
  const facts: [string, ReactNode][] = [
    [t('users.signs_in'), t(`users.provider.${row.provider}`)],
    [t('users.second_factor'), t(row.second_factor ? 'tri.yes' : 'tri.no')],
    [
      t('field.last_active_at'),
      row.last_active_at ? (
        <span key="a" title={dateTime(row.last_active_at)}>
          {ago(row.last_active_at)}
        </span>
      ) : (
        t('users.never')
      ),
    ],
    [
      t('field.created_at'),
      <span className="num" key="c">
        {dateTime(row.created_at)}
      </span>,
    ],
  ];
  return (
    <dl className="users-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The buttons: what the account's state and the editor's rights allow. */
function useAccountActions({ row, editor, locked }: Props): ReactNode[] {
  const { t } = useTranslation();
  const notify = useNotify();
  const people = usePeople();
  const { doing, work } = useWork<string>();

  const act = (what: string, call: () => Promise<void>, message: string) =>
    work(async () => {
      await call();
      notify.success(message);
      await people.refresh();
    }, what);
  const name = row.name || row.email;
  const endSessions = async () => {
    if (
      await notify.confirm({
        title: t('users.end_sessions_ask', { name }),
        effect: t('users.end_sessions_effect'),
        verb: t('users.end_sessions'),
      })
    )
      await act('sessions', () => people.endSessions(row.id), t('users.sessions_ended'));
  };
  const dropSecondFactor = async () => {
    if (
      await notify.confirm({
        title: t('users.second_factor_ask', { name }),
        effect: t('users.second_factor_effect'),
        verb: t('users.second_factor_drop'),
      })
    )
      await act('factor', () => people.dropSecondFactor(row.uid!), t('users.second_factor_dropped'));
  };
  const button = (what: string, label: string, run: () => void, danger = false): ReactNode => (
    <Button
      key={what}
      danger={danger}
      loading={doing === what}
      disabled={doing !== undefined && doing !== what}
      onClick={run}
    >
      {label}
    </Button>
  );
  if (locked) return [];
  return [
    row.status === 'invited' &&
      button(
        'invite',
        t('users.invite_again'),
        () => void act('invite', () => people.invite(row.id), t('users.invited_again', { email: row.email })),
      ),
    row.status === 'locked' &&
      button(
        'unlock',
        t('users.unlock'),
        () => void act('unlock', () => people.unlock(row.id), t('users.unlocked')),
      ),
    (row.status === 'active' || row.status === 'locked') &&
      button('sessions', t('users.end_sessions'), () => void endSessions()),
    editor.superAdmin &&
      row.second_factor &&
      row.uid &&
      button('factor', t('users.second_factor_drop'), () => void dropSecondFactor(), true),
  ].filter(Boolean);
}
