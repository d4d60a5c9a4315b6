import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { useTextRules } from '../../lib/form/useTextRules';
import type { Provider } from './words';

/** What each provider calls the name and the secret of an account. */
const FIELDS = {
  simplepay: { account: 'merchant_id', secret: 'secret_key', mode: 'text' },
  barion: { account: 'email', secret: 'pos_key', mode: 'email' },
} as const;

/** Name and secret of an account; `isKept`: an empty secret leaves the one that is kept. */
export const AccountFields = ({ provider, isKept }: { provider: Provider; isKept: boolean }) => {
  const { t } = useTranslation();
  const required = [useTextRules().filled];
  const { account, secret, mode } = FIELDS[provider];
  return (
    <div className="payment-fields">
      <Form.Item name="account" label={t(`payment_methods.${account}`)} rules={required}>
        <Input autoComplete="off" maxLength={254} inputMode={mode} />
      </Form.Item>
      <Form.Item
        name="secret"
        label={t(`payment_methods.${secret}`)}
        extra={t(isKept ? 'payment_methods.secret_stays' : 'payment_methods.secret_needed')}
      >
        <Input.Password autoComplete="new-password" maxLength={500} />
      </Form.Item>
    </div>
  );
};
