import { UploadOutlined, WarningOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ResourceList, type Column } from '../../lib/crud';
import { isWord } from '../../lib/features';
import { NONE, useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { useForget } from '../../lib/query';
import { Button } from '../../lib/ui/Button';
import { Chip } from '../../lib/ui/page';
import { useNotify } from '../../lib/ui/notify';
import type { PartnerRow } from './api';
import { fields } from './fields';
import { NewPartner } from './NewPartner';
import { Restore } from './Restore';
import { ModeChip, StatusChip } from './PartnerChips';
import './partners.css';

function useColumns(): Column<PartnerRow>[] {
  const format = useFormat();
  const { t } = useTranslation();
  return [
    {
      key: 'name',
      render: (row) => (
        <span className="partner-name">
          {row.name} <ModeChip mode={row.mode} />
        </span>
      ),
    },
    { key: 'status', render: (row) => <StatusChip status={row.status} /> },
    { key: 'restaurants' },
    { key: 'users' },
    {
      key: 'size_bytes',
      align: 'right',
      render: (row) =>
        row.server ? (
          t('partners.on_server', { name: row.server })
        ) : (
          <span className="num">{format.size(row.size_bytes ?? 0)}</span>
        ),
    },
    {
      key: 'last_activity_at',
      wideOnly: true,
      render: (row) =>
        row.last_activity_at ? (
          <span className="num" title={format.dateTime(row.last_activity_at)}>
            {format.ago(row.last_activity_at)}
          </span>
        ) : (
          NONE
        ),
    },
    { key: 'schema_version', wideOnly: true, render: (row) => <Schema row={row} /> },
  ];
}

/** All partners of the platform and what state each is in. */
export default function Partners() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const url = usePageUrl();
  const navigate = useNavigate();
  const notify = useNotify();
  const forget = useForget();
  const [restoring, setRestoring] = useState(false);

  const columns = useColumns();
  const onMade = (row: PartnerRow) => {
    void forget(['partnersList']);
    void navigate(url('partner_page', row.id));
  };
  return (
    <>
      <ResourceList
        resource="partners"
        fields={fields}
        lead={t('partners.lead')}
        columns={columns}
        actions={
          <Button icon={<UploadOutlined />} onClick={() => setRestoring(true)}>
            {t('partners.restore')}
          </Button>
        }
        filters={['status']}
        href={(row) => url('partner_page', row.id)}
        onOpen={(row) => void navigate(url('partner_page', row.id))}
        onNew={() => open('new')}
      />
      {isWord('new', path[0]) && (
        <NewPartner
          onClose={() => open()}
          onDone={(row) => {
            notify.success(t('partners.created', { name: row.name }), t('partners.created_text'));
            onMade(row);
          }}
        />
      )}
      {restoring && (
        <Restore
          onClose={() => setRestoring(false)}
          onDone={(row) => {
            notify.success(t('partners.restoring', { name: row.name }));
            onMade(row);
          }}
        />
      )}
    </>
  );
}

/** Whether the partner's data are as this release has them; one that a migration left behind says so. */
function Schema({ row }: { row: PartnerRow }) {
  const { t } = useTranslation();
  return (
    <span className="partner-name">
      {row.error ? (
        <Chip tone="error" icon={<WarningOutlined aria-hidden />}>
          {t('partners.set_aside')}
        </Chip>
      ) : (
        <Chip tone={row.current ? 'success' : 'warning'}>
          {t(row.current ? 'partners.up_to_date' : 'partners.outdated')}
        </Chip>
      )}
    </span>
  );
}
