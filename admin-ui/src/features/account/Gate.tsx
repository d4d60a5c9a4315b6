import { Button } from '../../lib/ui/Button';
import { useTranslation } from 'react-i18next';
import { LanguageSwitch } from '../../app/LanguageSwitch';
import { signOut } from '../../app/signOut';
import { suspendGuards } from '../../lib/form/unsaved';
import { Card } from '../../lib/ui/page';
import { SecondFactorSetup } from './SecondFactorSetup';
import './account.css';

/** A super admin without a second factor: nothing opens before it is set up. */
export default function Gate() {
  const { t } = useTranslation();
  // The session's rights have changed, so everything is read again.
  const done = () => {
    suspendGuards();
    location.reload();
  };
  return (
    <main className="account-gate">
      <div className="account-gate-top">
        <LanguageSwitch />
        <Button
          type="text"
          onClick={() => {
            suspendGuards();
            void signOut();
          }}
        >
          {t('session.sign_out')}
        </Button>
      </div>
      <h1>{t('account.gate_title')}</h1>
      <p className="account-lead">{t('account.gate_text')}</p>
      <Card>
        <SecondFactorSetup renew={false} onDone={done} onCancel={null} />
      </Card>
    </main>
  );
}
