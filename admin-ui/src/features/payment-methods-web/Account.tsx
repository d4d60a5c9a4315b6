import { Alert, Form } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProviderAccount } from '../../generated/model';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useInputForm } from '../../lib/form/useInputForm';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Chip, Facts, type Tone } from '../../lib/ui/page';
import { CopyButton } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import type { Accounts } from './api';
import { AccountFields } from './AccountFields';
import { accountName, NAMES } from './words';

const TONES: Record<ProviderAccount['state'], Tone> = {
  unchecked: 'warning',
  checked: 'success',
  refused: 'error',
};

interface Props {
  account: ProviderAccount;
  accounts: Accounts;
}

/** An account, folded until wanted. A secret goes in and never comes out. */
export function Account({ account, accounts }: Props) {
  const { t } = useTranslation();
  const stateKey = account.has_secret ? account.state : 'no_secret';
  return (
    <details className="payment-provider">
      <summary>
        <b>{accountName(t, account)}</b>
        <Chip tone={TONES[account.state]}>{t(`payment_methods.state.${stateKey}`)}</Chip>
      </summary>
      <Reason account={account} />
      <Data account={account} accounts={accounts} />
      <Address account={account} accounts={accounts} />
    </details>
  );
}

/** Why it does not work, as far as the provider says. */
function Reason({ account }: { account: ProviderAccount }) {
  const { t } = useTranslation();
  if (!account.has_secret || account.state === 'checked') return null;
  const refused = account.state === 'refused';
  return (
    <Alert
      className="page-alert"
      type={refused ? 'error' : 'warning'}
      showIcon
      title={t(refused ? 'payment_methods.refused_text' : 'payment_methods.unchecked_text')}
      description={
        account.check_code ? t('payment_methods.check_code', { code: account.check_code }) : undefined
      }
    />
  );
}

/** Name and secret, and asking the provider. */
function Data({ account, accounts }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const id = useId();
  const { doing, work } = useWork<string>();
  const valuesOf = (now: ProviderAccount) => ({ account: now.account, secret: '' });
  const form = useInputForm<{ account: string; secret: string }, ProviderAccount>({
    initial: valuesOf(account),
    send: (values) => accounts.update(account.id, { ...values, version: account.version }),
    onDone: () => notify.saved(),
    next: valuesOf,
    repeatable: true,
  });
  const typed: unknown = Form.useWatch('account', form.form);
  const stays = account.has_secret && typed === account.account;
  const check = async () => {
    const now = await accounts.check(account.id);
    const said = { name: accountName(t, now), state: t(`payment_methods.state.${now.state}`) };
    const title = t('payment_methods.check_said', said);
    if (now.state === 'checked') notify.success(title);
    else notify.info(title, t(`payment_methods.${now.state}_text`));
  };
  const remove = async () => {
    const sure = await notify.confirm({
      title: t('payment_methods.remove_ask', { name: accountName(t, account) }),
      effect: t('payment_methods.remove_effect'),
      verb: t('payment_methods.remove'),
    });
    if (!sure) return;
    await work(async () => {
      await accounts.remove(account.id);
      notify.success(t('payment_methods.removed'));
    }, 'remove');
  };
  return (
    <InputForm state={form} name={id}>
      <AccountFields provider={account.provider} isKept={stays} />
      <SubmitRow state={form} label={t('action.save')}>
        {account.has_secret && (
          <Button loading={doing === 'check'} onClick={() => void work(check, 'check')}>
            {t('payment_methods.check_now')}
          </Button>
        )}
        <Button type="text" danger loading={doing === 'remove'} onClick={() => void remove()}>
          {t('payment_methods.remove')}
        </Button>
      </SubmitRow>
    </InputForm>
  );
}

/** The address that the provider calls, and whether it does. */
function Address({ account, accounts }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { dateTime } = useFormat();
  const { busy, work } = useWork();
  const url = account.callback_url;
  const renew = async () => {
    const sure =
      !url ||
      (await notify.confirm({
        title: t('payment_methods.address_ask'),
        effect: t('payment_methods.address_effect'),
        verb: t('payment_methods.address_renew'),
      }));
    if (sure) await work(() => accounts.newAddress(account.id));
  };
  return (
    <section
      className="payment-address"
      aria-label={t('payment_methods.address_of', { name: accountName(t, account) })}
    >
      <Facts
        rows={[
          [
            t('payment_methods.address'),
            url ? (
              <>
                <code>{url}</code> <CopyButton text={url} label={t('payment_methods.address_copy')} />
              </>
            ) : (
              t('payment_methods.address_none')
            ),
          ],
          [
            t('payment_methods.called_at'),
            account.called_at ? dateTime(account.called_at) : t('payment_methods.called_never'),
          ],
          [
            t('payment_methods.checked_at'),
            account.checked_at ? dateTime(account.checked_at) : t('payment_methods.checked_never'),
          ],
        ]}
      />
      {account.provider === 'simplepay' && (
        <p className="setting-lead">{t('payment_methods.address_by_hand', { name: NAMES.simplepay })}</p>
      )}
      {url && account.environment !== 'stand_in' && !url.startsWith('https:') && (
        <Alert className="page-alert" type="warning" showIcon title={t('payment_methods.address_https')} />
      )}
      <Button loading={busy} onClick={() => void renew()}>
        {t(url ? 'payment_methods.address_renew' : 'payment_methods.address_make')}
      </Button>
    </section>
  );
}
