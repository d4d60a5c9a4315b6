import { Input, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../lib/fields/labels';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { TYPES, withType } from './draft';
import { SwitchField } from './parts';
import { type DiscountForm, DISCOUNTS } from './useDiscountForm';

/** What it is and how it is called; the code of a coupon. */
export function BasicFields({ form }: { form: DiscountForm }) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { draft, set, row, isNew } = form;
  const series = row?.series_qty ?? 0;
  return (
    <>
      <FieldRow path="name" label={labelOf(DISCOUNTS, 'name')} required>
        {(control) => (
          <Input
            {...control}
            disabled={locked}
            maxLength={100}
            autoComplete="off"
            placeholder={t('discounts.name_example')}
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </FieldRow>
      <FieldRow
        path="discount_type"
        label={labelOf(DISCOUNTS, 'discount_type')}
        group
        help={isNew ? t('discounts.type_help') : t('discounts.type_fixed')}
      >
        {({ id }) => (
          <Radio.Group
            id={id}
            className="types"
            disabled={locked || !isNew}
            value={draft.discount_type}
            onChange={(event) => set(withType(draft, event.target.value as (typeof TYPES)[number]))}
          >
            {TYPES.filter((type) => isNew || type === draft.discount_type).map((type) => (
              <Radio key={type} value={type}>
                <b>{t(`discounts.discount_type.${type}`)}</b>
                <span className="edit-help">{t(`discounts.type_text.${type}`)}</span>
              </Radio>
            ))}
          </Radio.Group>
        )}
      </FieldRow>
      {draft.discount_type === 'coupon' && (
        <FieldRow
          path="code"
          label={labelOf(DISCOUNTS, 'code')}
          required={series === 0}
          help={series > 0 ? t('discounts.code_series_help') : t('discounts.code_help')}
        >
          {(control) => (
            <Input
              {...control}
              className="discount-code"
              disabled={locked}
              maxLength={50}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={draft.code}
              onChange={(event) => set({ code: event.target.value })}
            />
          )}
        </FieldRow>
      )}
      <SwitchField
        path="active"
        label={labelOf(DISCOUNTS, 'active')}
        help={t(draft.discount_type === 'upsell' ? 'discounts.active_upsell_help' : 'discounts.active_help')}
        value={draft.active}
        onChange={(active) => set({ active })}
      />
    </>
  );
}
