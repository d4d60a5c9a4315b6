import { DeleteOutlined, GiftOutlined, PlusOutlined } from '@ant-design/icons';
import { Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../lib/fields/labels';
import { fieldId, useFault, useLocked } from '../../lib/form/fieldState';
import { type Control, FieldRow } from '../../lib/form/FieldRow';
import { useAddedRow } from '../../lib/form/useAddedRow';
import { Button } from '../../lib/ui/Button';
import { NumberInput } from '../../lib/ui/NumberInput';
import { MoneyInput } from '../categories-and-products/shared/fields';
import { SizeSelect } from '../categories-and-products/shared/sizes';
import { changedRange, type GiftDraft, newGift, newRange, type RangeDraft } from './draft';
import { CountField, TickField } from './parts';
import { PercentInput } from './PercentInput';
import { useNamedSizes } from './ProductFields';
import { type DiscountForm, DISCOUNTS } from './useDiscountForm';

/** The most rows and gifts that the service takes. */
const MOST = 20;
const VALUE_TYPES = ['percent', 'amount', 'overwritten_value'] as const;

interface Props {
  form: DiscountForm;
}

/** How ranges are found and from what they take; the ranges. */
export function RangeFields({ form }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { draft, set } = form;
  const fault = useFault('ranges');
  const { ref, added } = useAddedRow();
  const change = (key: string, part: Partial<RangeDraft>, field = Object.keys(part)[0]) =>
    set(
      { ranges: draft.ranges.map((range) => (range.key === key ? changedRange(range, part) : range)) },
      `ranges.${key}.${field}`,
    );
  return (
    <>
      <div className="field-line">
        <Choice form={form} field="range_filter_type" values={['by_price', 'by_quantity']} />
        <Choice form={form} field="apply_type" values={['apply_per_cart', 'apply_per_item']} />
      </div>
      <div ref={ref} id={fieldId('ranges')} tabIndex={-1} className="rows">
        {draft.ranges.map((range, at) => (
          <RangeRow
            key={range.key}
            range={range}
            at={at}
            form={form}
            onChange={(part, field) => change(range.key, part, field)}
          />
        ))}
        {fault && (
          <p className="edit-fault" role="alert">
            {fault}
          </p>
        )}
        {!locked && draft.ranges.length < MOST && (
          <Button
            icon={<PlusOutlined />}
            onClick={() => {
              set({ ranges: [...draft.ranges, newRange()] }, 'ranges');
              added();
            }}
          >
            {t('discounts.add_range')}
          </Button>
        )}
      </div>
    </>
  );
}

function Choice({
  form: { draft, set },
  field,
  values,
}: Props & { field: 'range_filter_type' | 'apply_type'; values: readonly string[] }) {
  const { t } = useTranslation();
  const locked = useLocked();
  return (
    <FieldRow
      path={field}
      label={labelOf(DISCOUNTS, field)}
      group
      help={t(`discounts.${field}_help.${draft[field]}`)}
    >
      {({ id }) => (
        <Radio.Group
          id={id}
          disabled={locked}
          value={draft[field]}
          onChange={(event) => set({ [field]: event.target.value })}
          options={values.map((value) => ({ value, label: t(`discounts.${field}.${value}`) }))}
        />
      )}
    </FieldRow>
  );
}

interface RowProps extends Props {
  range: RangeDraft;
  at: number;
  /** `field` names what was changed within the part. */
  onChange: (part: Partial<RangeDraft>, field?: string) => void;
}

/** One range: from when, what, and the gifts. */
function RangeRow({ form, range, at, onChange }: RowProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { draft, set } = form;
  const path = `ranges.${range.key}`;
  const byPrice = draft.range_filter_type === 'by_price';
  return (
    <div className="row" role="group" aria-label={t('discounts.range_row', { number: at + 1 })}>
      <div className="discount-row-head">
        <b>{t('discounts.range_row', { number: at + 1 })}</b>
        {!locked && (
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('discounts.remove_range', { number: at + 1 })}
            onClick={() =>
              set({ ranges: draft.ranges.filter(({ key }) => key !== range.key) }, `${path}.price_from`)
            }
          />
        )}
      </div>
      <div className="field-line">
        <FieldRow
          path={`${path}.price_from`}
          label={t(byPrice ? 'discounts.price_from' : 'discounts.pieces_from')}
          help={t(byPrice ? 'discounts.price_from_help' : 'discounts.pieces_from_help')}
          required
        >
          {(control) => (
            <FromInput
              control={control}
              byPrice={byPrice}
              value={range.price_from}
              onChange={(price_from) => onChange({ price_from })}
            />
          )}
        </FieldRow>
        <ValueFields range={range} onChange={onChange} />
      </div>
      <div className="discount-ticks">
        <TickField
          label={t('discounts.ranges.apply_on_options')}
          help={t('discounts.apply_on_options_help')}
          value={range.apply_on_options}
          onChange={(apply_on_options) => onChange({ apply_on_options })}
        />
        <TickField
          label={t('discounts.ranges.apply_on_delivery')}
          help={t('discounts.apply_on_delivery_help')}
          value={range.apply_on_delivery}
          onChange={(apply_on_delivery) => onChange({ apply_on_delivery })}
        />
        <TickField
          label={t('discounts.ranges.free_delivery')}
          value={range.free_delivery}
          onChange={(free_delivery) => onChange({ free_delivery })}
        />
      </div>
      <Gifts form={form} range={range} onChange={onChange} />
    </div>
  );
}

/** From which value of the cart, or how many pieces on. */
function FromInput({
  control,
  byPrice,
  value,
  onChange,
}: {
  control: Control;
  byPrice: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const locked = useLocked();
  if (byPrice) return <MoneyInput control={control} value={value} onChange={onChange} placeholder="0" />;
  return (
    <NumberInput<number>
      {...control}
      className="discount-number"
      min={0}
      max={10_000}
      precision={0}
      disabled={locked}
      suffix={t('discounts.pieces')}
      value={value === '' ? null : Number(value)}
      onChange={(next) => onChange(next === null ? '' : String(next))}
    />
  );
}

/** What is taken: a percentage, an amount, or down to a price. */
function ValueFields({ range, onChange }: Pick<RowProps, 'range' | 'onChange'>) {
  const { t } = useTranslation();
  const locked = useLocked();
  const path = `ranges.${range.key}`;
  return (
    <>
      <FieldRow path={`${path}.discount_type`} label={t('discounts.ranges.discount_type')}>
        {(control) => (
          <Select
            {...control}
            className="edit-wide"
            disabled={locked}
            value={range.discount_type}
            onChange={(discount_type) => onChange({ discount_type })}
            options={VALUE_TYPES.map((value) => ({
              value,
              label: t(`discounts.ranges.discount_type.${value}`),
            }))}
          />
        )}
      </FieldRow>
      <FieldRow
        path={`${path}.discount_value`}
        label={t('discounts.ranges.discount_value')}
        help={t(`discounts.value_help.${range.discount_type}`)}
        required
      >
        {(control) =>
          range.discount_type === 'percent' ? (
            <PercentInput
              control={control}
              value={range.discount_value}
              onChange={(discount_value) => onChange({ discount_value })}
            />
          ) : (
            <MoneyInput
              control={control}
              value={range.discount_value}
              onChange={(discount_value) => onChange({ discount_value })}
            />
          )
        }
      </FieldRow>
    </>
  );
}

/** What is given with the cart. */
function Gifts({ form, range, onChange }: Pick<RowProps, 'form' | 'range' | 'onChange'>) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { ref, added } = useAddedRow();
  const change = (key: string, part: Partial<GiftDraft>) =>
    onChange(
      { gifts: range.gifts.map((gift) => (gift.key === key ? { ...gift, ...part } : gift)) },
      `gifts.${key}.${Object.keys(part)[0]}`,
    );
  return (
    <div ref={ref} className="discount-gifts">
      {range.gifts.map((gift, at) => (
        <GiftRow
          key={gift.key}
          form={form}
          gift={gift}
          at={at}
          path={`ranges.${range.key}.gifts.${gift.key}`}
          onChange={(part) => change(gift.key, part)}
          onRemove={() => onChange({ gifts: range.gifts.filter(({ key }) => key !== gift.key) })}
        />
      ))}
      {!locked && range.gifts.length < MOST && (
        <Button
          icon={<GiftOutlined />}
          onClick={() => {
            onChange({ gifts: [...range.gifts, newGift()] });
            added();
          }}
        >
          {t('discounts.add_gift')}
        </Button>
      )}
    </div>
  );
}

interface GiftProps extends Props {
  gift: GiftDraft;
  at: number;
  path: string;
  onChange: (part: Partial<GiftDraft>) => void;
  onRemove: () => void;
}

function GiftRow({ form, gift, at, path, onChange, onRemove }: GiftProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const known = useNamedSizes(form.row);
  return (
    <div className="discount-gift" role="group" aria-label={t('discounts.gift_row', { number: at + 1 })}>
      <div className="discount-row-head">
        <b>{t('discounts.gift_row', { number: at + 1 })}</b>
        {!locked && (
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={t('discounts.remove_gift', { number: at + 1 })}
            onClick={onRemove}
          />
        )}
      </div>
      <FieldRow path={`${path}.subproduct_id`} label={t('discounts.gift_size')} required>
        {(control) => (
          <SizeSelect
            control={control}
            known={known}
            value={gift.subproduct_id}
            onChange={(subproduct_id) => onChange({ subproduct_id })}
          />
        )}
      </FieldRow>
      <div className="field-line">
        <CountField
          path={`${path}.quantity`}
          label={t('discounts.gift_quantity')}
          required
          max={100}
          value={gift.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
        <FieldRow path={`${path}.quantity_type`} label={t('discounts.gift_quantity_type')}>
          {(control) => (
            <Select
              {...control}
              className="edit-wide"
              disabled={locked}
              value={gift.quantity_type}
              onChange={(quantity_type) => onChange({ quantity_type })}
              options={(['per_cart', 'per_item'] as const).map((value) => ({
                value,
                label: t(`discounts.gift_quantity_type.${value}`),
              }))}
            />
          )}
        </FieldRow>
        <FieldRow
          path={`${path}.discount_percentage`}
          label={t('discounts.gift_percentage')}
          help={t('discounts.gift_percentage_help')}
          required
        >
          {(control) => (
            <PercentInput
              control={control}
              value={gift.discount_percentage}
              onChange={(discount_percentage) => onChange({ discount_percentage })}
            />
          )}
        </FieldRow>
      </div>
    </div>
  );
}
