import { useTranslation } from 'react-i18next';
import { exportsCreate, exportsList } from '../../generated/client/restaurants/restaurants';
import { useMe } from '../../lib/me';
import { useRestaurant } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState } from '../../lib/ui/states';
import { Exports } from '../partner-page/Exports';
import { mayExport } from './mayExport';

/** Everything of the company in one archive. */
export default function CompanyExport() {
  const { t } = useTranslation();
  const me = useMe();
  const { partner_id } = useRestaurant();
  return (
    <>
      <PageHeader lead={t('company_export.lead')} />
      <div className="page-cards">
        {mayExport(me, partner_id) ? (
          <Exports
            partnerId={partner_id}
            read={() => exportsList(partner_id)}
            start={() => exportsCreate(partner_id)}
            empty={t('company_export.empty')}
          />
        ) : (
          <Card>
            <EmptyState title={t('company_export.not_here')} text={t('company_export.not_here_text')} />
          </Card>
        )}
      </div>
    </>
  );
}
