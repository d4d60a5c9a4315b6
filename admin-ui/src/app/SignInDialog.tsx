import { Button, Input, Modal } from 'antd';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../lib/session';
import { suspendGuards } from '../lib/unsaved';
import { ProblemAlert } from '../lib/ui/states';
import { loginAddress } from './start';

/** The session ended in the middle of work: sign in here, and the call is repeated with nothing lost. */
export default function SignInDialog({ done }: { done: (signedIn: boolean) => void }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(() => session.get()?.email ?? '');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const before = session.get()?.id;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const me = await session.signIn(email.trim(), password);
      // Somebody else at this till: nothing of the page belongs to them.
      if (before && me.id !== before) {
        suspendGuards();
        location.assign('/');
        return;
      }
      done(true);
    } catch (failure) {
      setError(failure);
      setPassword('');
    } finally {
      setBusy(false);
    }
  };
  const leave = () => {
    suspendGuards();
    done(false);
    location.assign(loginAddress(location.pathname + location.search));
  };
  return (
    <Modal open title={t('session.title')} footer={null} closable={false} mask={{ closable: false }} keyboard={false} zIndex={1300} width={420}>
      <form onSubmit={(event) => void submit(event)} className="sign-in-again">
        <p>{t('session.text')}</p>
        {error !== undefined && <ProblemAlert error={error} />}
        <label htmlFor="again-email">{t('field.email')}</label>
        <Input id="again-email" type="email" autoComplete="username" required value={email} onChange={(e) => setEmail(e.target.value)} />
        <label htmlFor="again-password">{t('session.password')}</label>
        <Input.Password id="again-password" autoFocus autoComplete="current-password" required value={password} onChange={(e) => setPassword(e.target.value)} />
        <div className="sign-in-again-buttons">
          <Button onClick={leave}>{t('session.leave')}</Button>
          <Button type="primary" htmlType="submit" loading={busy}>{t('session.submit')}</Button>
        </div>
      </form>
    </Modal>
  );
}
