import { UndoOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { MergedCustomer, ShadowCustomerDetails } from '../../generated/model';
import { useFormat } from '../../lib/format';
import { usePage, usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { Card } from '../../lib/ui/page';
import { useWork } from '../../lib/ui/work';
import { formatPhone } from '../order/phone';
import { useCustomerCalls } from './calls';

/** Takes a merge back. */
function Undo({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const calls = useCustomerCalls();
  const { busy, work } = useWork();
  const undo = async () => {
    await calls.unmerge(id);
    notify.success(t('customers.unmerged', { name }));
  };
  return (
    <Button
      icon={<UndoOutlined />}
      loading={busy}
      aria-label={t('customers.unmerge_of', { name })}
      onClick={() => void work(undo)}
    >
      {t('customers.unmerge')}
    </Button>
  );
}

/** That this one stands for nobody any more, and who does. */
export function MergedInto({ row, into }: { row: ShadowCustomerDetails; into: string }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const { feature } = usePage();
  const url = usePageUrl();
  return (
    <Alert
      type="warning"
      showIcon
      title={t('customers.merged_away', { at: dateTime(row.merged_at) })}
      description={
        <Link className="customer-link" to={url(feature!.key, into) + location.search}>
          {t('customers.merged_open')}
        </Link>
      }
      action={row.undo_until ? <Undo id={row.id} name={row.name} /> : undefined}
    />
  );
}

/** Those who were merged into this one. */
export function MergedOnes({ row }: { row: ShadowCustomerDetails }) {
  const { t } = useTranslation();
  return (
    <Card title={t('customers.merged_ones')}>
      <ul className="customer-rows" aria-label={t('customers.merged_ones')}>
        {row.merged.map((one) => (
          <li key={one.id}>
            <MergedOne one={one} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function MergedOne({ one }: { one: MergedCustomer }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const name = one.name || t('customers.nameless');
  const contact = [
    one.phone_1 && formatPhone(one.phone_1),
    one.phone_2 && formatPhone(one.phone_2),
    one.email,
  ];
  return (
    <>
      <span className="customer-row-main">
        <b>{name}</b>
        <span>{contact.filter(Boolean).join(', ')}</span>
        <span className="edit-help">
          {one.undo_until
            ? t('customers.merged_until', { at: dateTime(one.merged_at), until: dateTime(one.undo_until) })
            : t('customers.merged_at', { at: dateTime(one.merged_at) })}
        </span>
      </span>
      {one.undo_until && <Undo id={one.id} name={name} />}
    </>
  );
}
