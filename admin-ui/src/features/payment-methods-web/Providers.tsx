import { useTranslation } from 'react-i18next';
import type { PaymentSettings } from '../../generated/model';
import { Card } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { Account } from './Account';
import { useAccounts } from './api';
import { kindsLeft, NewAccount } from './NewAccount';
import './payments.css';

/** The accounts at the online providers. */
export function Providers({ data }: { data: PaymentSettings }) {
  const { t } = useTranslation();
  const accounts = useAccounts();
  const { data: had } = accounts.query;
  return (
    <Card title={t('payment_methods.providers')}>
      <p className="setting-lead">
        {t('payment_methods.providers_text')} {t(`payment_methods.paid_at.${data.environment}`)}
      </p>
      {!had ? (
        <QueryFallback query={accounts.query} rows={3} />
      ) : (
        <>
          {had.length === 0 && <p>{t('payment_methods.no_account')}</p>}
          {had.map((account) => (
            <Account key={`${account.id}.${account.version}`} account={account} accounts={accounts} />
          ))}
          {data.offers.length === 0 ? (
            <p className="setting-lead">{t('payment_methods.no_offer')}</p>
          ) : (
            <NewAccount kinds={kindsLeft(data.offers, had)} accounts={accounts} />
          )}
        </>
      )}
    </Card>
  );
}
