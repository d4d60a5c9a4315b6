import { CloseOutlined, PlayCircleOutlined, PlusOutlined } from '@ant-design/icons';
import { Alert, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { discountsTry } from '../../generated/client/orders/orders';
import type { DiscountPlatform, DiscountTrialResult, ShadowCustomerShort } from '../../generated/model';
import DateTimeInput from '../../lib/fields/DateTimeInput';
import { explain } from '../../lib/problem';
import { here } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { SizeSelect } from '../categories-and-products/shared/sizes';
import { type DiscountDraft, PLATFORMS } from './draft';
import { Section, TickField } from './parts';
import { PinGate } from './PinGate';
import { CustomerPicker } from './RelatedCustomers';
import { type Asked, circumstances, trialBody } from './trial';
import { TryOutcomes } from './TryOutcome';
import type { DiscountForm } from './useDiscountForm';
import type { HeldPin } from '../../lib/pin/usePin';

interface Line {
  key: number;
  subproduct_id: string | null;
  quantity: number | null;
}

interface Props {
  form: DiscountForm;
  held: HeldPin;
}

/** What a cart costs now, and with what the form says: nothing is saved. */
export function TryOut({ form, held }: Props) {
  const { t } = useTranslation();
  const [lines, setLines] = useState<Line[]>([{ key: 0, subproduct_id: null, quantity: 1 }]);
  const [asked, setAsked] = useState<Asked>({ pickup: false, at: null });
  const [customer, setCustomer] = useState<ShadowCustomerShort>();
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
      const known = held.pin === undefined ? undefined : customer;
      const body = trialBody({ draft: form.draft, row: form.row, asked, items, customer: known });
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
        <Where asked={asked} draft={form.draft} onChange={setAsked} />
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
          {result && <TryOutcomes result={result} form={form} />}
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

function Where({
  asked,
  draft,
  onChange,
}: {
  asked: Asked;
  draft: DiscountDraft;
  onChange: (asked: Asked) => void;
}) {
  const { t } = useTranslation();
  const set = (part: Partial<Asked>) => onChange({ ...asked, ...part });
  const { platform, mayFetch, code } = circumstances(asked, draft);
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
            value={platform}
            onChange={(chosen) => set({ platform: chosen })}
            options={PLATFORMS.map((one) => ({ value: one, label: t(`discounts.platforms.${one}`) }))}
          />
        </div>
        <div className="edit-field">
          <label className="edit-label" htmlFor="try-at">
            {t('discounts.try_at')}
          </label>
          <DateTimeInput id="try-at" value={asked.at} onChange={(at) => set({ at })} />
        </div>
        <div className="edit-field">
          <label className="edit-label" htmlFor="try-code">
            {t('discounts.try_code')}
          </label>
          <Input
            id="try-code"
            autoComplete="off"
            maxLength={100}
            value={code}
            onChange={(event) => set({ code: event.target.value })}
          />
        </div>
      </div>
      {mayFetch && (
        <TickField
          label={t('discounts.try_pickup')}
          value={asked.pickup}
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
  customer: ShadowCustomerShort | undefined;
  onChoose: (customer: ShadowCustomerShort | undefined) => void;
}) {
  const { t } = useTranslation();
  if (held.pin === undefined) return <PinGate label={t('discounts.try_for_customer')} onPin={held.hold} />;
  if (!customer)
    return (
      <CustomerPicker
        path="try_customer"
        label={t('discounts.try_choose_customer')}
        help={t('discounts.try_choose_customer_help')}
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
