import { CompassOutlined, ShopOutlined } from '@ant-design/icons';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { lastTarget } from '../lib/target';
import { Button } from '../lib/ui/Button';
import { Card } from '../lib/ui/page';
import { State } from '../lib/ui/states';
import { signOut } from './signOut';

function Missing({ home }: { home: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    document.title = `${t('not_found.title')} · Pult`;
  }, [t]);
  return (
    <State
      icon={<CompassOutlined />}
      title={t('not_found.title')}
      text={
        <>
          {t('not_found.text')} <code className="path">{pathname}</code>
        </>
      }
      actions={
        <>
          <Button onClick={() => void navigate(-1)}>{t('not_found.back')}</Button>
          <Link to={home}>
            <Button type="primary" tabIndex={-1}>
              {t('not_found.home')}
            </Button>
          </Link>
        </>
      }
    />
  );
}

/** 404 within the shell. */
export function MissingPage() {
  const { pathname } = useLocation();
  return (
    <Card>
      <h1 className="sr-only">404</h1>
      <Missing home={pathname.split('/').slice(0, 3).join('/')} />
    </Card>
  );
}

/** 404 outside a restaurant. */
export function NotFound() {
  return (
    <main className="bare">
      <h1 className="sr-only">404</h1>
      <Missing home="/" />
    </main>
  );
}

/** No such restaurant for this account, or none at all. */
export function NoRestaurant() {
  const { t } = useTranslation();
  return (
    <main className="bare">
      <h1 className="sr-only">{t('no_restaurant.title')}</h1>
      <State
        icon={<ShopOutlined />}
        title={t('no_restaurant.title')}
        text={t('no_restaurant.text')}
        actions={
          <>
            <Button onClick={() => void signOut()}>{t('session.sign_out')}</Button>
            <Button
              type="primary"
              onClick={() => {
                lastTarget.forget();
                location.assign('/?list');
              }}
            >
              {t('not_found.home')}
            </Button>
          </>
        }
      />
    </main>
  );
}
