import { CheckCircleOutlined, ClockCircleOutlined } from '@ant-design/icons';
import { Form, Input, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DomainProof, SignInProvider } from '../../generated/model';
import { ConflictDialog, faster, useConflict } from '../../lib/crud';
import '../../lib/crud/form.css';
import { useSmallForm } from '../../lib/crud/useSmallForm';
import type { Fields } from '../../lib/fields/kinds';
import { useHotkey } from '../../lib/hooks';
import { Button } from '../../lib/ui/Button';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { CopyButton, EmptyState, ErrorState, Loading, ProblemAlert } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { useProvider } from './api';
import './provider.css';

/** The partner's OpenID Connect provider: its people sign in with their company accounts. */
export default function SignInProviderPage() {
  const { t } = useTranslation();
  const provider = useProvider();
  // Undefined: not yet; false: begun and left again, so that the focus goes back to the button.
  const [begun, setBegun] = useState<boolean>();
  const { data, isError, error, refetch, isLoading } = provider.query;
  return (
    <>
      <PageHeader
        lead={t('provider.lead')}
        mark={
          data && (
            <Chip tone={data.active ? 'success' : 'neutral'}>
              {t(data.active ? 'state.active' : 'state.inactive')}
            </Chip>
          )
        }
      />
      {isLoading && (
        <Card>
          <Loading rows={8} />
        </Card>
      )}
      {isError && data === undefined && (
        <Card>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Card>
      )}
      {data === null && !begun && (
        <Card>
          <EmptyState
            title={t('provider.empty')}
            text={t('provider.empty_text')}
            actions={
              <Button type="primary" autoFocus={begun === false} onClick={() => setBegun(true)}>
                {t('provider.set_up')}
              </Button>
            }
          />
        </Card>
      )}
      {(data || (data === null && begun)) && (
        <div className="provider">
          <ProviderForm
            key={data ? 'kept' : 'new'}
            row={data}
            provider={provider}
            onCancel={() => setBegun(false)}
          />
          {data && <Facts row={data} prove={provider.prove} />}
        </div>
      )}
    </>
  );
}

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

/** What two who edit it are shown; nobody is shown a secret. */
const COMPARED: Fields = {
  name: { kind: 'text' },
  issuer: { kind: 'text' },
  client_id: { kind: 'text' },
  domains: { kind: 'text' },
  active: { kind: 'switch' },
};

function ProviderForm({
  row,
  provider,
  onCancel,
}: {
  row: SignInProvider | null;
  provider: ReturnType<typeof useProvider>;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { conflict, ask, resolve } = useConflict();
  const send = async ({ client_secret, ...rest }: Values, version = row?.version): Promise<Values> => {
    const domains = rest.domains
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean);
    const values = {
      ...rest,
      name: rest.name.trim(),
      issuer: rest.issuer.trim(),
      client_id: rest.client_id.trim(),
    };
    const mine = { ...values, domains: domains.join(', '), client_secret: '' };
    try {
      await provider.save({
        ...values,
        domains,
        ...(client_secret ? { client_secret } : {}),
        ...(version === undefined ? {} : { version }),
      });
    } catch (failure) {
      const current = faster(failure) as SignInProvider | undefined;
      if (!current) throw failure;
      const choice = await ask({ current: { ...valuesOf(current) }, mine });
      if (choice === 'mine') return send({ client_secret, ...rest }, current.version);
      if (choice === 'later') throw failure;
      provider.put(current);
      return valuesOf(current);
    }
    notify.saved();
    return mine;
  };
  const state = useSmallForm<Values>({ initial: valuesOf(row), send });
  useHotkey('ctrl+s', () => void state.submit(), state.dirty);
  const remove = async () => {
    if (
      !(await notify.confirm({
        title: t('provider.remove_ask'),
        effect: t('provider.remove_effect'),
        verb: t('provider.remove'),
      }))
    )
      return;
    try {
      await provider.remove();
      notify.success(t('provider.removed'));
    } catch (error) {
      notify.problem(error);
    }
  };
  const required = [{ required: true, whitespace: true, message: t('form.required') }];
  // Asked when the form is checked: what is watched is known a moment after it was typed.
  const secretRules = [() => (needsSecret(state.form.getFieldsValue(true)) ? required[0]! : {})];
  const issuer = Form.useWatch(['issuer'], state.form);
  const client = Form.useWatch(['client_id'], state.form);
  // The kept secret belongs to this issuer and client.
  const needsSecret = (now: Pick<Values, 'issuer' | 'client_id'>) =>
    !row?.has_client_secret || now.issuer !== row.issuer || now.client_id !== row.client_id;
  return (
    <Card title={t('provider.settings')}>
      <Form<Values>
        form={state.form}
        initialValues={state.initial}
        layout="vertical"
        disabled={state.saving}
        requiredMark={false}
        onValuesChange={state.changed}
        onFinish={() => void state.submit()}
        onFinishFailed={() => void state.submit()}
      >
        <ConflictDialog conflict={conflict} fields={COMPARED} resource="provider" resolve={resolve} />
        {state.error !== undefined && <ProblemAlert error={state.error} onClose={state.dismissError} />}
        <Form.Item
          name="name"
          label={t('provider.name')}
          extra={t('provider.name_help')}
          rules={required}
          validateTrigger="onBlur"
        >
          <Input maxLength={100} autoComplete="off" autoFocus={!row} />
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
        <div className="form-buttons">
          {row ? (
            <Button type="text" danger onClick={() => void remove()}>
              {t('provider.remove')}
            </Button>
          ) : (
            <Button onClick={onCancel}>{t('action.cancel')}</Button>
          )}
          <span className="form-buttons-gap" />
          <Button type="primary" htmlType="submit" loading={state.saving} disabled={!state.dirty}>
            {t('action.save')}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** What has to be entered at the provider, and the proof of each domain. */
function Facts({ row, prove }: { row: SignInProvider; prove: (domain: string) => Promise<unknown> }) {
  const { t } = useTranslation();
  return (
    <div className="provider-side">
      <Card title={t('provider.redirect')}>
        <p className="provider-soft">{t('provider.redirect_text')}</p>
        <p className="provider-copy">
          <code>{row.redirect_uri}</code> <CopyButton text={row.redirect_uri} label={t('action.copy')} />
        </p>
      </Card>
      {row.proofs.length > 0 && (
        <Card title={t('provider.proofs')}>
          <p className="provider-soft">{t('provider.proofs_text')}</p>
          <ul className="provider-proofs">
            {row.proofs.map((proof) => (
              <Proof key={proof.domain} proof={proof} prove={prove} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

function Proof({ proof, prove }: { proof: DomainProof; prove: (domain: string) => Promise<unknown> }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { busy: looking, work } = useWork();
  const look = () =>
    work(async () => {
      await prove(proof.domain);
      notify.success(t('provider.proven_now', { domain: proof.domain }));
    });
  return (
    <li>
      <p className="provider-proof-head">
        <b>{proof.domain}</b>
        {proof.proven ? (
          <Chip tone="success" icon={<CheckCircleOutlined aria-hidden />}>
            {t('provider.proven')}
          </Chip>
        ) : (
          <Chip tone="warning" icon={<ClockCircleOutlined aria-hidden />}>
            {t('provider.unproven')}
          </Chip>
        )}
      </p>
      {!proof.proven && (
        <>
          <p className="provider-soft">{t('provider.proof_file')}</p>
          <p className="provider-copy">
            <code>{proof.url}</code> <CopyButton text={proof.url} label={t('action.copy')} />
          </p>
          <p className="provider-soft">{t('provider.proof_text')}</p>
          <p className="provider-copy">
            <code>{proof.text}</code> <CopyButton text={proof.text} label={t('action.copy')} />
          </p>
          <Button loading={looking} onClick={() => void look()}>
            {t('provider.prove')}
          </Button>
        </>
      )}
    </li>
  );
}
