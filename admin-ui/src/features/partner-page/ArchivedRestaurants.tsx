import { UndoOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { PartnerArchivedRestaurant } from '../../generated/model';
import { PlainRows } from '../../lib/crud';
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
      <PlainRows
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          { key: 'name', title: t('field.name'), render: (row) => <b>{row.name}</b> },
          { key: 'city', title: t('partner_page.city'), wideOnly: true, render: (row) => row.city },
          {
            key: 'archived_at',
            title: t('partner_page.archived_at'),
            render: (row) => <span className="num">{format.dateTime(row.archived_at)}</span>,
          },
          {
            key: 'archived_by',
            title: t('partner_page.archived_by'),
            wideOnly: true,
            render: (row) => row.archived_by,
          },
          {
            key: 'restorable_until',
            title: t('partner_page.restorable_until'),
            render: (row) =>
              row.restorable ? (
                <span className="num">{format.dateTime(row.restorable_until)}</span>
              ) : (
                <span className="partner-others">{t('partner_page.stays_archived')}</span>
              ),
          },
        ]}
        rowActions={(row) =>
          row.restorable && (
            <Button
              icon={<UndoOutlined />}
              loading={restoring === row.id}
              onClick={() => onRestore(row)}
              aria-label={t('partner_page.bring_back_of', { name: row.name })}
            >
              {t('partner_page.bring_back')}
            </Button>
          )
        }
      />
    </Card>
  );
}
