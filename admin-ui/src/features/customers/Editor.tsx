import { ArrowLeftOutlined, MergeCellsOutlined, UserDeleteOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShadowCustomerDetails } from '../../generated/model';
import { HistoryButton } from '../../lib/crud/History';
import { DraftPage } from '../../lib/form/DraftFrame';
import { useFormat } from '../../lib/format';
import { later } from '../../lib/later';
import { useSwitchedOn } from '../../lib/menu';
import { usePage } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { Card, PageHeader } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { Addresses } from './Addresses';
import { useCustomer } from './api';
import { BalanceCard, PointsCard } from './Ledgers';
import { customerFacts, pathLabel } from './facts';
import { ExternalIds, Notes, Person } from './Fields';
import { Figures } from './Figures';
import { MergedInto, MergedOnes } from './Merged';
import { Orders } from './Orders';
import { useAnonymise } from './useAnonymise';
import { useCustomerForm } from './useCustomerForm';

const MergeDrawer = later(() => import('./MergeDrawer'), 'over');

/** One customer, or (undefined id) a new one. */
export default function CustomerEditor({ id }: { id: string | undefined }) {
  const one = useCustomer(id);
  if (id !== undefined && !one.data)
    return (
      <>
        <PageHeader actions={<Back />} />
        <Card flush>
          <QueryFallback query={one} rows={8} />
        </Card>
      </>
    );
  return <Form row={id === undefined ? null : one.data!} />;
}

function Back() {
  const { t } = useTranslation();
  const { open } = usePage();
  return (
    <Button icon={<ArrowLeftOutlined />} onClick={() => void open()}>
      {t('customers.back')}
    </Button>
  );
}

function Form({ row }: { row: ShadowCustomerDetails | null }) {
  const { t } = useTranslation();
  const { open } = usePage();
  const form = useCustomerForm(row);
  const [merging, setMerging] = useState(false);
  // What was anonymised or merged can only be looked at.
  const locked = Boolean(row?.archived_at ?? row?.merged_into);
  const name = row ? row.name || t('customers.nameless') : t('shadow_customers.new');
  return (
    <>
      <PageHeader
        title={name}
        // Names do not stand in the browser's history either.
        tabTitle={t(row ? 'customers.one' : 'shadow_customers.new')}
        actions={
          <>
            {row && !row.archived_at && <HistoryButton recordId={row.id} name={name} />}
            {row && !locked && (
              <Button icon={<MergeCellsOutlined />} onClick={() => setMerging(true)}>
                {t('customers.merge')}
              </Button>
            )}
            <Back />
          </>
        }
      />
      <DraftPage
        form={form}
        maySave={!locked}
        mayEdit={!locked}
        factsOf={customerFacts}
        faultLabel={pathLabel}
        onSaved={(saved) => {
          if (!row) void open(saved.id, { replace: true });
        }}
      >
        {row?.merged_into && <MergedInto row={row} into={row.merged_into} />}
        {row?.archived_at && <Anonymised at={row.archived_at} />}
        <Cards row={row} form={form} locked={locked} />
      </DraftPage>
      {merging && row && <MergeDrawer row={row} onClose={() => setMerging(false)} />}
    </>
  );
}

function Anonymised({ at }: { at: string }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return <Alert type="info" showIcon title={t('customers.anonymised_at', { at: dateTime(at) })} />;
}

interface CardsProps {
  row: ShadowCustomerDetails | null;
  form: ReturnType<typeof useCustomerForm>;
  locked: boolean;
}

function Cards({ row, form, locked }: CardsProps) {
  const { t } = useTranslation();
  const features = useSwitchedOn().data;
  const anonymise = useAnonymise();
  if (!row)
    return (
      <div className="edit-grid">
        <div className="edit-main">
          <Person form={form} />
          <Notes form={form} />
        </div>
        <div className="edit-side">
          <ExternalIds form={form} />
        </div>
      </div>
    );
  return (
    <div className="edit-grid">
      <div className="edit-main">
        <Person form={form} />
        <Addresses row={row} locked={locked} />
        <Orders id={row.id} />
        {features?.includes('balance') && <BalanceCard row={row} locked={locked} />}
        {features?.includes('loyalty') && <PointsCard row={row} locked={locked} />}
      </div>
      <div className="edit-side">
        <Figures row={row} />
        <Notes form={form} />
        <ExternalIds form={form} />
        {row.merged.length > 0 && <MergedOnes row={row} />}
        {!locked && (
          <Card title={t('customers.anonymise')}>
            <p className="edit-lead">{t('customers.anonymise_text')}</p>
            <Button danger icon={<UserDeleteOutlined />} onClick={() => void anonymise(row, form.clean)}>
              {t('customers.anonymise')}
            </Button>
          </Card>
        )}
      </div>
    </div>
  );
}
