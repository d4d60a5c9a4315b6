import { Form } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewPayment, Payment } from '../../../generated/model';
import { InputForm } from '../../../lib/form/InputForm';
import { type InputForm as State, useInputForm } from '../../../lib/form/useInputForm';
import { useFormat } from '../../../lib/format';
import { ApiError } from '../../../lib/http';
import { Button } from '../../../lib/ui/Button';
import { ProblemAlert } from '../../../lib/ui/states';
import type { Order } from '../model';
import { type Method, pay } from './api';
import { CashFields } from './CashFields';
import { AmountFields, CardFields, MethodField, RestFields } from './PayFields';
import { PayPreview } from './PayPreview';
import { hasTerminal, isCash, isOwnMoney, payBody, type PayValues, quoted, takenByHand } from './model';

interface Props {
  order: Order;
  methods: readonly Method[];
  /** What was said with the payment before. */
  begin: Partial<PayValues>;
  onDone: (payment: Payment, values: PayValues) => void;
  onChanged: () => void;
  onClose: () => void;
}

/** The method that the order names first, so that the focus begins with it. */
function ordered(methods: readonly Method[], first: string | undefined): Method[] {
  const own = methods.find(({ id }) => id === first);
  return own ? [own, ...methods.filter(({ id }) => id !== first)] : [...methods];
}

/** What is wrong with the points stands at the method; what somebody else has taken, above the form. */
async function send(order: Order, body: NewPayment, key: string, onChanged: () => void): Promise<Payment> {
  try {
    return await pay(order.id, body, key);
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.unanswered) throw failure;
    if (failure.status === 409) onChanged();
    if (failure.code !== 'POINTS_NOT_ENOUGH') throw failure;
    throw new ApiError({ ...failure.problem, keys: ['payment_method_id'] });
  }
}

function usePay({ order, begin, onDone, onChanged }: Props, offered: readonly Method[]) {
  const [initial] = useState<PayValues>(() => ({
    payment_method_id: offered[0]?.id ?? '',
    how: 'all',
    parts: 2,
    items: {},
    currency: order.currency === 'eur' ? 'eur' : 'huf',
    confirmed: 'yes',
    // What was announced, while it is enough.
    ...(order.change_due == null || order.pays_with == null ? {} : { handed_over: String(order.pays_with) }),
    ...begin,
  }));
  return useInputForm<PayValues, Payment>({
    initial,
    guard: false,
    send: (values, key) => send(order, payBody(values, order.currency), key, onChanged),
    onDone,
  });
}

/** How it is paid, how much of the order, and what the guest gives. */
export function PayForm(props: Props) {
  const { order, methods, begin, onClose } = props;
  const { t } = useTranslation();
  const offered = useMemo(
    () => ordered(takenByHand(methods, order), begin.payment_method_id ?? order.payment_method?.id),
    // An order that is read again while somebody types moves nothing.
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps
    [],
  );
  const state = usePay(props, offered);
  const watched = Form.useWatch<Partial<PayValues>>([], state.form) as Partial<PayValues> | undefined;
  const values: Partial<PayValues> = watched ?? state.initial;
  const key = offered.find(({ id }) => id === values.payment_method_id)?.payment_key;
  const cash = isCash(key);
  const { currency } = order;
  const now = quoted(order, values, cash, currency);
  const above = state.error instanceof ApiError && state.error.code === 'PAYMENT_ABOVE_DUE';
  return (
    <div className="pay-form">
      <InputForm state={above ? { ...state, error: undefined } : state} name="pay">
        {above && <Above state={state} />}
        <MethodField methods={offered} />
        <AmountFields order={order} how={values.how ?? 'all'} currency={currency} />
        {cash && <CashFields form={state.form} values={values} quoted={now} currency={currency} />}
        {hasTerminal(key) && (
          <CardFields szep={key === 'szep_kartya'} confirmed={values.confirmed !== 'no'} />
        )}
        <RestFields tip={!isOwnMoney(key)} currency={currency} />
        <div className="pay-foot">
          <PayPreview quoted={now} values={values} cash={cash} currency={currency} />
          <div className="form-buttons">
            <Button onClick={onClose}>{t('action.cancel')}</Button>
            <Button
              type="primary"
              htmlType="submit"
              size="large"
              loading={state.saving}
              disabled={state.saving}
            >
              {t(values.confirmed === 'no' && hasTerminal(key) ? 'order.pay_begin' : 'order.pay')}
            </Button>
          </div>
        </div>
      </InputForm>
    </div>
  );
}

/** More than is left: what is due, and what waits for somebody to say that it came. */
function Above({ state }: { state: State<PayValues> }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const { due, waiting } = (state.error as ApiError).problem as { due?: number; waiting?: number };
  return (
    <ProblemAlert
      error={state.error}
      extra={
        <p>
          {t('order.above_due', { due: money(due) })}
          {Number(waiting) > 0 && ` ${t('order.above_waiting', { waiting: money(waiting) })}`}
        </p>
      }
      onClose={state.dismissError}
    />
  );
}
