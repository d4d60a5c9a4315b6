import { EyeOutlined, EditOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format';
import { useNarrow, useNow } from '../lib/hooks';
import { useMe } from '../lib/me';
import { usePage } from '../lib/navigation';
import { session } from '../lib/session';
import { type Support, supportOf } from '../lib/support/api';
import { useRestaurantIfAny } from '../lib/target';
import { later } from '../lib/later';
import { useEndSupport } from './useEndSupport';

const SupportDialog = later(() => import('../lib/support/SupportDialog'), 'over');
// Its menu is no part of the first load.
const SeveralSupports = later(() => import('./SeveralSupports'), 'quiet');

/**
 * The partner whose data are open: during a support access with the time left and a button to end it, for
 * demo data only the name.
 */
export function SupportStrip() {
  const { t } = useTranslation();
  const me = useMe();
  const restaurant = useRestaurantIfAny();
  const { feature, path } = usePage();
  const support = supportOf(me, restaurant?.partner_id);
  // The access stays shown after its end, so that it can be opened again.
  const [over, setOver] = useState<Support>();
  useEffect(() => {
    if (support) setOver(support);
  }, [support]);
  if (!restaurant) {
    // On the platform all that are open, on a partner's page that one.
    const own = feature?.key === 'partner_page' ? supportOf(me, path[0]) : undefined;
    if (!own && me.support.length > 1) return <SeveralSupports all={me.support} />;
    return (own ? [own] : me.support).map((one) => (
      <UnderSupport key={`${one.partner_id}${one.expires_at}`} support={one} ended={false} />
    ));
  }
  const shown = support ?? (over?.partner_id === restaurant.partner_id ? over : undefined);
  if (shown)
    return (
      <UnderSupport
        key={`${shown.partner_id}${shown.expires_at}`}
        support={shown}
        ended={shown !== support}
      />
    );
  if (!me.super_admin) return null;
  const partner = me.targets.find((target) => target.partner_id === restaurant.partner_id);
  return (
    <div className="strip strip-super" role="note">
      <span>{t('shell.super_admin', { partner: partner?.partner_name ?? restaurant.name })}</span>
    </div>
  );
}

function UnderSupport({ support, ended }: { support: Support; ended: boolean }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const narrow = useNarrow();
  const { ending, end } = useEndSupport();
  const [again, setAgain] = useState(false);
  const left = Date.parse(support.expires_at) - useNow(5_000);
  const over = ended || left <= 0;
  const minutes = Math.ceil(left / 60_000);
  useEffect(() => {
    // The menu and every right follow from the account, which the service has changed by now.
    if (left <= 0 && !ended) void session.load().catch(() => undefined);
  }, [left, ended]);

  const Icon = support.writable ? EditOutlined : EyeOutlined;
  return (
    <div
      className={`strip strip-super ${support.writable ? 'strip-writable' : ''}`}
      role="note"
      aria-label={t('support.strip')}
    >
      <b title={support.reason}>
        {narrow ? support.partner_name : t('support.in_data', { partner: support.partner_name })}
      </b>
      <span>
        <Icon aria-hidden />{' '}
        <span className={narrow ? 'sr-only' : ''}>
          {t(support.writable ? 'support.may_change' : 'support.read_only')}
        </span>
      </span>
      <span className="num">
        {over
          ? t('support.over')
          : t(narrow ? 'support.left_short' : 'support.left', {
              count: minutes,
              time: time(support.expires_at),
            })}
      </span>
      {over ? (
        <button type="button" onClick={() => setAgain(true)}>
          {t('support.again')}
        </button>
      ) : (
        <button type="button" disabled={ending} onClick={() => void end(support.partner_id)}>
          {t('support.end')}
        </button>
      )}
      {again && (
        <SupportDialog
          partner={{ id: support.partner_id, name: support.partner_name }}
          initial={support}
          onDone={() => setAgain(false)}
          onClose={() => setAgain(false)}
        />
      )}
    </div>
  );
}
