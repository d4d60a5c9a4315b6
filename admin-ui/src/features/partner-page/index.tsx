import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router';
import { useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { readKey, useForget, useRead } from '../../lib/query';
import { Card, Facts, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { type Partner, readExports, readPartner, startExport } from '../partners/api';
import { ModeChip, StatusChip } from '../partners/PartnerChips';
import { Actions } from './Actions';
import { Exports, isMade } from './Exports';
import { Restaurants } from './Restaurants';
import { StateAlerts } from './StateAlerts';
import './partner.css';

/** While a partner is being made or worked on, this often. */
const WATCH_MS = 3_000;

/** The partner, read again while it is being made or worked on. */
function usePartner(id: string) {
  const forget = useForget();
  const query = useRead(readKey('partnersGet', id), ({ signal }) => readPartner(id, signal), {
    enabled: id !== '',
    refetchInterval: ({ state }) =>
      ['creating', 'maintenance'].includes(state.data?.status ?? '') ? WATCH_MS : false,
  });
  return { query, refresh: () => forget(['partnersList', 'partnersGet', 'platform_exports']) };
}

/** Archives of the partner, read again while one is being made: no tray tells of them outside a restaurant. */
const useExports = (id: string) =>
  useRead(readKey('platformExportsList', id), () => readExports(id), {
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data?.some(isMade) ? WATCH_MS : false),
  });

/** One partner: data, state, and all actions of a super admin. */
export default function PartnerPage() {
  const { t } = useTranslation();
  const { path } = usePage();
  const url = usePageUrl();
  const navigate = useNavigate();
  const id = path[0] ?? '';
  const { query, refresh } = usePartner(id);
  const exported = useExports(id);
  if (id === '') return <Navigate to={url('partners')} replace />;
  if (!query.data)
    return (
      <>
        <PageHeader />
        <Card>
          <QueryFallback query={query} rows={8} />
        </Card>
      </>
    );
  const partner = query.data;
  return (
    <>
      <PageHeader
        title={partner.name}
        mark={
          <span className="partner-chips">
            <StatusChip status={partner.status} />
            <ModeChip mode={partner.mode} />
          </span>
        }
        actions={
          <Actions
            partner={partner}
            refresh={refresh}
            onCloned={(clone) => void navigate(url('partner_page', clone.id))}
          />
        }
      />
      <StateAlerts partner={partner} refresh={refresh} />
      <div className="page-cards">
        <Card title={t('partner_page.facts')}>
          <PartnerFacts partner={partner} />
        </Card>
        <Restaurants partner={partner} refresh={refresh} />
        <Exports
          query={exported}
          reasonRequired
          start={(reason) => startExport(id, reason)}
          blocked={partner.status === 'creating'}
          empty={t('partner_page.no_exports')}
        />
      </div>
    </>
  );
}

function PartnerFacts({ partner }: { partner: Partner }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Facts
      rows={[
        [t('partners.restaurants'), format.number(partner.restaurants)],
        [t('partners.users'), format.number(partner.users)],
        [t('partners.size_bytes'), format.size(partner.size_bytes)],
        [t('partners.last_activity_at'), format.dateTime(partner.last_activity_at)],
        [t('field.created_at'), format.dateTime(partner.created_at)],
      ]}
    />
  );
}
