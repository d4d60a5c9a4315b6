import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { archivedRestaurantsRestore } from '../../generated/client/restaurants/restaurants';
import { PlainRows } from '../../lib/crud';
import { useMe } from '../../lib/me';
import { usePageUrl } from '../../lib/navigation';
import SupportDialog from '../../lib/support/SupportDialog';
import { supportOf } from '../../lib/support/api';
import { lastTarget } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import { EmptyState } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import type { Partner } from '../partners/api';
import { ArchivedRestaurants } from './ArchivedRestaurants';
import './partner.css';

/** The restaurants by group, and archived ones. Opening one or bringing one back asks for a support access. */
export function Restaurants({ partner, refresh }: { partner: Partner; refresh: () => Promise<void> }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const notify = useNotify();
  const { doing: restoring, work } = useWork<string>();
  const support = supportOf(useMe(), partner.id);
  const [asking, setAsking] = useState<{ writable: boolean; next: () => void }>();
  const enter = (id: string) => {
    // So that the restaurant's page need not search for the partner.
    lastTarget.write({ partner_id: partner.id, restaurant_id: id });
    void navigate(`/r/${id}`);
  };
  const open = (id: string) =>
    support || partner.mode === 'demo' ? enter(id) : setAsking({ writable: false, next: () => enter(id) });
  const bringBack = ({ id, name }: { id: string; name: string }) =>
    void work(async () => {
      await archivedRestaurantsRestore(partner.id, id);
      await refresh();
      notify.success(t('partner_page.brought_back', { name }));
    }, id);
  return (
    <>
      <RestaurantTable partner={partner} onOpen={open} />
      <ArchivedRestaurants
        rows={partner.archived_restaurants}
        restoring={restoring}
        onRestore={(row) =>
          support?.writable || partner.mode === 'demo'
            ? bringBack(row)
            : setAsking({ writable: true, next: () => bringBack(row) })
        }
      />
      {asking && (
        <SupportDialog
          partner={partner}
          initial={{ reason: '', writable: asking.writable }}
          onClose={() => setAsking(undefined)}
          onDone={() => {
            setAsking(undefined);
            asking.next();
          }}
        />
      )}
    </>
  );
}

function RestaurantTable({ partner, onOpen }: { partner: Partner; onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const groups = new Map(partner.groups.map((group) => [group.id, group.name]));
  return (
    <Card flush title={t('partners.restaurants')} className="list-card">
      {partner.restaurant_list.length === 0 ? (
        <EmptyState title={t('partner_page.no_restaurants_title')} text={t('partner_page.no_restaurants')} />
      ) : (
        <PlainRows
          rows={partner.restaurant_list}
          rowKey={(row) => row.id}
          columns={[
            { key: 'name', title: t('field.name'), render: (row) => <b>{row.name}</b> },
            { key: 'group', title: t('partner_page.group'), render: (row) => groups.get(row.group_id) },
            { key: 'city', title: t('partner_page.city'), render: (row) => row.city },
          ]}
          rowActions={(row) => (
            <span className="partner-row-actions">
              <Link
                className="row-link"
                to={url('restaurant_switches', row.id)}
                aria-label={t('partner_page.switches_of', { name: row.name })}
              >
                {t('partner_page.switches')}
              </Link>
              <Button
                onClick={() => onOpen(row.id)}
                aria-label={t('partner_page.open_of', { name: row.name })}
              >
                {t('partner_page.open')}
              </Button>
            </span>
          )}
        />
      )}
    </Card>
  );
}
