import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { Table } from 'antd';
import { useMe } from '../../lib/me';
import { usePageUrl } from '../../lib/navigation';
import SupportDialog from '../../lib/support/SupportDialog';
import { supportOf } from '../../lib/support/api';
import { lastTarget } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { EmptyState } from '../../lib/ui/states';
import type { Partner } from '../partners/api';

/** The restaurants by group. Opening one asks for a support access. */
export function Restaurants({ partner }: { partner: Partner }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const navigate = useNavigate();
  const support = supportOf(useMe(), partner.id);
  const [asking, setAsking] = useState<string>();
  const groups = new Map(partner.groups.map((group) => [group.id, group.name]));
  const enter = (id: string) => {
    // So that the restaurant's page need not search for the partner.
    lastTarget.write({ partner_id: partner.id, restaurant_id: id });
    void navigate(`/r/${id}`);
  };
  const open = (id: string) => (support || partner.mode === 'demo' ? enter(id) : setAsking(id));
  return (
    <Card flush title={t('partners.restaurants')} className="list-card">
      {partner.restaurant_list.length === 0 ? (
        <EmptyState title={t('partner_page.no_restaurants_title')} text={t('partner_page.no_restaurants')} />
      ) : (
        <Table
          rowKey="id"
          pagination={partner.restaurant_list.length > 40 ? { pageSize: 40, showSizeChanger: false } : false}
          scroll={{ x: 'max-content' }}
          dataSource={partner.restaurant_list}
          columns={[
            { key: 'name', title: t('field.name'), render: (_, row) => <b>{row.name}</b> },
            { key: 'group', title: t('partner_page.group'), render: (_, row) => groups.get(row.group_id) },
            { key: 'city', title: t('partner_page.city'), render: (_, row) => row.city },
            {
              key: 'actions',
              align: 'right',
              title: <span className="sr-only">{t('list.actions')}</span>,
              render: (_, row) => (
                <span className="partner-row-actions">
                  <Link
                    className="row-link"
                    to={url('restaurant_switches', row.id)}
                    aria-label={t('partner_page.switches_of', { name: row.name })}
                  >
                    {t('partner_page.switches')}
                  </Link>
                  <Button
                    onClick={() => open(row.id)}
                    aria-label={t('partner_page.open_of', { name: row.name })}
                  >
                    {t('partner_page.open')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {asking && (
        <SupportDialog partner={partner} onClose={() => setAsking(undefined)} onDone={() => enter(asking)} />
      )}
    </Card>
  );
}
