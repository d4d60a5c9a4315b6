import { Input } from 'antd';
import { Button } from '../lib/ui/Button';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../lib/http';
import { loginAddress } from '../features/public/pages';
import { session } from '../lib/session';
import { suspendGuards } from '../lib/form/unsaved';
import { ProblemAlert } from '../lib/ui/states';
import { Dialog } from '../lib/ui/Dialog';

/** The input, and the sign-in. `code` is undefined until the service says that it is needed. */
function useSignIn(done: (signedIn: boolean) => void) {
  const [email, setEmail] = useState(() => session.get()?.email ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const before = session.get()?.id;

  const submit = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const me = await session.signIn(email.trim(), password, code?.trim());
      // Somebody else at this till: nothing of the page belongs to them.
      if (before && me.id !== before) {
        suspendGuards();
        location.assign('/');
        return;
      }
      done(true);
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === 'SECOND_FACTOR_REQUIRED') return setCode('');
      setError(failure);
      if (code === undefined) setPassword('');
      else setCode('');
    } finally {
      setBusy(false);
    }
  };
  return { email, setEmail, password, setPassword, code, setCode, busy, error, submit };
}

/** The session ended in the middle of work: sign in here, and the call is repeated with nothing lost. */
export default function SignInDialog({ done }: { done: (signedIn: boolean) => void }) {
  const { t } = useTranslation();
  const { email, setEmail, password, setPassword, code, setCode, busy, error, submit } = useSignIn(done);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const leave = () => {
    suspendGuards();
    done(false);
    location.assign(loginAddress(location.pathname + location.search));
  };
  return (
    <Dialog
      title={t('session.title')}
      footer={null}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      zIndex={1300}
      width={420}
    >
      <form onSubmit={send} className="sign-in-again">
        <p>{t('session.text')}</p>
        {error !== undefined && <ProblemAlert error={error} />}
        <label htmlFor="again-email">{t('field.email')}</label>
        <Input
          id="again-email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(e) => setEmail(e.target.value)}
        />
        <label htmlFor="again-password">{t('session.password')}</label>
        <Input.Password
          id="again-password"
          autoFocus
          autoComplete="current-password"
          required
          value={password}
          onChange={(e) => setPassword(e.target.value)}
        />
        {code !== undefined && <CodeField value={code} onChange={setCode} />}
        <div className="sign-in-again-buttons">
          <Button onClick={leave}>{t('session.leave')}</Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('session.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The code of the second factor. */
function CodeField({ value, onChange }: { value: string; onChange: (code: string) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <label htmlFor="again-code">{t('session.code')}</label>
      <Input
        id="again-code"
        autoFocus
        autoComplete="one-time-code"
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby="again-code-help"
      />
      <p id="again-code-help">{t('session.code_text')}</p>
    </>
  );
}
