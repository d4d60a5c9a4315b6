import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PaymentSettings, ProviderAccount } from '../../generated/model';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useNotify } from '../../lib/ui/notify';
import type { Accounts } from './api';
import { AccountFields } from './AccountFields';
import { accountName } from './words';

type Offer = PaymentSettings['offers'][number];
type Kind = Pick<ProviderAccount, 'provider' | 'purpose' | 'currency' | 'environment'>;

/** What accounts can still be made for. SZÉP cards are in forints. */
export const kindsLeft = (offers: readonly Offer[], had: readonly ProviderAccount[]): Kind[] =>
  offers
    .flatMap(({ provider, environment, purposes, currencies }) =>
      purposes.flatMap((purpose) =>
        currencies
          .filter((currency) => purpose === 'card' || currency === 'huf')
          .map((currency): Kind => ({ provider, purpose, currency, environment })),
      ),
    )
    .filter(
      (kind) =>
        !had.some(
          (one) =>
            one.provider === kind.provider &&
            one.purpose === kind.purpose &&
            one.currency === kind.currency &&
            one.environment === kind.environment,
        ),
    );

interface Props {
  kinds: readonly Kind[];
  accounts: Accounts;
}

/** Adds an account: what it is for, its name and its secret. */
export function NewAccount({ kinds, accounts }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const form = useInputForm<{ kind: number; account: string; secret: string }, ProviderAccount>({
    initial: { kind: 0, account: '', secret: '' },
    send: ({ kind, account, secret }, key) => {
      const chosen = kinds[kind] ?? kinds[0];
      if (!chosen) throw new Error('nothing is left to add');
      return accounts.create({ ...chosen, account, ...(secret ? { secret } : {}) }, key);
    },
    onDone: () => notify.saved(),
    next: () => ({ kind: 0, account: '', secret: '' }),
    repeatable: true,
  });
  const at: unknown = Form.useWatch('kind', form.form);
  const kind = kinds[typeof at === 'number' ? at : 0] ?? kinds[0];
  if (!kind) return null;
  return (
    <details className="payment-provider">
      <summary>
        <b>{t('payment_methods.add')}</b>
      </summary>
      <InputForm state={form} name="new-provider-account">
        <Form.Item name="kind" label={t('payment_methods.kind')}>
          <Select options={kinds.map((one, value) => ({ value, label: accountName(t, one) }))} />
        </Form.Item>
        <p className="setting-lead">{t(`payment_methods.${kind.provider}_text`)}</p>
        <AccountFields provider={kind.provider} isKept={false} />
        <SubmitRow state={form} label={t('payment_methods.add')} />
      </InputForm>
    </details>
  );
}
