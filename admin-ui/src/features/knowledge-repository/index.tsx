import { BookOutlined, MailOutlined, MessageOutlined, PhoneOutlined } from '@ant-design/icons';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { helpCentreShow, helpCentreSignIn } from '../../generated/client/session/session';
import { useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import './help.css';

/**
 * Signs in at the help desk in a window of its own. The token travels in a form: an address would keep it.
 */
function enter(server: string, jwt: string, returnTo: string): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = server;
  form.target = '_blank';
  form.rel = 'noopener noreferrer';
  for (const [name, value] of [
    ['jwt', jwt],
    ['return_to', returnTo],
  ] as const) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/**
 * Four ways to help. The help desk is entered as oneself; its chat lies on its own pages, so none is promised
 * here.
 */
export default function Help() {
  const { t } = useTranslation();
  const { busy, work } = useWork();
  const query = useRead('helpCentreShow', () => helpCentreShow());
  if (query.isError)
    return (
      <>
        <PageHeader lead={t('help.lead')} />
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  if (query.isPending)
    return (
      <>
        <PageHeader lead={t('help.lead')} />
        <Loading />
      </>
    );
  const { live_chat, email, phone, knowledge_base_url } = query.data;

  const desk = () =>
    work(async () => {
      const { auth_server, jwt, default_return_to } = await helpCentreSignIn();
      enter(auth_server, jwt, default_return_to);
    });
  return (
    <>
      <PageHeader lead={t('help.lead')} />
      <div className="help-cards">
        <Way icon={<MessageOutlined />} name="desk">
          {live_chat && (
            <Button type="primary" loading={busy} onClick={() => void desk()}>
              {t('help.desk_open')}
            </Button>
          )}
        </Way>
        <Way icon={<MailOutlined />} name="email">
          {email && <Button href={`mailto:${email}`}>{email}</Button>}
        </Way>
        <Way icon={<BookOutlined />} name="knowledge">
          {knowledge_base_url && (
            <Button href={knowledge_base_url} target="_blank" rel="noopener noreferrer">
              {t('help.knowledge_open')}
            </Button>
          )}
        </Way>
        <Way icon={<PhoneOutlined />} name="phone">
          {phone && <Button href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</Button>}
        </Way>
      </div>
    </>
  );
}

/** One card; without an address it promises nothing but says that it is not set up here. */
function Way({
  icon,
  name,
  children,
}: {
  icon: ReactNode;
  name: 'desk' | 'email' | 'knowledge' | 'phone';
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <section className="card help-card" aria-labelledby={`help-${name}`}>
      <span className="help-icon" aria-hidden>
        {icon}
      </span>
      <h2 id={`help-${name}`}>{t(`help.${name}`)}</h2>
      {children ? (
        <>
          <p>{t(`help.${name}_text`)}</p>
          {children}
        </>
      ) : (
        <p className="help-none">{t('help.not_set_up')}</p>
      )}
    </section>
  );
}
