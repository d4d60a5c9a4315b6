import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PaymentSettings } from '../../generated/model';
import { useWork } from '../../lib/ui/work';
import { type Method, type Settings, useAccounts } from './api';
import { accountName, NAMES } from './words';

const PURPOSES: Partial<Record<Method['payment_type'], 'card' | 'szep'>> = {
  card_online: 'card',
  szep_kartya_online: 'szep',
};

interface Props {
  method: Method;
  data: PaymentSettings;
  save: Settings['save'];
  /** What the method is called. */
  name: string;
}

/** Who serves a method that is paid online; chosen where several accounts could. */
export function ServedBy({ method, data, save, name }: Props) {
  const { t } = useTranslation();
  const { data: all = [] } = useAccounts().query;
  const { busy, work } = useWork();
  const fitting = all.filter(
    (one) => one.environment === data.environment && one.purpose === PURPOSES[method.payment_type],
  );
  if (fitting.length < 2) {
    return method.provider ? <p>{t('payment_methods.served_by', { name: NAMES[method.provider] })}</p> : null;
  }
  const chosen = fitting.some((one) => one.id === method.account_id) ? method.account_id : '';
  const choose = (id: string) =>
    work(() => save({ method_accounts: [{ payment_method_id: method.id, account_id: id || null }] }));
  return (
    // Disabled while it saves it would lose the focus.
    <Select
      aria-label={t('payment_methods.served_by_of', { name })}
      value={chosen ?? ''}
      loading={busy}
      popupMatchSelectWidth={false}
      onChange={(id) => void (busy || choose(id))}
      options={[
        { value: '', label: t('payment_methods.served_by_first') },
        ...fitting.map((one) => ({ value: one.id, label: accountName(t, one) })),
      ]}
    />
  );
}
