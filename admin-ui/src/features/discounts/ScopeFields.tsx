import { Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DiscountPlatform } from '../../generated/model';
import { labelOf } from '../../lib/fields/labels';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { useRestaurant } from '../../lib/target';
import { useCompanyRestaurants, useWholeCompany } from './api';
import { chosenRestaurants, PLATFORMS } from './draft';
import { CountField, SwitchField } from './parts';
import { type DiscountForm, DISCOUNTS } from './useDiscountForm';

/** The largest limit that fits the service. */
const MOST_USES = 1_000_000_000;

interface Props {
  form: DiscountForm;
}

/** The channels on which it holds, as boxes to tick. */
export function PlatformField({ form: { draft, set } }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const upsell = draft.discount_type === 'upsell';
  const chosen = new Set<DiscountPlatform>(draft.platforms);
  const toggle = (platform: DiscountPlatform) =>
    set({
      platforms: chosen.has(platform)
        ? draft.platforms.filter((other) => other !== platform)
        : [...draft.platforms, platform],
    });
  return (
    <FieldRow
      path="platforms"
      label={labelOf(DISCOUNTS, 'platforms')}
      group
      required
      help={upsell ? t('discounts.platforms_upsell') : undefined}
    >
      {({ id }) => (
        <div className="pills" id={id} tabIndex={-1}>
          {PLATFORMS.filter((platform) => !upsell || chosen.has(platform)).map((platform) => (
            <label className="pill" key={platform}>
              <input
                type="checkbox"
                checked={chosen.has(platform)}
                disabled={locked || upsell}
                onChange={() => toggle(platform)}
              />
              <span>{t(`discounts.platforms.${platform}`)}</span>
            </label>
          ))}
        </div>
      )}
    </FieldRow>
  );
}

/**
 * The restaurants in which it holds; absent where the account has only one. Nothing chosen is the present one.
 */
export function RestaurantField({ form: { draft, set, row } }: Props) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { id: here } = useRestaurant();
  const whole = useWholeCompany();
  const mine = useCompanyRestaurants() ?? [];
  const everywhere = draft.restaurant_ids === null;
  if (mine.length < 2 && !(row && !row.editable)) return null;
  const known = new Map([...(row?.restaurants ?? []), ...mine].map(({ id, name }) => [id, name]));
  return (
    <>
      {(whole || everywhere) && (
        <FieldRow path="restaurants" label={t('discounts.where')} group>
          {({ id }) => (
            <Radio.Group
              id={id}
              disabled={locked}
              value={everywhere}
              onChange={(event) => set({ restaurant_ids: event.target.value ? null : [here] })}
              options={
                [
                  { value: false, label: t('discounts.some_restaurants') },
                  { value: true, label: t('discounts.all_restaurants') },
                ] as never
              }
            />
          )}
        </FieldRow>
      )}
      {!everywhere && (
        <FieldRow
          path="restaurant_ids"
          label={labelOf(DISCOUNTS, 'restaurant_ids')}
          help={t('discounts.restaurants_help')}
        >
          {(control) => (
            <Select<string[]>
              {...control}
              className="edit-wide"
              mode="multiple"
              disabled={locked}
              showSearch={{ optionFilterProp: 'label' }}
              value={draft.restaurant_ids ?? []}
              onChange={(ids) => set({ restaurant_ids: chosenRestaurants(ids, here) })}
              options={[...known].map(([value, label]) => ({ value, label }))}
            />
          )}
        </FieldRow>
      )}
    </>
  );
}

/** For whom and with what: pickup, known customers, other promotions. */
export function RuleFields({ form: { draft, set } }: Props) {
  const { t } = useTranslation();
  const upsell = draft.discount_type === 'upsell';
  return (
    <>
      <SwitchField
        path="pickup_enabled"
        label={labelOf(DISCOUNTS, 'pickup_enabled')}
        help={t('discounts.pickup_help')}
        value={draft.pickup_enabled}
        onChange={(pickup_enabled) => set({ pickup_enabled })}
      />
      {!upsell && (
        <>
          <SwitchField
            path="login_needed"
            label={labelOf(DISCOUNTS, 'login_needed')}
            help={t('discounts.login_help')}
            value={draft.login_needed}
            onChange={(login_needed) => set({ login_needed })}
          />
          <SwitchField
            path="stackable"
            label={labelOf(DISCOUNTS, 'stackable')}
            help={t('discounts.stackable_help')}
            value={draft.stackable}
            onChange={(stackable) => set({ stackable })}
          />
        </>
      )}
    </>
  );
}

/** How often it may be used; empty is no limit. */
export function LimitFields({ form: { draft, set } }: Props) {
  const { t } = useTranslation();
  const limit = (field: 'all_max_use_qty' | 'customer_max_use_qty') => (
    <CountField
      path={field}
      label={labelOf(DISCOUNTS, field)}
      help={t(`discounts.${field}_text`)}
      max={MOST_USES}
      placeholder={t('discounts.no_limit')}
      value={draft[field]}
      // A limit of 0 would be none that anybody could use: the field counts from 1.
      onChange={(value) => set({ [field]: value === 0 ? null : value })}
    />
  );
  return (
    <>
      <div className="field-line">
        {limit('all_max_use_qty')}
        {limit('customer_max_use_qty')}
      </div>
      <SwitchField
        path="is_daily_discount_limit"
        label={labelOf(DISCOUNTS, 'is_daily_discount_limit')}
        help={t('discounts.daily_help')}
        value={draft.is_daily_discount_limit}
        onChange={(is_daily_discount_limit) => set({ is_daily_discount_limit })}
      />
    </>
  );
}
