import { useTranslation } from 'react-i18next';
import { SelfSavingNumber } from '../../lib/crud/SelfSavingNumber';
import type { Settings } from './api';

/** Sent when typing has paused this long. ms */
const PAUSE = 600;
/** At most two decimals, as money has. */
const fits = (plain: string) => /^\d{1,6}([.]\d{1,2})?$/.test(plain) && Number(plain) > 0;

/** Forints for a euro in cash. */
export function Rate({ now, save }: { now: number; save: Settings['save'] }) {
  const { t } = useTranslation();
  return (
    <SelfSavingNumber
      id="eur_huf_rate"
      title={t('payment_methods.rate')}
      label={t('payment_methods.eur_huf_rate')}
      help={t('payment_methods.eur_huf_rate_help')}
      unit="Ft"
      now={now}
      pause={PAUSE}
      fits={fits}
      wrong={t('payment_methods.rate_wrong')}
      save={(value) => save({ eur_huf_rate: value })}
    />
  );
}
