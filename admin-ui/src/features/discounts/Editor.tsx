import { BarChartOutlined, BarcodeOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Discount } from '../../generated/model';
import { useCan } from '../../lib/access';
import { HistoryButton } from '../../lib/crud/History';
import { DraftDrawer } from '../../lib/form/DraftFrame';
import { useFormat } from '../../lib/format';
import { usePageUrl } from '../../lib/navigation';
import { Button } from '../../lib/ui/Button';
import { useNotify } from '../../lib/ui/notify';
import { sizeLabel, useSizes } from '../categories-and-products/shared/sizes';
import { useCategoryChoices, useCompanyRestaurants, useDiscount } from './api';
import { BasicFields } from './BasicFields';
import { discountFacts, pathLabel, type Words } from './facts';
import { Section, StateChip } from './parts';
import { ProductFields } from './ProductFields';
import { RangeFields } from './RangeFields';
import { RelatedCustomers } from './RelatedCustomers';
import { LimitFields, PlatformField, RestaurantField, RuleFields } from './ScopeFields';
import { TimeFields } from './TimeFields';
import { TryOut } from './TryOut';
import { type DiscountForm, DISCOUNTS, useDiscountForm } from './useDiscountForm';
import { useRemoveDiscount } from './useRowActions';
import { type HeldPin, usePin } from '../../lib/pin/usePin';

/** A promotion over the list; undefined id: a new one. */
export default function DiscountEditor({ id }: { id: string | undefined }) {
  const url = usePageUrl();
  const navigate = useNavigate();
  const notify = useNotify();
  const [generation, setGeneration] = useState(0);
  const one = useDiscount(id);
  // The list stays; what is wrong is said above it.
  useEffect(() => {
    if (!one.isError) return;
    notify.problem(one.error);
    void navigate(url(DISCOUNTS) + location.search, { replace: true });
    // once per failure
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [one.isError]);
  if (id !== undefined && !one.data) return null;
  return (
    <Form
      key={generation}
      row={id === undefined ? null : one.data!}
      onAnother={() => setGeneration((now) => now + 1)}
    />
  );
}

function Form({ row, onAnother }: { row: Discount | null; onAnother: () => void }) {
  const { t } = useTranslation();
  const url = usePageUrl();
  const navigate = useNavigate();
  const held = usePin();
  const form = useDiscountForm({ row, pin: held.pin });
  const words = useWords(row);
  const remove = useRemoveDiscount();
  const whole = useCan()('system_general@partner');
  const mayEdit = row?.editable ?? true;
  const name = row?.name ?? '';
  const list = () => url(DISCOUNTS) + location.search;
  return (
    <DraftDrawer
      form={form}
      width={860}
      title={row ? name : t('discounts.new')}
      extra={row && <HistoryButton recordId={row.id} name={name} company={whole} />}
      maySave={mayEdit}
      mayEdit={mayEdit}
      factsOf={(draft) => discountFacts(draft, words)}
      faultLabel={(path) => pathLabel(path, form.draft)}
      onClose={() => void navigate(list())}
      onSaved={() => void navigate(list())}
      onAnother={onAnother}
      removeLabel={t('discounts.archive')}
      onRemove={
        row && mayEdit
          ? () =>
              void remove(row, () => {
                form.clean();
                return navigate(list());
              })
          : undefined
      }
    >
      {!mayEdit && (
        <Alert
          className="page-alert"
          type="info"
          showIcon
          title={t('discounts.not_editable')}
          description={t('discounts.not_editable_text')}
        />
      )}
      {row && <Standing row={row} />}
      <Sections form={form} held={held} />
    </DraftDrawer>
  );
}

/** Where a saved one stands, and the way to its figures and codes. */
function Standing({ row }: { row: Discount }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const url = usePageUrl();
  const navigate = useNavigate();
  return (
    <div className="discount-standing">
      <StateChip row={row} />
      <span>{t('discounts.used_times', { count: row.use_qty, number: number(row.use_qty) })}</span>
      <span className="form-buttons-gap" />
      <Button icon={<BarChartOutlined />} onClick={() => void navigate(url(DISCOUNTS, `${row.id}/usage`))}>
        {t('discounts.usage')}
      </Button>
      {row.discount_type === 'coupon' && (
        <Button icon={<BarcodeOutlined />} onClick={() => void navigate(url(DISCOUNTS, `${row.id}/codes`))}>
          {t('discounts.codes')}
        </Button>
      )}
    </div>
  );
}

function Sections({ form, held }: { form: DiscountForm; held: HeldPin }) {
  const { t } = useTranslation();
  const upsell = form.draft.discount_type === 'upsell';
  return (
    <>
      <BasicFields form={form} />
      <Section title={t('discounts.section_ranges')} lead={t('discounts.section_ranges_lead')}>
        <RangeFields form={form} />
      </Section>
      <Section title={t('discounts.section_availability')}>
        <PlatformField form={form} />
        <RestaurantField form={form} />
        {!upsell && <ProductFields form={form} />}
        <RuleFields form={form} />
        {!upsell && <LimitFields form={form} />}
      </Section>
      {!upsell && (
        <>
          <Section title={t('discounts.section_time')}>
            <TimeFields form={form} />
          </Section>
          <Section title={t('discounts.section_customers')}>
            <RelatedCustomers form={form} held={held} />
          </Section>
        </>
      )}
      <TryOut form={form} held={held} />
    </>
  );
}

/** Names of what a draft holds by ids. */
function useWords(row: Discount | null): Words {
  const { t } = useTranslation();
  const format = useFormat();
  const restaurants = useCompanyRestaurants();
  const categories = useCategoryChoices();
  const sizes = useSizes();
  const names = useMemo(
    () =>
      new Map<string, string>([
        ...(row?.restaurants ?? []).map(({ id, name }) => [id, name] as const),
        ...(row?.product_categories ?? []).map(({ id, name }) => [id, name] as const),
        ...(row?.subproducts ?? []).map((size) => [size.id, sizeLabel(size)] as const),
        ...(restaurants ?? []).map(({ id, name }) => [id, name] as const),
        ...(categories ?? []).map(({ id, label }) => [id, label] as const),
        ...(sizes ?? []).map((size) => [size.id, sizeLabel(size)] as const),
      ]),
    [row, restaurants, categories, sizes],
  );
  const nameOf = (id: string) => names.get(id) ?? t('discounts.gone');
  return { format, restaurant: nameOf, category: nameOf, size: nameOf };
}
