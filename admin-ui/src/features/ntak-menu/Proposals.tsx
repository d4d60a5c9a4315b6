import { Alert, Checkbox } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { NtakProposals } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { ApiError } from '../../lib/http';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card, Chip } from '../../lib/ui/page';
import { EmptyState, ProblemAlert, QueryFallback } from '../../lib/ui/states';
import { useInlineWork } from '../../lib/ui/work';
import { useChangeCalls, useProposals } from './api';
import { harmless, offers, takes } from './rows';
import { ChooseAll, RowTable, useValueText } from './RowTable';

/** What the names of the menu speak for, and one button that takes it. */
export function Proposals() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const all = params.get('all') === '1';
  const found = useProposals(all);
  return (
    <Card
      flush
      className="list-card"
      title={t('ntak_menu.proposals')}
      extra={
        <Checkbox checked={all} onChange={({ target }) => setParams(target.checked ? { all: '1' } : {})}>
          {t('ntak_menu.all')}
        </Checkbox>
      }
    >
      {!found.data && <QueryFallback query={found} rows={8} />}
      {/* Anew with another menu: what was chosen belongs to its rows. */}
      {found.data && <Found key={`${all} ${found.data.catalogue_version}`} found={found.data} />}
    </Card>
  );
}

function Found({ found: { catalogue_version, proposals } }: { found: NtakProposals }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const notify = useNotify();
  const calls = useChangeCalls();
  const text = useValueText();
  const { busy, error, dismiss, work } = useInlineWork();
  const rows = useMemo(() => offers(proposals), [proposals]);
  const [chosen, setChosen] = useState<Set<string>>(() => harmless(rows));
  if (proposals.length === 0)
    return <EmptyState title={t('ntak_menu.none_title')} text={t('ntak_menu.none')} />;
  const take = async () => {
    const taken = rows.filter((row) => chosen.has(row.key)).flatMap((row) => row.parts);
    const body = { catalogue_version, rows: taken.map(takes) };
    await work(async (keyFor) => {
      const made = await calls.change(body, keyFor(body));
      notify.undo(t('ntak_menu.taken'), () => calls.undo(made.id));
    });
  };
  const outdated = error instanceof ApiError && error.code === 'NTAK_CHANGE_OUTDATED';
  return (
    <>
      <div className="ntak-bar">
        <ChooseAll keys={rows.map((row) => row.key)} chosen={chosen} onChoose={setChosen} />
        <Button type="primary" loading={busy} disabled={chosen.size === 0} onClick={() => void take()}>
          {t('ntak_menu.take', { number: number(chosen.size) })}
        </Button>
      </div>
      {error !== undefined && (
        <ProblemAlert
          error={error}
          onClose={dismiss}
          action={
            outdated ? (
              <Button size="small" onClick={() => void calls.again()}>
                {t('ntak_menu.again')}
              </Button>
            ) : undefined
          }
        />
      )}
      <Alert className="ntak-check" type="info" showIcon title={t('ntak_menu.check')} />
      <RowTable
        rows={rows}
        chosen={chosen}
        onChoose={setChosen}
        columns={[
          {
            key: 'current',
            title: t('ntak_menu.current'),
            render: (row) =>
              text(row.current_ntak_category_id, row.current_ntak_quantity_unit, row.current_ntak_quantity),
          },
          {
            key: 'proposed',
            title: t('ntak_menu.proposed'),
            render: (row) => (
              <>
                <b>{text(row.ntak_category_id, row.unit, row.ntak_quantity)}</b>{' '}
                {row.replaces && <Chip tone="warning">{t('ntak_menu.replaces')}</Chip>}
              </>
            ),
          },
        ]}
      />
    </>
  );
}
