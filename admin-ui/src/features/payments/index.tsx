import { Select, Tabs } from 'antd';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useNarrow, useStanding } from '../../lib/hooks';
import { loadFeatureTexts } from '../../lib/i18n';
import { later } from '../../lib/later';
import { usePage } from '../../lib/navigation';
import { useRestaurant } from '../../lib/target';
import { PageHeader } from '../../lib/ui/page';
import { useReload } from './api';
import { PaymentDrawer } from './PaymentDrawer';
import { PaymentsTab } from './PaymentsTab';
import { ReconcilingTab } from './reconciling/ReconcilingTab';
import { RefundsTab } from './RefundsTab';
import '../../lib/crud/list.css';
import '../order/parts.css';
import '../order/payments/payments.css';
import './payments.css';

// After the page: it is seldom there.
const Pause = later(
  async () => (await Promise.all([import('../payment-pause'), loadFeatureTexts('payment-pause')]))[0],
  'quiet',
);

/** The tabs, by their name in the address; the first one has none there. */
const TABS: Record<string, ComponentType<{ onChanged: () => void }>> = {
  payments: PaymentsTab,
  refunds: RefundsTab,
  reconciling: ReconcilingTab,
};
const FIRST = Object.keys(TABS)[0]!;

/** Payments, refunds and comparisons of the restaurant (`?tab=`), and one payment in a drawer (`/{id}`). */
export default function Payments() {
  // What is shown is of one restaurant.
  return <Screen key={useRestaurant().id} />;
}

function Screen() {
  const { t } = useTranslation();
  const { path, open } = usePage();
  const [params] = useSearchParams();
  const tab = params.get('tab') ?? FIRST;
  const shown = Object.hasOwn(TABS, tab) ? tab : FIRST;
  const Tab = TABS[shown]!;
  const reload = useReload();
  const standing = useStanding();
  return (
    <>
      <PageHeader lead={t('payments.lead')} />
      {standing && <Pause />}
      <TabChoice tab={shown} />
      <Tab key={shown} onChanged={reload} />
      {path[0] && <PaymentDrawer key={path[0]} id={path[0]} onChanged={reload} onClose={() => void open()} />}
    </>
  );
}

function TabChoice({ tab }: { tab: string }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [, setParams] = useSearchParams();
  // The filters of a list are not those of another.
  const choose = (next: string) => setParams(next === FIRST ? {} : { tab: next });
  const tabs = Object.keys(TABS).map((key) => ({ key, label: t(`payments.tab.${key}`) }));
  return narrow ? (
    <Select
      className="payments-tab"
      aria-label={t('payments.tabs')}
      value={tab}
      onChange={choose}
      options={tabs.map(({ key, label }) => ({ value: key, label }))}
    />
  ) : (
    <Tabs activeKey={tab} onChange={choose} items={tabs} />
  );
}
