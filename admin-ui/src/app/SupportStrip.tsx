import { EyeOutlined, EditOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useFormat } from '../lib/format';
import { useNarrow, useNow } from '../lib/hooks';
import { useMe } from '../lib/me';
import { usePage } from '../lib/navigation';
import { session } from '../lib/session';
import { endSupport, type Support, supportOf } from '../lib/support/api';
import { useRestaurantIfAny } from '../lib/target';
import { useUnsaved } from '../lib/form/unsaved';
import { DropMenu } from '../lib/ui/DropMenu';
import { useWork } from '../lib/ui/work';
import { later } from '../lib/later';

const SupportDialog = later(() => import('../lib/support/SupportDialog'), 'over');

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

/** Ends an access, unless something unsaved holds it. */
function useEnd(): { ending: boolean; end: (partner: string) => Promise<void> } {
  const navigate = useNavigate();
  const { ask } = useUnsaved({ dirty: false });
  const { busy: ending, work } = useWork();
  const end = async (partner: string) => {
    if (!(await ask())) return;
    await work(async () => {
      await endSupport(partner);
      void navigate('/platform');
    });
  };
  return { ending, end };
}

/** Several accesses are one strip: how many, and behind the button each with its end. */
function SeveralSupports({ all }: { all: readonly Support[] }) {
  const { t } = useTranslation();
  const { time, number } = useFormat();
  const { ending, end } = useEnd();
  const writable = all.filter((one) => one.writable).length;
  return (
    <div
      className={`strip strip-super ${writable > 0 ? 'strip-writable' : ''}`}
      role="note"
      aria-label={t('support.strip')}
    >
      <b>{t('support.several', { number: number(all.length) })}</b>
      <span>
        {t(writable > 0 ? 'support.several_writable' : 'support.read_only', { number: number(writable) })}
      </span>
      <DropMenu
        menu={{
          items: all.map((one) => ({
            key: one.partner_id,
            label: t(one.writable ? 'support.end_writable' : 'support.end_reading', {
              partner: one.partner_name,
              time: time(one.expires_at),
            }),
            onClick: () => void end(one.partner_id),
          })),
        }}
      >
        <button type="button" disabled={ending}>
          {t('support.end_which')}
        </button>
      </DropMenu>
    </div>
  );
}

function UnderSupport({ support, ended }: { support: Support; ended: boolean }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const narrow = useNarrow();
  const { ending, end } = useEnd();
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
