import { CheckCircleOutlined, ClockCircleOutlined } from '@ant-design/icons';
import { Button } from '../../lib/ui/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DomainProof, SignInProvider } from '../../generated/model';
import { Card, Chip, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { CopyButton, EmptyState, ErrorState, Loading } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { useProvider } from './api';
import { ProviderForm } from './ProviderForm';
import { RulesCard } from './RulesCard';
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
        actions={<SettingsHistoryButton group="sign_in" />}
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
      <div className="provider-rules">
        <RulesCard />
      </div>
    </>
  );
}

/** The data for the provider, and the proof of each domain. */
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
