import { ArrowLeftOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomerBalance } from '../../generated/model';
import type { Column } from '../../lib/crud';
import { useFormat } from '../../lib/format';
import { useSwitchedOn } from '../../lib/menu';
import { usePage } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { EmptyState, QueryFallback } from '../../lib/ui/states';
import { formatPhone } from '../order/phone';
import { useBalancePage } from './api';
import { filtersOf } from './filters';
import { HeldList } from './HeldList';
import { ListTools } from './ListTools';
import { Balance, None } from './parts';
import { useFilterWords } from './useFilterWords';
import { useHeldListState } from './useHeldListState';

/** The customers whose balance has ever moved. */
export default function Balances() {
  const { t } = useTranslation();
  const { open } = usePage();
  const features = useSwitchedOn();
  return (
    <>
      <PageHeader
        title={t('customers.balances')}
        lead={t('customers.balances_lead')}
        actions={
          <Button icon={<ArrowLeftOutlined />} onClick={() => void open(undefined, { dropQuery: true })}>
            {t('customers.back')}
          </Button>
        }
      />
      {features.data === undefined ? (
        <Card flush>
          <QueryFallback query={features} rows={8} />
        </Card>
      ) : features.data.includes('balance') ? (
        <List />
      ) : (
        <Card flush>
          <EmptyState title={t('customers.balance_off')} text={t('customers.balance_off_text')} />
        </Card>
      )}
    </>
  );
}

function List() {
  const { t } = useTranslation();
  const state = useHeldListState(['balance']);
  const query = useBalancePage(state);
  const columns = useColumns();
  const wordsOf = useFilterWords();
  const words = [
    ...(state.search ? [`„${state.search}”`] : []),
    ...wordsOf(filtersOf(state.filters)).map(({ text }) => text),
  ];
  return (
    <HeldList
      query={query}
      state={state}
      columns={columns}
      tools={<ListTools state={state} balance plain />}
      filters={`${t('list.filtered_by')} ${words.join('; ')}`}
      empty={<EmptyState title={t('customers.balances_none')} text={t('customers.balances_none_text')} />}
    />
  );
}

function useColumns(): Column<ShadowCustomerBalance>[] {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return [
    {
      key: 'name',
      title: t('shadow_customers.name'),
      render: ({ name }) => <span className="customer-name">{name || t('customers.nameless')}</span>,
    },
    {
      key: 'phone_1',
      title: t('shadow_customers.phone_1'),
      render: ({ phone_1 }) => (phone_1 ? <span className="num">{formatPhone(phone_1)}</span> : <None />),
    },
    {
      key: 'last_transaction_at',
      title: t('customers.last_transaction_at'),
      render: ({ last_transaction_at }) =>
        last_transaction_at ? <span className="num">{dateTime(last_transaction_at)}</span> : <None />,
    },
    {
      key: 'balance',
      title: t('shadow_customers.balance'),
      align: 'right',
      render: ({ balance }) => <Balance value={balance} />,
    },
  ];
}
