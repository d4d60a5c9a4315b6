import { Form, type FormInstance, Input, Switch } from 'antd';
import { Button } from '../../lib/ui/Button';
import { useTranslation } from 'react-i18next';
import type { SignInProvider } from '../../generated/model';
import { FieldsConflict } from '../../lib/crud';
import type { Fields } from '../../lib/fields/kinds';
import { InputForm, SubmitRow } from '../../lib/form/InputForm';
import { useTextRules } from '../../lib/form/useTextRules';
import { useHotkey } from '../../lib/hooks';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import type { useProvider } from './api';
import { useVersionedForm } from './useVersionedForm';
import './provider.css';
import { useWork } from '../../lib/ui/work';

interface Values {
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  /** Separated by commas or blanks. */
  domains: string;
  active: boolean;
}
const valuesOf = (row: SignInProvider | null): Values => ({
  name: row?.name ?? '',
  issuer: row?.issuer ?? '',
  client_id: row?.client_id ?? '',
  client_secret: '',
  domains: row?.domains.join(', ') ?? '',
  active: row?.active ?? true,
});

/** Without a secret the one that is kept stays. */
const bodyOf = ({ client_secret, ...values }: Values) => ({
  ...values,
  name: values.name.trim(),
  issuer: values.issuer.trim(),
  client_id: values.client_id.trim(),
  domains: values.domains
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean),
  ...(client_secret ? { client_secret } : {}),
});

/** What two who edit it are shown; nobody is shown a secret. */
const COMPARED: Fields = {
  name: { kind: 'text' },
  issuer: { kind: 'text' },
  client_id: { kind: 'text' },
  domains: { kind: 'text' },
  active: { kind: 'switch' },
};

interface Props {
  row: SignInProvider | null;
  provider: ReturnType<typeof useProvider>;
  onCancel: () => void;
}

export function ProviderForm(props: Props) {
  const { row, provider, onCancel } = props;
  const { t } = useTranslation();
  const notify = useNotify();
  const { work } = useWork();
  const state = useVersionedForm({
    row,
    id: 'provider',
    valuesOf,
    bodyOf,
    save: provider.save,
    onTheirs: provider.put,
  });
  useHotkey('ctrl+s', () => void state.submit(), state.dirty);
  const remove = async () => {
    const sure = await notify.confirm({
      title: t('provider.remove_ask'),
      effect: t('provider.remove_effect'),
      verb: t('provider.remove'),
    });
    if (!sure) return;
    await work(async () => {
      await provider.remove();
      notify.success(t('provider.removed'));
    });
  };
  return (
    <Card title={t('provider.settings')}>
      <InputForm state={state} focusFirst={!row}>
        <FieldsConflict
          conflict={state.conflict}
          fields={COMPARED}
          resource="provider"
          resolve={state.resolve}
        />
        <ProviderFields row={row} form={state.form} />
        <SubmitRow state={state} label={t('action.save')}>
          {row ? (
            <Button type="text" danger onClick={() => void remove()}>
              {t('provider.remove')}
            </Button>
          ) : (
            <Button onClick={onCancel}>{t('action.cancel')}</Button>
          )}
        </SubmitRow>
      </InputForm>
    </Card>
  );
}

function ProviderFields({ row, form }: Pick<Props, 'row'> & { form: FormInstance<Values> }) {
  const { t } = useTranslation();
  const required = [useTextRules().filled];
  // Asked when the form is checked: what is watched is known a moment after it was typed.
  const secretRules = [() => (needsSecret(form.getFieldsValue(true)) ? required[0]! : {})];
  const issuer = Form.useWatch(['issuer'], form);
  const client = Form.useWatch(['client_id'], form);
  // The kept secret belongs to this issuer and client.
  const needsSecret = (now: Pick<Values, 'issuer' | 'client_id'>) =>
    !row?.has_client_secret || now.issuer !== row.issuer || now.client_id !== row.client_id;
  return (
    <>
      <Form.Item
        name="name"
        label={t('provider.name')}
        extra={t('provider.name_help')}
        rules={required}
        validateTrigger="onBlur"
      >
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="issuer"
        label={t('provider.issuer')}
        extra={t('provider.issuer_help')}
        rules={[...required, { pattern: /^\s*https?:\/\/\S+\s*$/, message: t('provider.issuer_format') }]}
        validateTrigger="onBlur"
      >
        <Input maxLength={300} inputMode="url" autoComplete="off" />
      </Form.Item>
      <Form.Item name="client_id" label={t('provider.client_id')} rules={required} validateTrigger="onBlur">
        <Input maxLength={300} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="client_secret"
        label={t('provider.client_secret')}
        extra={needsSecret({ issuer, client_id: client }) ? undefined : t('provider.client_secret_kept')}
        rules={secretRules}
        validateTrigger="onBlur"
      >
        <Input.Password maxLength={1000} autoComplete="new-password" />
      </Form.Item>
      <Form.Item name="domains" label={t('provider.domains')} extra={t('provider.domains_help')}>
        <Input autoComplete="off" placeholder={t('provider.domains_placeholder')} />
      </Form.Item>
      <div className="provider-switch">
        <label className="target">
          <Form.Item name="active" valuePropName="checked" noStyle>
            <Switch aria-label={t('field.active')} aria-describedby="provider-active" />
          </Form.Item>
        </label>
        <div>
          <b>{t('field.active')}</b>
          <p id="provider-active">{t('provider.active_help')}</p>
        </div>
      </div>
    </>
  );
}
