import { Alert, Checkbox, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CourierCash, Currency, Drawer, DrawerMovement, MovementKind } from '../../generated/model';
import { ActionDialog } from '../../lib/crud/ActionDrawer';
import { useInputForm } from '../../lib/form/useInputForm';
import { ApiError } from '../../lib/http';
import { useTextRules } from '../../lib/form/useTextRules';
import { useForget } from '../../lib/query';
import { useNotify } from '../../lib/ui/notify';
import { Choices } from '../order/Choices';
import { hundredths, plain } from '../order/payments/exact';
import { MoneyField } from '../order/payments/MoneyField';
import { moveCash } from './api';
import { isCash, MOST_OF_DRAWER, moveBody, type MoveValues } from './model';
import { useMoney } from './parts';

interface Props {
  kind: MovementKind;
  drawer: Drawer;
  couriers: readonly { id: string; name: string }[];
  /** What couriers hold. */
  holders: readonly CourierCash[];
  /** Who hands in. */
  from: string | undefined;
  onClose: () => void;
}

const MAX_REASON = 200;

/** The restaurant's currency first, then those of cash that is there. */
const currenciesOf = ({ currency, lines }: Drawer): Currency[] => [
  ...new Set([currency, ...lines.filter(isCash).map((line) => line.currency)]),
];

/** What was refused because he holds less, and how much he holds. */
interface Above {
  what: string;
  holds: number | string;
}

const whatOf = ({ courier_id, currency, value }: Partial<MoveValues>): string =>
  JSON.stringify([courier_id, currency, value]);

function useMove({ kind, drawer, holders, from, onClose }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const forget = useForget();
  const money = useMoney();
  const held = heldBy(holders, from, drawer.currency);
  const [above, setAbove] = useState<Above>();
  const action = useInputForm<MoveValues, DrawerMovement>({
    initial: {
      value: kind === 'hand_in' ? held : '',
      currency: drawer.currency,
      reason: kind === 'hand_in' ? t('drawer.hand_in_reason') : '',
      ...(kind === 'hand_in' && from ? { courier_id: from } : {}),
    },
    guard: false,
    send: (values, key) =>
      moveCash(moveBody(kind, values, drawer.courier_id ?? undefined), key).catch((failure: unknown) => {
        if (!(failure instanceof ApiError) || failure.code !== 'COURIER_HOLDS_LESS') throw failure;
        setAbove({ what: whatOf(values), holds: failure.problem.holds as number | string });
        // The question below the fields says what is wrong with the amount.
        throw new ApiError({ ...failure.problem, keys: [], faults: [] });
      }),
    onDone: (moved) => {
      notify.success(t(`drawer.done_${kind}`, { amount: money(moved.value, moved.currency) }));
      void forget(['drawer', 'payments']);
      onClose();
    },
  });
  return { action, above };
}

/** What he holds of it, to be handed in. */
function heldBy(holders: readonly CourierCash[], courier: string | undefined, currency: Currency): string {
  const held = holders.find((one) => one.courier_id === courier && one.currency === currency);
  const amount = hundredths(held?.holds);
  return amount > 0n ? plain(amount) : '';
}

/** Cash in or out with its reason, or what a courier hands in. */
export default function MoveDialog(props: Props) {
  const { kind, drawer, couriers, holders, onClose } = props;
  const { t } = useTranslation();
  const { filled, max } = useTextRules();
  const { action, above } = useMove(props);
  const values = Form.useWatch<Partial<MoveValues> | undefined>([], action.form) ?? action.initial;
  const currency = values.currency ?? drawer.currency;
  const money = useMoney();
  const currencies = currenciesOf(drawer);
  return (
    <ActionDialog
      action={action}
      title={t(`drawer.title_${kind}`)}
      verb={t(`drawer.verb_${kind}`)}
      onClose={onClose}
    >
      {kind === 'hand_in' && (
        <Form.Item
          name="courier_id"
          label={t('drawer.courier')}
          rules={[{ required: true, message: t('form.required') }]}
        >
          <Select
            placeholder={t('form.choose')}
            showSearch={{ optionFilterProp: 'label' }}
            options={couriers.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id: string) => action.form.setFieldValue('value', heldBy(holders, id, currency))}
          />
        </Form.Item>
      )}
      {currencies.length > 1 && (
        <Form.Item name="currency">
          <Choices
            legend={t('drawer.currency')}
            choices={currencies.map((value) => ({ value, label: t(`field.currency.${value}`) }))}
          />
        </Form.Item>
      )}
      <MoneyField
        max={MOST_OF_DRAWER}
        name="value"
        label={t('drawer.amount')}
        currency={currency}
        required
        rules={[
          {
            validator: async (_, value: string) => {
              if (hundredths(value) <= 0n) throw new Error(t('drawer.amount_missing'));
            },
          },
        ]}
      />
      <Form.Item name="reason" label={t('drawer.reason')} required rules={[filled, max(MAX_REASON)]}>
        <Input maxLength={MAX_REASON} />
      </Form.Item>
      {above?.what === whatOf(values) && (
        <Alert
          type="warning"
          showIcon
          title={t('drawer.holds_less', { amount: money(above.holds, currency) })}
          description={
            <Form.Item name="confirmed" valuePropName="checked" preserve={false} noStyle>
              <Checkbox>{t('drawer.holds_less_confirm')}</Checkbox>
            </Form.Item>
          }
        />
      )}
    </ActionDialog>
  );
}
