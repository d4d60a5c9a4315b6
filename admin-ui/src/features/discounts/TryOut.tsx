import { CloseOutlined, PlayCircleOutlined, PlusOutlined } from '@ant-design/icons';
import { Alert, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { discountsTry } from '../../generated/client/orders/orders';
import type {
  DiscountPlatform,
  DiscountTrial,
  DiscountTrialResult,
  NewDiscount,
  Quote,
  ShadowCustomer,
} from '../../generated/model';
import DateTimeInput from '../../lib/fields/DateTimeInput';
import { explain } from '../../lib/problem';
import { useFormat } from '../../lib/format';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { SizeSelect } from '../categories-and-products/shared/sizes';
import { discountBody, PLATFORMS } from './draft';
import { Section, TickField } from './parts';
import { PinGate } from './PinGate';
import { CustomerPicker } from './RelatedCustomers';
import type { DiscountForm } from './useDiscountForm';
import type { HeldPin } from './usePin';

/** Platforms on which the guest chooses between delivery and fetching it. */
const OPEN: readonly DiscountPlatform[] = ['android', 'ios', 'browser', 'messenger', 'phone'];

interface Line {
  key: number;
  subproduct_id: string | null;
  quantity: number | null;
}

/** How and when the cart is ordered. */
interface Circumstances {
  platform: DiscountPlatform;
  pickup: boolean;
  at: string | null;
  code: string;
}

interface Props {
  form: DiscountForm;
  held: HeldPin;
}

/** What a cart costs now, and with what the form says: nothing is saved. */
export function TryOut({ form, held }: Props) {
  const { t } = useTranslation();
  const [lines, setLines] = useState<Line[]>([{ key: 0, subproduct_id: null, quantity: 1 }]);
  const [where, setWhere] = useState<Circumstances>({
    platform: 'browser',
    pickup: false,
    at: null,
    code: '',
  });
  const [customer, setCustomer] = useState<ShadowCustomer>();
  const [result, setResult] = useState<DiscountTrialResult>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const items = lines.flatMap(({ subproduct_id, quantity }) =>
    subproduct_id && quantity ? [{ subproduct_id, quantity }] : [],
  );
  const run = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { usages: _, ...draft } = discountBody(form.draft);
      const cart: DiscountTrial['cart'] = {
        platform: where.platform,
        pickup: OPEN.includes(where.platform) && where.pickup,
        items,
        ...(where.code.trim() ? { coupon_code: where.code.trim() } : {}),
        ...(customer && held.pin !== undefined ? { customer_id: customer.id } : {}),
      };
      const body: DiscountTrial = {
        cart,
        draft: draft as unknown as NewDiscount,
        ...(form.row ? { draft_of: form.row.id } : {}),
        ...(where.at ? { ordered_at: where.at } : {}),
      };
      setResult(await discountsTry(...here(), body, {}, held.pin === undefined ? {} : { 'X-Pin': held.pin }));
    } catch (error) {
      setResult(undefined);
      setProblem(explain(error).text);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t('discounts.try')} lead={t('discounts.try_lead')}>
      <div className="discount-try">
        <Lines lines={lines} setLines={setLines} />
        <Where value={where} onChange={setWhere} />
        <Guest held={held} customer={customer} onChoose={setCustomer} />
        <div>
          <Button
            icon={<PlayCircleOutlined />}
            loading={busy}
            disabled={items.length === 0}
            onClick={() => void run()}
          >
            {t('discounts.try_run')}
          </Button>
        </div>
        <div role="status">
          {problem && <Alert type="warning" showIcon title={problem} />}
          {result && (
            <div className="discount-try-results">
              <Outcome title={t('discounts.try_now')} quote={result.now} />
              {result.draft && (
                <Outcome title={t('discounts.try_draft')} quote={result.draft} own={form.draft.name} />
              )}
            </div>
          )}
        </div>
      </div>
    </Section>
  );
}

/** What is in the cart. */
function Lines({ lines, setLines }: { lines: Line[]; setLines: (lines: Line[]) => void }) {
  const { t } = useTranslation();
  const change = (key: number, part: Partial<Line>) =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...part } : line)));
  const nextKey = Math.max(...lines.map(({ key }) => key)) + 1;
  return (
    <>
      {lines.map((line) => (
        <div className="discount-try-line" key={line.key}>
          <SizeSelect
            label={t('discounts.try_item')}
            value={line.subproduct_id}
            onChange={(subproduct_id) => change(line.key, { subproduct_id })}
          />
          <NumberInput
            aria-label={t('discounts.try_quantity')}
            min={1}
            max={999}
            precision={0}
            value={line.quantity}
            onChange={(quantity) =>
              change(line.key, { quantity: quantity === null ? null : Number(quantity) })
            }
          />
          {lines.length > 1 && (
            <Button
              type="text"
              icon={<CloseOutlined />}
              aria-label={t('discounts.try_drop')}
              onClick={() => setLines(lines.filter(({ key }) => key !== line.key))}
            />
          )}
        </div>
      ))}
      <Button
        icon={<PlusOutlined />}
        onClick={() => setLines([...lines, { key: nextKey, subproduct_id: null, quantity: 1 }])}
      >
        {t('discounts.try_add')}
      </Button>
    </>
  );
}

function Where({ value, onChange }: { value: Circumstances; onChange: (value: Circumstances) => void }) {
  const { t } = useTranslation();
  const set = (part: Partial<Circumstances>) => onChange({ ...value, ...part });
  return (
    <>
      <div className="field-line">
        <div className="edit-field">
          <label className="edit-label" htmlFor="try-platform">
            {t('discounts.try_platform')}
          </label>
          <Select<DiscountPlatform>
            id="try-platform"
            className="edit-wide"
            value={value.platform}
            onChange={(platform) => set({ platform })}
            options={PLATFORMS.map((one) => ({ value: one, label: t(`discounts.platforms.${one}`) }))}
          />
        </div>
        <div className="edit-field">
          <label className="edit-label" htmlFor="try-at">
            {t('discounts.try_at')}
          </label>
          <DateTimeInput id="try-at" value={value.at} onChange={(at) => set({ at })} />
        </div>
        <div className="edit-field">
          <label className="edit-label" htmlFor="try-code">
            {t('discounts.try_code')}
          </label>
          <Input
            id="try-code"
            autoComplete="off"
            maxLength={100}
            value={value.code}
            onChange={(event) => set({ code: event.target.value })}
          />
        </div>
      </div>
      {OPEN.includes(value.platform) && (
        <TickField
          label={t('discounts.try_pickup')}
          value={value.pickup}
          onChange={(pickup) => set({ pickup })}
        />
      )}
    </>
  );
}

/** For whom it is tried: nobody known, or a customer, behind the own PIN. */
function Guest({
  held,
  customer,
  onChoose,
}: {
  held: HeldPin;
  customer: ShadowCustomer | undefined;
  onChoose: (customer: ShadowCustomer | undefined) => void;
}) {
  const { t } = useTranslation();
  if (held.pin === undefined) return <PinGate label={t('discounts.try_for_customer')} onPin={held.hold} />;
  if (!customer)
    return (
      <CustomerPicker
        path="try_customer"
        label={t('discounts.try_choose_customer')}
        pin={held.pin}
        taken={new Set()}
        onChoose={onChoose}
      />
    );
  return (
    <p className="discount-try-guest">
      {t('discounts.try_customer', { name: customer.name || t('discounts.customer_nameless') })}
      <Button
        type="text"
        icon={<CloseOutlined />}
        aria-label={t('discounts.try_drop_customer', { name: customer.name })}
        onClick={() => onChoose(undefined)}
      />
    </p>
  );
}

/** The price, and of each promotion what it takes or why it does not. */
function Outcome({ title, quote, own }: { title: string; quote: Quote; own?: string }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const said = ({ amount, reason, to_next_range }: Quote['promotions'][number]) =>
    [
      reason ? t(`discounts.reason_${reason}` as 'discounts.reason_no_effect') : money(amount),
      ...(to_next_range ? [t('discounts.try_missing', { missing: to_next_range })] : []),
    ].join(' · ');
  return (
    <section className="discount-try-result" aria-label={title}>
      <h4>{title}</h4>
      <dl>
        <dt>{t('discounts.try_original')}</dt>
        <dd className="num">{money(quote.original_price)}</dd>
        <dt>{t('discounts.try_discount')}</dt>
        <dd className="num">{money(quote.discount_price)}</dd>
        <dt>
          <b>{t('discounts.try_total')}</b>
        </dt>
        <dd className="num">
          <b>{money(quote.total_price)}</b>
        </dd>
      </dl>
      {quote.promotions.length === 0 ? (
        <p>{t('discounts.try_none')}</p>
      ) : (
        <ul>
          {quote.promotions.map((one) => (
            <li key={one.promotion_id} data-own={one.name === own}>
              <span>{one.name}</span>
              <span>{said(one)}</span>
            </li>
          ))}
        </ul>
      )}
      {quote.reasons.length > 0 && <p className="edit-help">{t('discounts.try_refused')}</p>}
    </section>
  );
}
