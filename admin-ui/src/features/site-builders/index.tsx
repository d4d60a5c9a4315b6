import {
  AppstoreOutlined,
  ExportOutlined,
  GlobalOutlined,
  ShopOutlined,
  SwapOutlined,
  WindowsOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buildersList } from '../../generated/client/content/content';
import { ticketsCreate } from '../../generated/client/session/session';
import type { BuilderKind } from '../../generated/model';
import { useRead } from '../../lib/query';
import { useRestaurant } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import './site-builders.css';
import { useWork } from '../../lib/ui/work';

const ICONS: Record<BuilderKind, ReactNode> = {
  partner: <ShopOutlined />,
  front_site: <GlobalOutlined />,
  app: <AppstoreOutlined />,
  iframe: <WindowsOutlined />,
  restaurant_selector: <SwapOutlined />,
};

/** External builders, each opened in a new tab with a ticket that works once. */
export default function SiteBuilders() {
  const { t } = useTranslation();
  const restaurant = useRestaurant();
  const query = useRead('buildersList', () => buildersList(restaurant.partner_id, restaurant.id));
  return (
    <>
      <PageHeader lead={t('builders.lead')} />
      {!query.data ? (
        <Card flush>
          <QueryFallback query={query} rows={4} />
        </Card>
      ) : query.data.length === 0 ? (
        <Card flush>
          <EmptyState title={t('builders.none')} text={t('builders.none_text')} />
        </Card>
      ) : (
        <ul className="builders">
          {query.data.map(({ kind, host }) => (
            <li key={kind}>
              <Builder kind={kind} host={host} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Builder({ kind, host }: { kind: BuilderKind; host: string }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const restaurant = useRestaurant();
  const { busy: opening, work } = useWork();
  const open = async () => {
    // Opened at once: a browser lets only a click open a tab, not the answer of a call.
    const tab = window.open('about:blank', '_blank');
    await work(async () => {
      try {
        const { url } = await ticketsCreate({
          purpose: 'builder',
          builder: kind,
          restaurant_id: restaurant.id,
        });
        if (tab) {
          tab.opener = null;
          tab.location.replace(url);
        } else notify.info(t('builders.blocked'));
      } catch (error) {
        tab?.close();
        throw error;
      }
    });
  };
  return (
    <Card className="builder">
      <span className="builder-icon" aria-hidden>
        {ICONS[kind]}
      </span>
      <div className="builder-text">
        <h2>{t(`builders.${kind}`)}</h2>
        <p>{t(`builders.${kind}_text`)}</p>
        <p className="builder-host">{host}</p>
      </div>
      <Button
        icon={<ExportOutlined />}
        loading={opening}
        onClick={() => void open()}
        aria-label={t('builders.open_of', { name: t(`builders.${kind}`) })}
      >
        {t('builders.open')}
      </Button>
    </Card>
  );
}
