import { Alert, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { switchLanguage } from '../../app/switchLanguage';
import { useFormat } from '../../lib/format';
import { useMe } from '../../lib/me';
import { useRestaurantIfAny } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { useOwnTarget } from './api';
import { DetailsCard } from './DetailsCard';
import { PasswordCard } from './PasswordCard';
import { PinCard } from './PinCard';
import { ProfileCard } from './ProfileCard';
import { SecondFactorCard } from './SecondFactorCard';
import { SessionsCard } from './SessionsCard';
import { TillCard } from './TillCard';
import './account.css';

/** Settings of the signed-in person. */
export default function MyAccount() {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const { language } = useFormat();
  const own = useOwnTarget(useRestaurantIfAny()?.partner_id);
  return (
    <>
      <PageHeader lead={me.email} />
      {me.bound && (
        <Alert
          className="account-note"
          type="info"
          showIcon
          title={t(`account.bound.${me.bound}`)}
          description={me.bound === 'password' && t('account.bound_help')}
        />
      )}
      <div className="account">
        <div className="account-column">
          {me.changeable && <ProfileCard />}
          <Card title={t('account.language')}>
            <p className="account-lead" id="account-language">
              {t(me.bound ? 'account.language_here' : 'account.language_text')}
            </p>
            <Radio.Group
              aria-labelledby="account-language"
              value={language}
              options={(['hu', 'en'] as const).map((code) => ({ value: code, label: t(`language.${code}`) }))}
              onChange={(event) =>
                void switchLanguage(
                  event.target.value as 'hu' | 'en',
                  (path) => void navigate(path, { replace: true }),
                )
              }
            />
          </Card>
          {me.password_changeable && <PasswordCard />}
          {me.changeable && <DetailsCard />}
        </div>
        <div className="account-column">
          {me.changeable && <SecondFactorCard />}
          {own && <PinCard own={own} />}
          {own?.surfaces.includes('pos') && <TillCard />}
          <SessionsCard />
        </div>
      </div>
    </>
  );
}
