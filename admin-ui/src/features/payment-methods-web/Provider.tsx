import { Form, Input } from 'antd';
import { Button } from '../../lib/ui/Button';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useNotify } from '../../lib/ui/notify';
import { Chip } from '../../lib/ui/page';
import './payments.css';

const NAMES = { simplepay: 'SimplePay', barion: 'Barion' };

export interface Account {
  account: string;
  hasSecret: boolean;
}

interface Props {
  name: 'simplepay' | 'barion';
  kept: Account | undefined;
  /** An empty secret leaves the one that is kept; no account removes it. */
  save: (account: { account: string; secret: string } | null) => Promise<unknown>;
}

/** The account at one online provider, folded until wanted. A secret goes in and never comes out. */
export function Provider({ name, kept, save }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const id = useId();
  const paths =
    name === 'simplepay'
      ? (['simplepay', 'merchant_id', 'secret_key'] as const)
      : (['barion', 'email', 'pos_key'] as const);
  const [account, secret] = [
    [paths[0], paths[1]],
    [paths[0], paths[2]],
  ];
  const values = (now: Account | undefined) => ({
    [paths[0]]: { [paths[1]]: now?.account ?? '', [paths[2]]: '' },
  });
  const state = useInputForm<Record<string, Record<string, string>>, Account>({
    initial: values(kept),
    send: async (sent) => {
      const part = sent[paths[0]] ?? {};
      const next = { account: (part[paths[1]] ?? '').trim(), secret: part[paths[2]] ?? '' };
      await save(next);
      notify.saved();
      return { account: next.account, hasSecret: true };
    },
    next: values,
    repeatable: true,
  });
  const typed: unknown = Form.useWatch(account, state.form);
  const stays = kept?.hasSecret === true && typed === kept.account;
  const remove = async () => {
    if (
      !(await notify.confirm({
        title: t('payment_methods.remove_ask', { name: NAMES[name] }),
        effect: t('payment_methods.remove_effect'),
        verb: t('payment_methods.remove'),
      }))
    )
      return;
    try {
      await save(null);
      state.begin(values(undefined));
      notify.success(t('payment_methods.removed'));
    } catch (error) {
      notify.problem(error);
    }
  };
  const required = [{ required: true, whitespace: true, message: t('form.required') }];
  return (
    <details className="payment-provider">
      <summary>
        <b>{NAMES[name]}</b>
        {kept ? (
          <Chip tone={kept.hasSecret ? 'success' : 'warning'}>
            {t(kept.hasSecret ? 'payment_methods.set' : 'payment_methods.secret_missing')}
          </Chip>
        ) : (
          <Chip>{t('payment_methods.not_set')}</Chip>
        )}
      </summary>
      <p className="setting-lead">
        {t(name === 'simplepay' ? 'payment_methods.simplepay_text' : 'payment_methods.barion_text')}
      </p>
      <InputForm state={state} name={id}>
        <div className="payment-fields">
          <Form.Item
            name={account}
            label={t(`payment_methods.${paths[1]}`)}
            validateTrigger="onBlur"
            rules={name === 'barion' ? [...required, { type: 'email', message: t('form.email') }] : required}
          >
            <Input autoComplete="off" maxLength={254} inputMode={name === 'barion' ? 'email' : 'text'} />
          </Form.Item>
          <Form.Item
            name={secret}
            label={t(`payment_methods.${paths[2]}`)}
            extra={t(stays ? 'payment_methods.secret_stays' : 'payment_methods.secret_needed')}
          >
            <Input.Password autoComplete="new-password" maxLength={500} />
          </Form.Item>
        </div>
        <SubmitRow state={state} label={t('action.save')}>
          {kept && (
            <Button type="text" danger onClick={() => void remove()}>
              {t('payment_methods.remove')}
            </Button>
          )}
        </SubmitRow>
      </InputForm>
    </details>
  );
}
