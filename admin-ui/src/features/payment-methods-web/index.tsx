import { useTranslation } from 'react-i18next';
import { noEffectYet } from '../../generated/no-effect.gen';
import type { PaymentSettings } from '../../generated/model';
import { NoEffect } from '../../lib/fields/NoEffect';
import { Card, PageHeader } from '../../lib/ui/page';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { QueryFallback } from '../../lib/ui/states';
import { type Method, type Settings, usePaymentSettings } from './api';
import { Methods } from './Methods';
import { Provider } from './Provider';
import { Rate } from './Rate';

const online = (method: Method) => method.paid_online;
const ofView = (method: Method) => method.type_web || method.type_app;
const toCourier = (method: Method) => ofView(method) && !online(method) && method.type_delivery;

/**
 * How guests of the web shop and the app pay: online or to the courier; the accounts at online providers.
 */
export default function PaymentMethodsWeb() {
  const { t } = useTranslation();
  const { query, save } = usePaymentSettings();
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
        <Providers data={data} save={save} />
        <Rate now={data.eur_huf_rate} save={save} />
      </div>
    </>
  );
}

/** The accounts at the online providers, whose fields have other names each. */
function Providers({ data, save }: { data: PaymentSettings; save: Settings['save'] }) {
  const { t } = useTranslation();
  const { simplepay, barion } = data;
  return (
    <Card title={t('payment_methods.providers')}>
      <p className="setting-lead">
        {t('payment_methods.providers_text')} <NoEffect of={noEffectYet['PaymentSettings.simplepay']} />
      </p>
      <Provider
        name="simplepay"
        saved={
          simplepay ? { account: simplepay.merchant_id, hasSecret: simplepay.has_secret_key } : undefined
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
        saved={barion ? { account: barion.email, hasSecret: barion.has_pos_key } : undefined}
        save={(next) =>
          save({
            barion: next && { email: next.account, ...(next.secret ? { pos_key: next.secret } : {}) },
          })
        }
      />
    </Card>
  );
}
