import { Form, Input } from 'antd';
import { Button } from '../../lib/ui/Button';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { useNotify } from '../../lib/ui/notify';
import { Chip } from '../../lib/ui/page';
import { useWork } from '../../lib/ui/work';
import './payments.css';

const NAMES = { simplepay: 'SimplePay', barion: 'Barion' };

interface Account {
  account: string;
  hasSecret: boolean;
}

interface Props {
  name: 'simplepay' | 'barion';
  /** None: no account is set. */
  saved: Account | undefined;
  /** An empty secret leaves the saved one; null removes the account. */
  save: (account: { account: string; secret: string } | null) => Promise<unknown>;
}

type Values = Record<string, Record<string, string>>;

/** The part of the settings, and its two fields: the account and the secret. */
const FIELDS = {
  simplepay: { account: 'merchant_id', secret: 'secret_key' },
  barion: { account: 'email', secret: 'pos_key' },
} as const;

/** The form of the account, and its removal. */
function useAccount({ name, saved, save }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { work } = useWork();
  const fields = FIELDS[name];
  const valuesOf = (now: Account | undefined): Values => ({
    [name]: { [fields.account]: now?.account ?? '', [fields.secret]: '' },
  });
  const form = useInputForm<Values, Account>({
    initial: valuesOf(saved),
    send: async (values) => {
      const part = values[name] ?? {};
      const next = { account: (part[fields.account] ?? '').trim(), secret: part[fields.secret] ?? '' };
      await save(next);
      notify.saved();
      return { account: next.account, hasSecret: true };
    },
    next: valuesOf,
    repeatable: true,
  });
  const remove = async () => {
    if (
      !(await notify.confirm({
        title: t('payment_methods.remove_ask', { name: NAMES[name] }),
        effect: t('payment_methods.remove_effect'),
        verb: t('payment_methods.remove'),
      }))
    )
      return;
    await work(async () => {
      await save(null);
      form.begin(valuesOf(undefined));
      notify.success(t('payment_methods.removed'));
    });
  };
  return { form, remove };
}

/** The account at one online provider, folded until wanted. A secret goes in and never comes out. */
export function Provider(props: Props) {
  const { name, saved } = props;
  const { t } = useTranslation();
  const id = useId();
  const { form, remove } = useAccount(props);
  const fields = FIELDS[name];
  const typed: unknown = Form.useWatch([name, fields.account], form.form);
  const stays = saved?.hasSecret === true && typed === saved.account;
  const required = [useTextRules().filled];
  return (
    <details className="payment-provider">
      <summary>
        <b>{NAMES[name]}</b>
        {saved ? (
          <Chip tone={saved.hasSecret ? 'success' : 'warning'}>
            {t(saved.hasSecret ? 'payment_methods.set' : 'payment_methods.secret_missing')}
          </Chip>
        ) : (
          <Chip>{t('payment_methods.not_set')}</Chip>
        )}
      </summary>
      <p className="setting-lead">
        {t(name === 'simplepay' ? 'payment_methods.simplepay_text' : 'payment_methods.barion_text')}
      </p>
      <InputForm state={form} name={id}>
        <div className="payment-fields">
          <Form.Item
            name={[name, fields.account]}
            label={t(`payment_methods.${fields.account}`)}
            validateTrigger="onBlur"
            rules={name === 'barion' ? [...required, { type: 'email', message: t('form.email') }] : required}
          >
            <Input autoComplete="off" maxLength={254} inputMode={name === 'barion' ? 'email' : 'text'} />
          </Form.Item>
          <Form.Item
            name={[name, fields.secret]}
            label={t(`payment_methods.${fields.secret}`)}
            extra={t(stays ? 'payment_methods.secret_stays' : 'payment_methods.secret_needed')}
          >
            <Input.Password autoComplete="new-password" maxLength={500} />
          </Form.Item>
        </div>
        <SubmitRow state={form} label={t('action.save')}>
          {saved && (
            <Button type="text" danger onClick={() => void remove()}>
              {t('payment_methods.remove')}
            </Button>
          )}
        </SubmitRow>
      </InputForm>
    </details>
  );
}
