import { DesktopOutlined, MobileOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { MySession } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { useMe } from '../../lib/me';
import { Button } from '../../lib/ui/Button';
import { Card, Chip } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { ErrorState, Loading } from '../../lib/ui/states';
import { account, useReloadSessions, useSessions } from './api';
import { useWork } from '../../lib/ui/work';

/** Where one is signed in, and the end of it. */
export function SessionsCard() {
  const { t } = useTranslation();
  const notify = useNotify();
  const me = useMe();
  const sessions = useSessions();
  const reload = useReloadSessions();
  const { doing: ending, work } = useWork<string>();
  const others = sessions.data?.filter((session) => !session.current).length ?? 0;

  const end = (which: string, call: () => Promise<void>, message: string) =>
    work(async () => {
      try {
        await call();
        notify.success(message);
      } finally {
        await reload();
      }
    }, which);
  const endOthers = async () => {
    if (
      await notify.confirm({
        title: t('account.end_others_ask'),
        effect: t('account.end_others_effect', { count: others }),
        verb: t('account.end_others'),
      })
    ) {
      await end('others', account.endOthers, t('account.ended_others'));
    }
  };
  return (
    <Card
      title={t('account.sessions')}
      extra={
        others > 0 &&
        me.changeable && (
          <Button danger loading={ending === 'others'} onClick={() => void endOthers()}>
            {t('account.end_others')}
          </Button>
        )
      }
    >
      {sessions.isError && !sessions.data && (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      )}
      {sessions.isLoading && <Loading rows={4} />}
      <ul className="account-sessions">
        {sessions.data?.map((session) => (
          <Session
            key={session.id}
            session={session}
            ending={ending === session.id}
            onEnd={() =>
              void end(
                session.id,
                () => account.endSession(session.id),
                t('account.ended', { device: session.device }),
              )
            }
          />
        ))}
      </ul>
    </Card>
  );
}

function Session({ session, ending, onEnd }: { session: MySession; ending: boolean; onEnd: () => void }) {
  const { t } = useTranslation();
  const { ago, dateTime } = useFormat();
  const Icon = /android|iphone|ipad|mobile/i.test(session.user_agent) ? MobileOutlined : DesktopOutlined;
  return (
    <li>
      <Icon className="account-device" aria-hidden />
      <div>
        <p>
          <b>{session.device}</b> <span>{t(`account.surface.${session.surface}`)}</span>{' '}
          {session.current && <Chip tone="success">{t('account.this_one')}</Chip>}
        </p>
        <p className="account-soft">
          {session.same_network && !session.current && (
            <>
              {t('account.same_network')}
              <br />
            </>
          )}
          {t('account.active', {
            when: session.current ? t('account.now') : ago(session.last_active_at),
          })}{' '}
          · {t('account.since', { when: dateTime(session.created_at) })}
        </p>
      </div>
      {!session.current && (
        <Button loading={ending} aria-label={t('account.end_of', { device: session.device })} onClick={onEnd}>
          {t('account.end')}
        </Button>
      )}
    </li>
  );
}
