import { Radio, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocked } from '../../../lib/form/fieldState';
import { FieldRow } from '../../../lib/form/FieldRow';
import { useFormat } from '../../../lib/format';
import { usePaymentMethods } from '../../order-taking/api';
import { NO_BOOK } from '../../order-taking/menu';
import { Reasons } from '../../order-taking/Reasons';
import { reasonsAt } from '../../order-taking/reasons';
import { PaysWith } from '../../order-taking/PaysWith';
import { WhenField } from '../../phone-orders/WhenField';
import { paymentName } from '../model';
import { useActiveCouriers } from './api';
import { canBeBrought, isBrought } from './model';
import { type PartProps, type Rehearsed, reasonsOf } from './parts';

/** Fetched or brought, and who brings it. */
export function HandOverPart({ order, form: { draft, set } }: PartProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const couriers = useActiveCouriers(isBrought(order, draft));
  if (!canBeBrought(order)) return null;
  const own = order.courier_id && !couriers?.some(({ id }) => id === order.courier_id);
  return (
    <div className="change-part">
      <FieldRow path="pickup" label={t('order.change_of_pickup')} group>
        {({ id }) => (
          <Radio.Group
            id={id}
            aria-labelledby={`${id}-label`}
            optionType="button"
            disabled={locked}
            value={draft.pickup}
            onChange={(event) => set({ pickup: event.target.value as boolean })}
            options={[
              { value: false, label: t('phone_orders.way_delivery') },
              { value: true, label: t('phone_orders.way_pickup') },
            ]}
          />
        )}
      </FieldRow>
      {couriers && isBrought(order, draft) && (
        <FieldRow path="courier_id" label={t('order.change_of_courier_id')}>
          {(control) => (
            <Select<string | null>
              {...control}
              className="edit-wide"
              allowClear
              disabled={locked}
              showSearch={{ optionFilterProp: 'label' }}
              placeholder={t('order.change_none')}
              value={draft.courier_id}
              onChange={(chosen: string | null | undefined) => set({ courier_id: chosen ?? null })}
              options={[
                ...(own ? [{ value: order.courier_id!, label: order.courier_name ?? '' }] : []),
                ...couriers.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
        </FieldRow>
      )}
    </div>
  );
}

/** As soon as possible, or later. */
export function WhenPart({ form }: Pick<PartProps, 'form'>) {
  const { t } = useTranslation();
  return (
    <div className="change-part">
      <WhenField form={form} label={t('order.change_of_expected_at')} now={t('phone_orders.now')} />
    </div>
  );
}

/** How it is to be paid. */
export function PaymentPart({ order, form: { draft, set }, rehearsal }: PartProps & Rehearsed) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const locked = useLocked();
  const { data = [] } = usePaymentMethods();
  const methods = data.filter(({ paid_online }) => !paid_online);
  const own = order.payment_method;
  const options = methods.map((one) => ({
    value: one.id,
    label: language === 'en' ? one.name_en : one.name,
  }));
  if (own && !options.some(({ value }) => value === own.id))
    options.unshift({ value: own.id, label: paymentName(own, language) });
  // Another method forgets what was announced.
  const isCash = (chosen: string | null) =>
    [...methods, ...(own ? [own] : [])].some(
      ({ id, payment_key }) => id === chosen && payment_key === 'cash',
    );
  return (
    <div className="change-part">
      <FieldRow path="payment_method_id" label={t('order.change_of_payment_method_id')} group>
        {({ id }) => (
          <Radio.Group
            id={id}
            aria-labelledby={`${id}-label`}
            className="phone-radios"
            disabled={locked}
            value={draft.payment_method_id}
            onChange={({ target }) => {
              const one = target.value as string;
              set({ payment_method_id: one, ...(isCash(one) ? {} : { pays_with: '' }) });
            }}
            options={options}
          />
        )}
      </FieldRow>
      {isCash(draft.payment_method_id) && Number(order.due) > 0 && (
        <PaysWith
          value={draft.pays_with}
          onChange={(pays_with) => set({ pays_with })}
          total={rehearsal.order?.due ?? order.due}
          currency={order.currency}
        />
      )}
      <div role="status">
        <Reasons reasons={reasonsAt(reasonsOf(rehearsal), 'payment')} book={NO_BOOK} />
      </div>
    </div>
  );
}
