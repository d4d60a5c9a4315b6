import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format';
import type { Support } from '../lib/support/api';
import { DropMenu } from '../lib/ui/DropMenu';
import { useEndSupport } from './useEndSupport';

/** Several accesses are one strip: how many, and behind the button each with its end. */
export default function SeveralSupports({ all }: { all: readonly Support[] }) {
  const { t } = useTranslation();
  const { time, number } = useFormat();
  const { ending, end } = useEndSupport();
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
