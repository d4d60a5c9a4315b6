import { UndoOutlined } from '@ant-design/icons';
import { Table } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PartnerArchivedRestaurant } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import './partner.css';

interface Props {
  rows: PartnerArchivedRestaurant[];
  /** The one that is being brought back. */
  restoring: string | undefined;
  onRestore: (row: PartnerArchivedRestaurant) => void;
}

/** Archived restaurants of a company; each can be brought back for 30 days. Nothing is shown without any. */
export function ArchivedRestaurants({ rows, restoring, onRestore }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  if (rows.length === 0) return null;
  return (
    <Card flush title={t('partner_page.archived')} className="list-card">
      <Table
        rowKey="id"
        pagination={rows.length > 40 ? { pageSize: 40, showSizeChanger: false } : false}
        scroll={{ x: 'max-content' }}
        dataSource={rows}
        columns={[
          { key: 'name', title: t('field.name'), render: (_, row) => <b>{row.name}</b> },
          { key: 'city', title: t('partner_page.city'), render: (_, row) => row.city },
          {
            key: 'archived_at',
            title: t('partner_page.archived_at'),
            render: (_, row) => <span className="num">{format.dateTime(row.archived_at)}</span>,
          },
          { key: 'archived_by', title: t('partner_page.archived_by'), render: (_, row) => row.archived_by },
          {
            key: 'actions',
            align: 'right',
            title: <span className="sr-only">{t('list.actions')}</span>,
            render: (_, row) =>
              row.restorable ? (
                <span className="partner-row-actions">
                  <span className="partner-others">
                    {t('partner_page.restorable_until', { at: format.dateTime(row.restorable_until) })}
                  </span>
                  <Button
                    icon={<UndoOutlined />}
                    loading={restoring === row.id}
                    onClick={() => onRestore(row)}
                    aria-label={t('partner_page.bring_back_of', { name: row.name })}
                  >
                    {t('partner_page.bring_back')}
                  </Button>
                </span>
              ) : (
                <span className="partner-others">{t('partner_page.stays_archived')}</span>
              ),
          },
        ]}
      />
    </Card>
  );
}
