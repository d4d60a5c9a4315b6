import { useTranslation } from 'react-i18next';
import { useStanding } from '../../lib/hooks';
import { loadFeatureTexts } from '../../lib/i18n';
import { later } from '../../lib/later';
import { Card, PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { QueryFallback } from '../../lib/ui/states';
import { type Method, usePaymentSettings } from './api';
import { Methods } from './Methods';
import { OnlinePayment } from './OnlinePayment';
import { Providers } from './Providers';
import { Rate } from './Rate';

// After the page: it is seldom there.
const Pause = later(
  async () => (await Promise.all([import('../payment-pause'), loadFeatureTexts('payment-pause')]))[0],
  'quiet',
);

const online = (method: Method) => method.paid_online;
const ofView = (method: Method) => method.type_web || method.type_app;
const toCourier = (method: Method) => ofView(method) && !online(method) && method.type_delivery;

/**
 * How guests of the web shop and the app pay: online or to the courier; the accounts at online providers.
 */
export default function PaymentMethodsWeb() {
  const { t } = useTranslation();
  const { query, save } = usePaymentSettings();
  const standing = useStanding();
  const { data } = query;
  if (!data)
    return (
      <>
        <PageHeader lead={t('payment_methods.web_lead')} />
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      </>
    );
  const common = { view: 'web', data, save, ofView } as const;
  return (
    <>
      <PageHeader
        lead={t('payment_methods.web_lead')}
        actions={<SettingsHistoryButton group="payment_methods" />}
      />
      {standing && <Pause />}
      <div className="settings">
        <Methods
          {...common}
          title={t('payment_methods.online')}
          lead={t('payment_methods.online_text')}
          shown={online}
        />
        <Methods
          {...common}
          title={t('payment_methods.courier')}
          lead={t('payment_methods.courier_text')}
          shown={toCourier}
        />
        <Providers data={data} />
        <OnlinePayment data={data} save={save} />
        <Rate now={data.eur_huf_rate} save={save} />
      </div>
    </>
  );
}
