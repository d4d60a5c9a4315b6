import { useTranslation } from 'react-i18next';
import { exportsCreate } from '../../generated/client/restaurants/restaurants';
import { useMe } from '../../lib/me';
import { readKey, useRead } from '../../lib/query';
import { useRestaurant } from '../../lib/target';
import { Card, PageHeader } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { EmptyState } from '../../lib/ui/states';
import { Exports } from '../partner-page/Exports';
import { mayExport } from './mayExport';
import source from './work';

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
          <OwnExports />
        ) : (
          <Card>
            <EmptyState title={t('company_export.not_here')} text={t('company_export.not_here_text')} />
          </Card>
        )}
      </div>
    </>
  );
}

/** The tray watches them, in the same cache. */
function OwnExports() {
  const { t } = useTranslation();
  const { partner_id } = useRestaurant();
  const notify = useNotify();
  const query = useRead(readKey(source.call), ({ signal }) => source.read({ signal }));
  const start = async () => {
    await exportsCreate(partner_id);
    notify.success(t('work_company.begun'), t('work_company.in_tray'));
  };
  return <Exports query={query} start={start} empty={t('company_export.empty')} />;
}
