import { Input, Radio } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuRestaurant } from '../../generated/model';
import { parseAmount, useFormat } from '../../lib/format';
import { focusNow, useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { useEstimate } from '../../lib/target';
import { Button } from '../../lib/ui/Button';
import { Card } from '../../lib/ui/page';
import { ProblemAlert } from '../../lib/ui/states';
import { NumberInput } from '../../lib/ui/NumberInput';
import type { usePaymentMethods } from '../order-taking/api';
import type { Book } from '../order-taking/menu';
import { PaysWith } from '../order-taking/PaysWith';
import { reasonsAt } from '../order-taking/reasons';
import { Reasons } from '../order-taking/Reasons';
import type { Tip } from '../order-taking/tip';
import type { PhoneOrder } from './usePhoneOrder';
import { WhenField } from './WhenField';

interface Props {
  order: PhoneOrder;
  book: Book;
  restaurant: MenuRestaurant | undefined;
  /** The reading of the ways to pay. */
  payment: Pick<ReturnType<typeof usePaymentMethods>, 'isSuccess' | 'error' | 'refetch'>;
}

/** When, how it is paid, the tip and a coupon. */
export function TermsPart(props: Props) {
  const { order, book, restaurant } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('phone_orders.terms')} className="phone-part">
      <When {...props} />
      <Payment {...props} />
      {order.method?.payment_key === 'cash' && (
        <PaysWith
          value={order.form.draft.pays_with}
          onChange={(pays_with) => order.form.set({ pays_with })}
          total={order.running.quote?.total_price}
          currency={restaurant?.currency ?? 'huf'}
        />
      )}
      <TipField order={order} restaurant={restaurant} />
      <Coupon order={order} book={book} />
    </Card>
  );
}

type PartProps = Pick<Props, 'order' | 'book'>;

function When({ order: { form, reasons }, book, restaurant }: Props) {
  const { t } = useTranslation();
  const estimate = useEstimate();
  return (
    <>
      <WhenField
        form={form}
        label={t('phone_orders.when')}
        now={restaurant ? t('phone_orders.now_in', { minutes: estimate }) : t('phone_orders.now')}
      />
      <Reasons reasons={reasonsAt(reasons, 'when')} book={book} />
    </>
  );
}

function Payment({ order: { form, reasons, methods, method }, book, payment }: Props) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const locked = useLocked();
  return (
    <>
      <FieldRow path="payment_method_id" label={t('phone_orders.payment')} group>
        {({ id }) =>
          methods.length === 0 && payment.error ? (
            <ProblemAlert
              error={payment.error}
              action={
                <Button size="small" onClick={() => void payment.refetch()}>
                  {t('action.retry')}
                </Button>
              }
            />
          ) : payment.isSuccess && methods.length === 0 ? (
            <p className="edit-help">{t('phone_orders.no_payment')}</p>
          ) : (
            <Radio.Group
              id={id}
              aria-labelledby={`${id}-label`}
              className="phone-radios"
              disabled={locked}
              value={method?.id}
              onChange={(event) => form.set({ payment_method_id: event.target.value as string })}
              options={methods.map((one) => ({
                value: one.id,
                label: language === 'en' ? one.name_en : one.name,
              }))}
            />
          )
        }
      </FieldRow>
      <Reasons reasons={reasonsAt(reasons, 'payment')} book={book} />
    </>
  );
}

function TipField({ order, restaurant }: Pick<Props, 'order' | 'restaurant'>) {
  const { t } = useTranslation();
  const { language, money, percent } = useFormat();
  const locked = useLocked();
  const { draft, set } = order.form;
  // Percent that the restaurant preselects.
  const defaultTip = restaurant?.default_tip;
  // Where nothing is preselected, the usual tip is none.
  const by = draft.tip.by === 'default' && !defaultTip ? 'none' : draft.tip.by;
  const choose = (chosen: Tip['by']) =>
    set({ tip: chosen === 'amount' ? { by: 'amount', amount: String(order.tip ?? '') } : { by: chosen } });
  const share = order.tip === undefined ? '' : ` (${money(order.tip)})`;
  return (
    <FieldRow path="tip" label={t('phone_orders.tip')} group>
      {({ id }) => (
        <div className="phone-buttons">
          <Radio.Group
            id={id}
            aria-labelledby={`${id}-label`}
            className="phone-radios"
            disabled={locked}
            value={by}
            onChange={(event) => choose(event.target.value as Tip['by'])}
            options={[
              { value: 'none', label: t('phone_orders.tip_none') },
              ...(defaultTip
                ? [
                    {
                      value: 'default',
                      label: t('phone_orders.tip_default', {
                        percent: percent(defaultTip),
                        amount: by === 'default' ? share : '',
                      }),
                    },
                  ]
                : []),
              { value: 'amount', label: t('phone_orders.tip_amount') },
            ]}
          />
          {draft.tip.by === 'amount' && (
            <NumberInput<string>
              aria-label={t('phone_orders.tip_amount')}
              stringMode
              min="0"
              max="10000000"
              disabled={locked}
              decimalSeparator={language === 'hu' ? ',' : '.'}
              parser={(text) => parseAmount(text ?? '') ?? ''}
              value={draft.tip.amount}
              onChange={(amount) => set({ tip: { by: 'amount', amount: amount ?? '' } })}
            />
          )}
        </div>
      )}
    </FieldRow>
  );
}

/**
 * A code is taken with Enter or when the field is left: looking for one that nobody has is limited, so half a code
 * is not looked for.
 */
function Coupon({ order: { form, reasons, running, tip }, book }: PartProps) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { draft, set } = form;
  const [typed, setTyped] = useState(draft.coupon_code);
  useEffect(() => setTyped(draft.coupon_code), [draft.coupon_code]);
  const take = () => {
    if (typed.trim() !== draft.coupon_code) set({ coupon_code: typed.trim() });
  };
  const mine = typed.trim() === draft.coupon_code ? reasonsAt(reasons, 'coupon') : [];
  const refused = mine.length > 0;
  const part = useRef<HTMLDivElement>(null);
  // The answer comes below the field, where the screen may end; the bar below grows with the price.
  useEffect(() => {
    if (!refused) return;
    const frame = requestAnimationFrame(() => {
      if (part.current?.contains(document.activeElement)) part.current.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [refused, running.stale, tip]);
  return (
    <div className="phone-coupon" ref={part}>
      <FieldRow path="coupon_code" label={t('phone_orders.coupon')}>
        {(control) => (
          <Input
            {...control}
            {...(refused ? { status: 'error', 'aria-describedby': 'phone-coupon-why' } : {})}
            autoComplete="off"
            maxLength={100}
            disabled={locked}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onPressEnter={take}
            onBlur={take}
          />
        )}
      </FieldRow>
      <div role="status">
        <Reasons reasons={mine} book={book} coupon={draft.coupon_code} id="phone-coupon-why" />
      </div>
      {refused && (
        <Button
          size="small"
          disabled={locked}
          onClick={() => {
            set({ coupon_code: '' });
            focusNow('coupon_code');
          }}
        >
          {t('phone_orders.coupon_remove', { code: draft.coupon_code })}
        </Button>
      )}
    </div>
  );
}
