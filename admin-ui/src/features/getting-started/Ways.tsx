import { CheckCircleFilled, RightOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { apiKeysList } from '../../generated/client/access/access';
import { kiosksList } from '../../generated/client/devices/devices';
import type { GettingStarted } from '../../generated/model';
import { type Permission, useCan } from '../../lib/access';
import { useSwitchedOn } from '../../lib/menu';
import { usePageUrl } from '../../lib/navigation';
import { useRead } from '../../lib/query';
import { here } from '../../lib/target';
import { Card, Chip } from '../../lib/ui/page';
import { missingOf, type Way } from './lacks';

/** Where each thing that a way lacks is done, and with which right. */
const PLACES: Record<string, { screen: string; rights: readonly Permission[] }> = {
  contact: { screen: 'restaurant_general', rights: ['restaurant_general'] },
  address: { screen: 'restaurant_general', rights: ['restaurant_general'] },
  legal_data: { screen: 'legal_data', rights: ['restaurant_general'] },
  opening_hours: { screen: 'opening_hours', rights: ['restaurant_opening'] },
  delivery: { screen: 'delivery_and_take_away', rights: ['restaurant_delivery'] },
  menu: { screen: 'categories_and_products', rights: ['order'] },
  api_key: { screen: 'api_keys', rights: ['system_general'] },
  kiosk: { screen: 'kiosk', rights: ['kiosk'] },
  phone_orders: { screen: 'phone_orders', rights: ['fresh_order', 'order_accept', 'pos'] },
};
/** Where a way that works is used. */
const USED: Partial<Record<Way, string>> = { phone: 'phone_orders', shop: 'api_keys', kiosk: 'kiosk' };
const WAYS: readonly Way[] = ['phone', 'shop', 'table', 'kiosk'];

/** For each way to order what works now, what is missing, and the way there. */
export function Ways({ state }: { state: GettingStarted }) {
  const { t } = useTranslation();
  const can = useCan();
  const { data: on } = useSwitchedOn();
  const keys = useRead('apiKeysList', () => apiKeysList(...here()), { enabled: can('system_general') });
  const kiosks = useRead('kiosksList', () => kiosksList(...here()), {
    enabled: can('kiosk') && (on?.includes('kiosk') ?? false),
  });
  const missing = missingOf(state.items, {
    keys: can('system_general') ? keys.data : null,
    kioskOn: on?.includes('kiosk') ?? false,
    kiosks: kiosks.data?.length,
  });
  return (
    <Card title={t('guide.ways_to_order')}>
      <ul className="guide-list">
        {WAYS.map((way) => (
          <li key={way} className="guide-order">
            {missing[way].length === 0 ? (
              <CheckCircleFilled className="guide-done" aria-hidden />
            ) : (
              <span className="guide-open" aria-hidden />
            )}
            <span className="guide-text">
              <b>{t(`guide.way_${way}`)}</b>
              <span>{t(`guide.way_${way}_text`)}</span>
              {missing[way].length > 0 && (
                <ul className="guide-missing" aria-label={t('guide.way_missing')}>
                  {missing[way].map((key) => (
                    <li key={key}>
                      <Missing what={key} item={state.items.some((item) => item.key === key)} />
                    </li>
                  ))}
                </ul>
              )}
            </span>
            {missing[way].length === 0 ? (
              <>
                <Chip tone="success">{t('guide.way_works')}</Chip>
                <Leads to={USED[way]} name={t(`guide.way_${way}`)} />
              </>
            ) : (
              <Chip tone={missing[way].includes('tables') ? 'neutral' : 'warning'}>
                {t(missing[way].includes('tables') ? 'guide.way_not_yet' : 'guide.way_lacks')}
              </Chip>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Leads({ to, name }: { to: string | undefined; name: string }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const can = useCan();
  const place = Object.values(PLACES).find(({ screen }) => screen === to);
  if (!to || !place || !can(...place.rights)) return null;
  return (
    <Link to={url(to)} aria-label={t('guide.way_open', { name })}>
      <RightOutlined aria-hidden />
    </Link>
  );
}

/** What is missing, an item of the list or something besides, as a link for those who can do it. */
function Missing({ what, item }: { what: string; item: boolean }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const can = useCan();
  const place = PLACES[what];
  const text = item ? t(`guide.item_${what}`) : t(`guide.lacks_${what}`);
  return place && can(...place.rights) ? <Link to={url(place.screen)}>{text}</Link> : <>{text}</>;
}
