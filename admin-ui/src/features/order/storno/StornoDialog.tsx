import { Alert, Form, Input, Switch } from 'antd';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionDialog } from '../../../lib/crud/ActionDrawer';
import { useInputForm } from '../../../lib/form/useInputForm';
import { useFormat } from '../../../lib/format';
import { ApiError } from '../../../lib/http';
import { readKey } from '../../../lib/query';
import { useNotify } from '../../../lib/ui/notify';
import { readOrder, stornoOrder } from '../api';
import { ApproverPin, withPin } from '../ApproverPin';
import { Choices } from '../Choices';
import type { Order } from '../model';
import { useOrderWords } from '../parts';
import { plain } from '../payments/exact';
import { unsigned } from '../payments/amount';
import { itemsOf } from '../payments/model';
import { PiecesInput } from '../PiecesInput';
import { useReasons } from '../reasons';
import { useStornoRight } from '../useStornoRight';
import {
  backToGuest,
  type Fee,
  FEES,
  type FeesLeft,
  feesLeft,
  stornoBody,
  type StornoValues,
  stornoWorth,
  takesAll,
} from './model';
import './storno.css';

interface Props {
  order: Order;
  onChanged: () => void;
  onClose: () => void;
}

/** The order does not say which fees are back already, its partial stornos do. */
function useFeesLeft(order: Order): FeesLeft {
  const stornos = useQueries({
    queries: (order.stornos ?? []).map(({ id }) => ({
      queryKey: readKey('ordersGet', id),
      queryFn: ({ signal }: { signal: AbortSignal }) => readOrder(id, signal),
      staleTime: Infinity,
    })),
  });
  return feesLeft(
    order,
    stornos.flatMap(({ data }) => data ?? []),
  );
}

const isOfReason = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.keys.includes('reason_id');

function useStorno({ order, onChanged, onClose }: Props, onNoReason: () => void) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const notify = useNotify();
  const action = useInputForm<StornoValues, Order>({
    initial: { items: {}, reason_text: '', pin: '' },
    guard: false,
    send: (values, key) =>
      withPin(
        () =>
          stornoOrder(order.id, stornoBody(values), key, values.pin).catch((failure: unknown) => {
            if (failure instanceof ApiError && failure.status === 409) onChanged();
            if (!isOfReason(failure)) throw failure;
            onNoReason();
            throw new ApiError({ ...failure.problem, keys: ['reason'] });
          }),
        () => action.form.setFieldValue('pin', ''),
      ),
    onDone: (after) => {
      const back = Number(after.due) < 0 ? after.due : undefined;
      notify.success(
        t('order.pieces_done'),
        back === undefined ? undefined : t('order.pieces_done_back', { amount: money(unsigned(back)) }),
      );
      onChanged();
      onClose();
    },
  });
  return action;
}

/** The form and the reasons it offers. Where somebody took the chosen one away meanwhile, its field says so. */
function useReasonField(props: Props) {
  const { t } = useTranslation();
  const [gone, setGone] = useState(false);
  const action = useStorno(props, () => setGone(true));
  const { form, saving } = action;
  const chosen = Form.useWatch('reason', form);
  const reasons = useReasons('pieces', chosen);
  const latest = useRef(reasons.reload);
  latest.current = reasons.reload;
  useEffect(() => {
    if (!gone || saving) return;
    setGone(false);
    const text = <span role="alert">{t('order.reason_gone')}</span>;
    form.setFields([{ name: 'reason', value: undefined, errors: [text as unknown as string] }]);
    latest.current();
  }, [gone, saving, form, t]);
  // The list may have changed by itself: what is not shown is not sent.
  useEffect(() => {
    if (chosen !== undefined && reasons.chosen === undefined) form.setFieldValue('reason', undefined);
  }, [chosen, reasons.chosen, form]);
  return { action, ...reasons };
}

/** Cancels pieces of an order, with fees where there are any. With the last piece all of it is cancelled. */
export default function StornoDialog(props: Props) {
  const { order, onClose } = props;
  const { t } = useTranslation();
  const words = useOrderWords();
  const { needsPin } = useStornoRight();
  const fees = useFeesLeft(order);
  const { action, choices, needsText } = useReasonField(props);
  const values = (Form.useWatch([], action.form) as StornoValues | undefined) ?? {};
  const all = takesAll(order, values.items ?? {});
  return (
    <ActionDialog
      action={action}
      title={t('order.pieces_title', { name: words.name(order) })}
      verb={t(all ? 'order.pieces_do_all' : 'order.pieces_do')}
      danger
      onClose={onClose}
    >
      <PiecesField order={order} fees={fees} />
      {!all && <FeeFields fees={fees} />}
      <Form.Item name="reason" rules={[{ required: true, message: t('order.reason_missing') }]}>
        <Choices legend={t('order.reason')} choices={choices} />
      </Form.Item>
      <Form.Item
        name="reason_text"
        label={t('order.reason_text')}
        dependencies={['reason']}
        validateTrigger="onSubmit"
        rules={[
          {
            required: needsText(values.reason),
            whitespace: true,
            message: t('order.reason_text_missing'),
          },
        ]}
      >
        <Input.TextArea maxLength={500} autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
      {needsPin && <ApproverPin />}
      <Worth order={order} values={values} fees={fees} all={all} />
    </ActionDialog>
  );
}

function PiecesField({ order, fees }: { order: Order; fees: FeesLeft }) {
  const { t } = useTranslation();
  return (
    <Form.Item
      name="items"
      validateTrigger="onSubmit"
      rules={[
        ({ getFieldValue }) => ({
          validator: async (_, pieces: StornoValues['items']) => {
            const fee = FEES.some((one) => fees[one] > 0n && getFieldValue(one));
            if (!fee && itemsOf(pieces ?? {}).length === 0) throw new Error(t('order.pieces_missing'));
          },
        }),
      ]}
    >
      <PiecesInput items={order.items} label={t('order.pieces_list')} />
    </Form.Item>
  );
}

/** Switches of the fees that are there; with everything all of them go back anyway. */
function FeeFields({ fees }: { fees: FeesLeft }) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const there: Fee[] = FEES.filter((fee) => fees[fee] > 0n);
  if (there.length === 0) return null;
  return (
    <fieldset className="storno-fees">
      <legend>{t('order.pieces_fees')}</legend>
      {there.map((fee) => (
        <div className="storno-fee" key={fee}>
          <label htmlFor={fee}>
            {t(`order.fee_${fee}`)} <span className="num">({money(plain(fees[fee]))})</span>
          </label>
          <Form.Item name={fee} valuePropName="checked" noStyle>
            <Switch id={fee} />
          </Form.Item>
        </div>
      ))}
    </fieldset>
  );
}

interface WorthProps {
  order: Order;
  values: StornoValues;
  fees: FeesLeft;
  all: boolean;
}

/** What the order costs less, what goes back to the guest, and that it takes everything. */
function Worth({ order, values, fees, all }: WorthProps) {
  const { t } = useTranslation();
  const { money } = useFormat();
  const worth = stornoWorth(order, values, fees);
  const back = backToGuest(order, worth);
  return (
    <>
      <dl className="order-sums storno-worth" aria-live="polite">
        <div>
          <dt>{t('order.pieces_worth')}</dt>
          <dd className="num">{money(plain(worth))}</dd>
        </div>
        {Number(order.paid) > 0 && (
          <div className="order-total">
            <dt>{t('order.pieces_back_to_guest')}</dt>
            <dd className="num">{money(plain(back))}</dd>
          </div>
        )}
      </dl>
      <div role="status">
        {all && <Alert type="warning" showIcon title={t('order.pieces_all_warning')} />}
      </div>
    </>
  );
}
