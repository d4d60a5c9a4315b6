import { CheckCircleOutlined, LinkOutlined, WarningOutlined } from '@ant-design/icons';
import { Alert, Radio } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { TerminalConnection, TerminalConnectionInfo } from '../../generated/model';
import '../../lib/crud/form.css';
import { noEffectYet } from '../../generated/no-effect.gen';
import { NoEffect } from '../../lib/fields/NoEffect';
import { useCan } from '../../lib/access';
import { useFormat } from '../../lib/format';
import { readKey, useRead } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip, Facts } from '../../lib/ui/page';
import { ErrorState, Loading, ProblemAlert, QueryFallback } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { CALLBACK_PARAMS, type CompanyCalls, useCompany } from './api';
import './terminals.css';

/**
 * The company behind the card terminals: somebody signs in on its page, chooses a store, and its terminals
 * are known.
 */
export function Company() {
  const { t } = useTranslation();
  const calls = useCompany();
  const may = useCan()('payment_method');
  const { data, isError, error, refetch } = calls.query;
  const coming = useComingBack(calls, may);
  return (
    <Card
      title={t('teya.title')}
      extra={
        data &&
        (data.initialized ? (
          <Chip tone="success" icon={<CheckCircleOutlined aria-hidden />}>
            {t('teya.connected')}
          </Chip>
        ) : (
          <Chip>{t('teya.not_connected')}</Chip>
        ))
      }
    >
      <p className="setting-lead">
        <NoEffect of={noEffectYet['TerminalScheme.terminal_id']} />
      </p>
      {coming.problem !== undefined && <ProblemAlert error={coming.problem} onClose={coming.dismiss} />}
      {coming.refused && (
        <Alert
          className="page-alert"
          type="warning"
          showIcon
          title={t('teya.refused')}
          closable={{ onClose: coming.dismiss }}
        />
      )}
      {isError && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data || coming.busy ? (
        <Loading rows={3} />
      ) : (
        <Connection calls={calls} data={data} may={may} />
      )}
    </Card>
  );
}

/**
 * Finishes the sign-in after the return from the company's page, once, and removes its parameters from the
 * address.
 */
function useComingBack({ finish }: CompanyCalls, may: boolean) {
  const { t } = useTranslation();
  const notify = useNotify();
  const [query, setQuery] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [refused, setRefused] = useState(false);
  const done = useRef<string>(undefined);
  const [code, state, error] = CALLBACK_PARAMS.map((name) => query.get(name));
  useEffect(() => {
    const brought = code && state ? state : error ? `${error} ${state}` : undefined;
    if (!brought || !may || done.current === brought) return;
    done.current = brought;
    setQuery(
      (now) => {
        CALLBACK_PARAMS.forEach((name) => now.delete(name));
        return now;
      },
      { replace: true },
    );
    if (!code || !state) return setRefused(true);
    setBusy(true);
    finish({ code, state })
      .then(() => notify.success(t('teya.now_connected')), setProblem)
      .finally(() => setBusy(false));
  }, [code, state, error, may, finish, notify, setQuery, t]);
  return {
    busy,
    problem,
    refused,
    dismiss: () => {
      setProblem(undefined);
      setRefused(false);
    },
  };
}

function Connection({ calls, data, may }: { calls: CompanyCalls; data: TerminalConnection; may: boolean }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { work } = useWork();
  const [leaving, setLeaving] = useState(false);
  const { info } = data;
  const connect = async () => {
    setLeaving(true);
    try {
      location.assign(await calls.begin());
    } catch (error) {
      notify.problem(error);
      setLeaving(false);
    }
  };
  const logout = async () => {
    if (
      !(await notify.confirm({
        title: t('teya.logout_question'),
        effect: t('teya.logout_effect'),
        verb: t('teya.logout'),
      }))
    )
      return;
    await work(async () => {
      await calls.leave();
      notify.success(t('teya.left'));
    });
  };
  if (!data.available) return <p className="setting-lead">{t('teya.unavailable')}</p>;
  const button = (
    <Button
      type={info ? 'default' : 'primary'}
      icon={<LinkOutlined />}
      loading={leaving}
      onClick={() => void connect()}
    >
      {t(info ? 'teya.sign_in_again' : 'teya.connect')}
    </Button>
  );
  if (!info) {
    return (
      <>
        <p className="setting-lead">{t('teya.text')}</p>
        {may && <div className="form-buttons">{button}</div>}
      </>
    );
  }
  return (
    <>
      {!data.initialized && (
        <Alert
          className="page-alert"
          type="warning"
          showIcon
          icon={<WarningOutlined />}
          title={t('teya.over')}
        />
      )}
      <Chosen info={info} />
      {may && info.sign_in_needed && data.initialized && (
        <p className="setting-lead">{t('teya.sign_in_needed')}</p>
      )}
      {may && !info.sign_in_needed && <Stores calls={calls} chosen={info.store_id} />}
      {may && info.store_id && data.initialized && <Terminals calls={calls} store={info.store_id} />}
      {may && (
        <div className="form-buttons">
          <Button type="text" danger onClick={() => void logout()}>
            {t('teya.logout')}
          </Button>
          <span className="form-buttons-gap" />
          {(info.sign_in_needed || !data.initialized) && button}
        </div>
      )}
    </>
  );
}

function Chosen({ info }: { info: TerminalConnectionInfo }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return (
    <Facts
      rows={[
        [t('teya.store'), info.store_name ?? t('teya.no_store')],
        [t('teya.connected_at'), dateTime(info.connected_at)],
      ]}
    />
  );
}

/** The stores of the signed-in person; choosing one registers the restaurant there. */
function Stores({ calls, chosen }: { calls: CompanyCalls; chosen: string | null | undefined }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const query = useRead('teyaStores', ({ signal }) => calls.stores(signal), { retry: false });
  const [wanted, setWanted] = useState<string>();
  const { busy: saving, work } = useWork();
  const choose = async () => {
    if (!wanted) return;
    await work(async () => {
      await calls.choose(wanted);
      setWanted(undefined);
      notify.saved();
    });
  };
  const { data } = query;
  if (!data) return <QueryFallback query={query} rows={3} />;
  if (data.length === 0) return <p className="setting-lead">{t('teya.no_stores')}</p>;
  return (
    <fieldset className="terminal-stores">
      <legend>{t('teya.choose')}</legend>
      <Radio.Group
        disabled={saving}
        value={wanted ?? chosen}
        onChange={(event) => setWanted(event.target.value as string)}
        options={data.map((store) => ({
          value: store.store_id,
          label: (
            <span>
              <b>{store.name}</b>
              {store.address && <small>{store.address}</small>}
            </span>
          ),
        }))}
      />
      <Button
        type="primary"
        loading={saving}
        disabled={!wanted || wanted === chosen}
        onClick={() => void choose()}
      >
        {t('teya.use_store')}
      </Button>
    </fieldset>
  );
}

/** The terminals of the chosen store, as the company reports them now. */
function Terminals({ calls, store }: { calls: CompanyCalls; store: string }) {
  const { t } = useTranslation();
  const query = useRead(readKey('teyaTerminals', store), ({ signal }) => calls.terminals(signal), {
    retry: false,
  });
  const { data } = query;
  if (!data) return <QueryFallback query={query} rows={2} />;
  return (
    <section className="terminal-list">
      <h3>{t('teya.terminals')}</h3>
      {data.length === 0 ? (
        <p className="setting-lead">{t('teya.no_terminals')}</p>
      ) : (
        <ul>
          {data.map((one) => (
            <li key={one.terminal_id}>
              <b>{one.terminal_name}</b>
              {one.serial_number && one.serial_number !== one.terminal_name && (
                <span className="num">{one.serial_number}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
