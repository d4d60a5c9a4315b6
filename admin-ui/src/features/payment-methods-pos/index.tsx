import { useTranslation } from 'react-i18next';
import { Card, PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { QueryFallback } from '../../lib/ui/states';
import { type Method, usePaymentSettings } from '../payment-methods-web/api';
import { Methods } from '../payment-methods-web/Methods';
import { Rate } from '../payment-methods-web/Rate';
import { Company } from '../terminals/Company';

const inPlace = (method: Method) => method.type_in_place;
const byPhone = (method: Method) => method.type_phone;
const ofView = (method: Method) => inPlace(method) || byPhone(method);

/**
 * How guests pay in the restaurant and on the phone, the rate of the euro, the company of card terminals.
 */
export default function PaymentMethodsPos() {
  const { t } = useTranslation();
  const { query, save } = usePaymentSettings();
  const { data } = query;
  const header = (
    <PageHeader
      lead={t('payment_methods.pos_lead')}
      actions={<SettingsHistoryButton group="payment_methods" />}
    />
  );
  if (!data)
    return (
      <>
        {header}
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      </>
    );
  return (
    <>
      {header}
      <div className="settings">
        <Methods
          view="pos"
          title={t('payment_methods.in_place')}
          lead={t('payment_methods.in_place_text')}
          data={data}
          save={save}
          shown={inPlace}
          ofView={ofView}
        />
        <Methods
          view="pos"
          title={t('payment_methods.phone')}
          lead={t('payment_methods.phone_text')}
          data={data}
          save={save}
          shown={byPhone}
          ofView={ofView}
        />
        <Rate now={data.eur_huf_rate} save={save} />
        <Company />
      </div>
    </>
  );
}
