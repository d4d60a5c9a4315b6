import { DownloadOutlined, PlusOutlined, UploadOutlined, WalletOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ShadowCustomer } from '../../generated/model';
import { useCan } from '../../lib/access';
import type { Column } from '../../lib/crud';
import { save } from '../../lib/download';
import { useFormat } from '../../lib/format';
import { useNarrow } from '../../lib/hooks';
import { useSwitchedOn } from '../../lib/menu';
import { usePage, usePageUrl } from '../../lib/navigation';

import { Button } from '../../lib/ui/Button';
import { PageHeader } from '../../lib/ui/page';
import { EmptyState } from '../../lib/ui/states';
import { useWork } from '../../lib/ui/work';
import { formatPhone } from '../order/phone';
import { useCustomerPage } from './api';
import { useCustomerCalls } from './calls';
import { FILTERS, filtersOf, SORTS } from './filters';
import { HeldList } from './HeldList';
import { ListTools } from './ListTools';
import { Balance, None } from './parts';
import { useFilterWords } from './useFilterWords';
import { useHeldListState } from './useHeldListState';

/** Everybody who ordered here or was entered here. */
export function CustomerList() {
  const { t } = useTranslation();
  const { open } = usePage();
  const switchedOn = useSwitchedOn().data;
  const balance = switchedOn?.includes('balance') ?? false;
  const state = useHeldListState(FILTERS);
  const query = useCustomerPage(state);
  const wordsOf = useFilterWords();
  const columns = useColumns(balance, switchedOn?.includes('loyalty') ?? false);
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => void open('new')}>
      {t('shadow_customers.new')}
    </Button>
  );
  const words = [
    ...(state.search ? [`„${state.search}”`] : []),
    ...wordsOf(filtersOf(state.filters)).map(({ text }) => text),
  ];
  return (
    <>
      <PageHeader lead={t('customers.lead')} actions={<Actions balance={balance}>{add}</Actions>} />
      <HeldList
        query={query}
        state={state}
        columns={columns}
        sorts={SORTS}
        tools={<ListTools state={state} balance={balance} />}
        filters={`${t('list.filtered_by')} ${words.join('; ')}`}
        empty={
          <EmptyState
            title={t('shadow_customers.empty_title')}
            text={t('shadow_customers.empty')}
            actions={add}
          />
        }
      />
    </>
  );
}

/** Balances, import and export beside the button for a new customer; only icons on phones. */
function Actions({ balance, children }: { balance: boolean; children: React.ReactNode }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const can = useCan();
  const { feature, open } = usePage();
  const url = usePageUrl();
  const { exportAll } = useCustomerCalls();
  const { busy, work } = useWork();
  const named = (label: string) => (narrow ? { 'aria-label': label } : { children: label });
  return (
    <>
      {balance && (
        <Link
          className="button-link"
          to={url(feature!.key, 'balances')}
          aria-label={narrow ? t('customers.balances') : undefined}
        >
          <WalletOutlined aria-hidden />
          {!narrow && t('customers.balances')}
        </Link>
      )}
      <Button
        icon={<UploadOutlined />}
        onClick={() => void open('import', { dropQuery: true })}
        {...named(t('customers.import'))}
      />
      {can('customer_export') && (
        <Button
          icon={<DownloadOutlined />}
          loading={busy}
          onClick={() => void work(async () => save(t('customers.export_file'), await exportAll()))}
          {...named(t('customers.export'))}
        />
      )}
      {children}
    </>
  );
}

function useColumns(balance: boolean, points: boolean): Column<ShadowCustomer>[] {
  const { t } = useTranslation();
  const { number, money, dateTime } = useFormat();
  const label = (name: string) => t(`shadow_customers.${name}`);
  return [
    {
      key: 'name',
      title: label('name'),
      render: ({ name }) => <span className="customer-name">{name || t('customers.nameless')}</span>,
    },
    {
      key: 'phone_1',
      title: label('phone_1'),
      render: ({ phone_1 }) => (phone_1 ? <span className="num">{formatPhone(phone_1)}</span> : <None />),
    },
    {
      key: 'email',
      title: label('email'),
      wideOnly: true,
      render: ({ email }) => email ?? <None />,
    },
    {
      key: 'order_number',
      title: label('order_number'),
      align: 'right',
      render: ({ order_number }) => <span className="num">{number(order_number)}</span>,
    },
    {
      key: 'order_total_sum',
      title: label('order_total_sum'),
      align: 'right',
      render: ({ order_total_sum }) => <span className="num">{money(order_total_sum)}</span>,
    },
    {
      key: 'last_order_at',
      title: label('last_order_at'),
      wideOnly: true,
      render: ({ last_order_at }) =>
        last_order_at ? <span className="num">{dateTime(last_order_at)}</span> : <None />,
    },
    ...(balance
      ? [
          {
            key: 'balance',
            title: label('balance'),
            align: 'right' as const,
            render: (row: ShadowCustomer) => <Balance value={row.balance} />,
          },
        ]
      : []),
    ...(points
      ? [
          {
            key: 'points',
            title: label('points'),
            align: 'right' as const,
            wideOnly: true,
            render: (row: ShadowCustomer) => <span className="num">{number(row.points)}</span>,
          },
        ]
      : []),
  ];
}
