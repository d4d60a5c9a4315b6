import { useTranslation } from 'react-i18next';
import { noEffectYet } from '../../generated/no-effect.gen';
import { NoEffect } from '../../lib/fields/NoEffect';
import { Card, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { type Method, usePaymentSettings } from './api';
import { Methods } from './Methods';
import { Provider } from './Provider';
import { Rate } from './Rate';

const online = (method: Method) => method.paid_online;
const toCourier = (method: Method) => method.type_delivery;
const ofView = (method: Method) => online(method) || toCourier(method);

/**
 * How guests of the web shop and the app pay: online or to the courier; the accounts at online providers.
 */
export default function PaymentMethodsWeb() {
  const { t } = useTranslation();
  const { query, save } = usePaymentSettings();
  const { data } = query;
  const header = <PageHeader lead={t('payment_methods.web_lead')} />;
  if (query.isError && !data)
    return (
      <>
        {header}
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      </>
    );
  if (!data)
    return (
      <>
        {header}
        <Card>
          <Loading rows={8} />
        </Card>
      </>
    );
  return (
    <>
      {header}
      <div className="settings">
        <Methods
          view="web"
          title={t('payment_methods.online')}
          lead={t('payment_methods.online_text')}
          data={data}
          save={save}
          shown={online}
          ofView={ofView}
        />
        <Methods
          view="web"
          title={t('payment_methods.courier')}
          lead={t('payment_methods.courier_text')}
          data={data}
          save={save}
          shown={toCourier}
          ofView={ofView}
        />
        <Card title={t('payment_methods.providers')}>
          <p className="setting-lead">
            {t('payment_methods.providers_text')} <NoEffect of={noEffectYet['PaymentSettings.simplepay']} />
          </p>
          <Provider
            name="simplepay"
            kept={
              data.simplepay
                ? { account: data.simplepay.merchant_id, hasSecret: data.simplepay.has_secret_key }
                : undefined
            }
            save={(next) =>
              save({
                simplepay: next && {
                  merchant_id: next.account,
                  ...(next.secret ? { secret_key: next.secret } : {}),
                },
              })
            }
          />
          <Provider
            name="barion"
            kept={
              data.barion ? { account: data.barion.email, hasSecret: data.barion.has_pos_key } : undefined
            }
            save={(next) =>
              save({
                barion: next && { email: next.account, ...(next.secret ? { pos_key: next.secret } : {}) },
              })
            }
          />
        </Card>
        <Rate now={data.eur_huf_rate} save={save} />
      </div>
    </>
  );
}
