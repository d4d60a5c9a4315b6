import { useList } from '@refinedev/core';
import { Select, Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import type { OrderEmail } from '../../generated/model';
import { useNarrow } from '../../lib/hooks';
import { usePage } from '../../lib/navigation';
import { Chip, PageHeader } from '../../lib/ui/page';
import { ErrorState, Loading } from '../../lib/ui/states';
import { SettingsHistoryButton } from '../audit/SettingsHistoryButton';
import { EmailEditor } from './EmailEditor';
import './emails.css';

const KINDS = [
  'received',
  'accepted',
  'replaced',
  'taken_back',
  'refused',
  'refunded',
  'notification',
  'not_accepted',
] as const;

/** The mails about an order, to guests and to the restaurant: on or off, the own words, how they look. */
export default function OrderEmails() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const list = useList<OrderEmail & { id?: string }>({
    resource: 'order_emails',
    pagination: { mode: 'off' },
    errorNotification: false,
  });
  const kind = KINDS.find((one) => one === path[0]) ?? KINDS[0];
  const rows = list.result.data;
  const row = rows.find((one) => one.kind === kind);
  const narrow = useNarrow();
  const kinds = KINDS.map((one) => ({
    key: one,
    label: (
      <>
        {t(`order_emails.kind.${one}`)}{' '}
        {rows.some((other) => other.kind === one && (!other.enabled || other.missing_address)) && (
          <Chip>{t('order_emails.off')}</Chip>
        )}
      </>
    ),
  }));
  return (
    <>
      <PageHeader lead={t('order_emails.lead')} actions={<SettingsHistoryButton group="order_emails" />} />
      {list.query.isError && (
        <ErrorState error={list.query.error} onRetry={() => void list.query.refetch()} />
      )}
      {list.query.isPending && <Loading />}
      {row && (
        <>
          {narrow ? (
            <Select
              className="emails-kinds"
              aria-label={t('order_emails.which')}
              value={kind}
              onChange={(next) => open(next)}
              options={kinds.map(({ key, label }) => ({ value: key, label }))}
            />
          ) : (
            <Tabs className="emails-tabs" activeKey={kind} onChange={(next) => open(next)} items={kinds} />
          )}
          <EmailEditor key={kind} row={row} />
        </>
      )}
    </>
  );
}
