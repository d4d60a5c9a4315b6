import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useListState } from '../../lib/crud';
import { ListFoot } from '../../lib/crud/listParts';
import '../../lib/crud/list.css';
import { toInstant } from '../../lib/fields/zone';
import { useFormat } from '../../lib/format';
import { useMe } from '../../lib/me';
import { useRead } from '../../lib/query';
import { useRestaurantIfAny } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, ErrorState, Loading, NothingMatches } from '../../lib/ui/states';
import { AuditLines } from './AuditLines';
import { Filters } from './Filters';
import { dayOf, FILTERS, type Log, logKey, readLog } from './model';

/**
 * Who did what, when: of this restaurant, of the whole company, or, outside every restaurant, of the
 * platform.
 */
export default function Audit() {
  const { t } = useTranslation();
  const restaurant = useRestaurantIfAny();
  const me = useMe();
  const { number } = useFormat();
  const state = useListState(FILTERS);
  const [params] = useSearchParams();
  const whole =
    restaurant &&
    (me.super_admin ||
      me.targets.some(
        (target) => target.partner_id === restaurant.partner_id && target.target_type === 'Partner',
      ));
  const company = Boolean(whole) && params.get('of') === 'company';
  const log: Log = !restaurant ? 'platform_audit' : company ? 'partner_audit' : 'audit';
  const query = useLog(log, state);
  const { rows = [], total = 0 } = query.data ?? {};

  let body: ReactNode;
  if (query.isError && !query.data)
    body = <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  else if (query.isLoading) body = <Loading rows={8} />;
  else if (total === 0 && state.filtered) body = <NothingMatches onClear={state.clear} />;
  else if (total === 0) body = <EmptyState title={t('audit.empty_title')} text={t('audit.empty')} />;
  else
    body = (
      <AuditLines
        rows={rows}
        places={log !== 'audit'}
        onRecord={(line) => state.set({ filters: { record_id: [line.record_id!] } })}
      />
    );
  return (
    <>
      <PageHeader
        lead={t(restaurant ? 'audit.lead' : 'audit.lead_platform')}
        actions={whole && <OfSwitch company={company} />}
      />
      <Card flush className="list-card">
        <Filters log={log} state={state} />
        <div aria-busy={query.isFetching}>{body}</div>
        {total > 0 && (
          <ListFoot
            state={state}
            total={total}
            stale={query.isPlaceholderData}
            text={t('list.total', { total: number(total) })}
          />
        )}
      </Card>
    </>
  );
}

type ListState = ReturnType<typeof useListState>;

/** A page of the log as the filters have it. */
function useLog(log: Log, state: ListState) {
  const { zone } = useFormat();
  const one = (name: string) => state.filters[name]?.[0];
  const [from, till] = [dayOf(one('from')), dayOf(one('till'))];
  const filters: Record<string, string> = {
    // Days as the restaurant's clock has them; the last one counts whole.
    ...(from ? { from: toInstant(dayjs(from).startOf('day'), zone) } : {}),
    ...(till ? { till: toInstant(dayjs(till).startOf('day').add(1, 'day'), zone) } : {}),
    ...Object.fromEntries(
      (['name', 'action', 'record_id'] as const).flatMap((name) => (one(name) ? [[name, one(name)!]] : [])),
    ),
  };
  return useRead(
    logKey(log, filters, state.page),
    ({ signal }) => readLog(log, filters, state.page, signal),
    { placeholderData: (old, before) => (before?.queryKey[0] === logKey(log)[0] ? old : undefined) },
  );
}

/** Of this restaurant, or of the whole company. */
function OfSwitch({ company }: { company: boolean }) {
  const { t } = useTranslation();
  const [, setParams] = useSearchParams();
  const choose = (of: string | undefined) =>
    setParams((old) => {
      const next = new URLSearchParams(old);
      next.delete('page');
      if (of) next.set('of', of);
      else next.delete('of');
      return next;
    });
  return (
    <div className="langs" role="group" aria-label={t('audit.of')}>
      <button type="button" aria-pressed={!company} onClick={() => choose(undefined)}>
        {t('audit.of_restaurant')}
      </button>
      <button type="button" aria-pressed={company} onClick={() => choose('company')}>
        {t('audit.of_company')}
      </button>
    </div>
  );
}
