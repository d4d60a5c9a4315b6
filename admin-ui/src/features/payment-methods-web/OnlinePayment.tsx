import { useTranslation } from 'react-i18next';
import type { PaymentSettings } from '../../generated/model';
import { useAtOnce } from '../../lib/crud/useAtOnce';
import { Card } from '../../lib/ui/page';
import { SavingSwitch } from '../../lib/ui/SavingSwitch';
import { type Settings, useAccounts } from './api';
import { PageTexts } from './PageTexts';
import { NAMES, type Provider } from './words';
import './payments.css';

type Flag = 'charge_when_accepted' | 'ask_before_refunds';

interface Props {
  data: PaymentSettings;
  save: Settings['save'];
}

/** When the card is charged, whether refunds are asked for, and what guests read after a payment. */
export function OnlinePayment({ data, save }: Props) {
  const { t } = useTranslation();
  const { data: accounts = [] } = useAccounts().query;
  const providers = (Object.keys(NAMES) as Provider[]).filter((name) =>
    accounts.some(({ provider }) => provider === name),
  );
  return (
    <Card title={t('payment_methods.online_settings')}>
      <FlagLine flag="charge_when_accepted" data={data} save={save} />
      <FlagLine flag="ask_before_refunds" data={data} save={save} />
      {providers.length > 0 && (
        <section className="payment-texts">
          <h3>{t('payment_methods.page_texts')}</h3>
          <p className="setting-lead">{t('payment_methods.page_texts_help')}</p>
          {providers.map((provider) => (
            <PageTexts key={provider} provider={provider} data={data} save={save} />
          ))}
        </section>
      )}
    </Card>
  );
}

/** A switch that takes effect at once and can be taken back. */
function FlagLine({ flag, data, save }: Props & { flag: Flag }) {
  const { t } = useTranslation();
  const at = useAtOnce((value: boolean) => save({ [flag]: value }));
  const name = t(`payment_methods.${flag}`);
  const change = (next: boolean) =>
    at.change(next, !next, t(next ? 'setting.switched_on' : 'setting.switched_off', { name }));
  return (
    <div className="setting-line">
      <div>
        <b id={flag}>{name}</b>
        <p id={`${flag}-help`}>{t(`payment_methods.${flag}_help`)}</p>
      </div>
      <label className="target">
        <SavingSwitch
          aria-labelledby={flag}
          aria-describedby={`${flag}-help`}
          checked={data[flag]}
          saving={at.saving}
          onChange={(next) => void change(next)}
        />
      </label>
    </div>
  );
}
