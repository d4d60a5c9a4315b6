import { CloseOutlined, UndoOutlined } from '@ant-design/icons';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscountUsage, ShadowCustomerShort } from '../../generated/model';
import { labelOf } from '../../lib/fields/labels';
import { useLocked } from '../../lib/form/fieldState';
import { FieldRow } from '../../lib/form/FieldRow';
import { useDebounced } from '../../lib/hooks';
import { Button } from '../../lib/ui/Button';
import { Chip } from '../../lib/ui/page';
import { QueryFallback } from '../../lib/ui/states';
import { useCustomers, useUsages } from './api';
import { SwitchField } from './parts';
import { PinGate } from './PinGate';
import { type DiscountForm, DISCOUNTS } from './useDiscountForm';
import type { HeldPin } from '../../lib/pin/usePin';

/** Milliseconds without a key before customers are searched. */
const WAIT = 400;

interface Props {
  form: DiscountForm;
  held: HeldPin;
}

/** Whether only some customers may use it, and who: behind the own PIN. */
export function RelatedCustomers({ form, held }: Props) {
  const { t } = useTranslation();
  const { draft, set, row } = form;
  const losing = !draft.locked_customers && row?.locked_customers && row.usage_qty > 0;
  return (
    <>
      <SwitchField
        path="locked_customers"
        label={labelOf(DISCOUNTS, 'locked_customers')}
        help={
          losing
            ? t('discounts.lock_off_help', { count: row.usage_qty })
            : t('discounts.locked_customers_text')
        }
        value={draft.locked_customers}
        onChange={(locked_customers) =>
          set(locked_customers ? { locked_customers } : { locked_customers, named: [], forgotten: [] })
        }
      />
      {draft.locked_customers &&
        (held.pin === undefined ? <PinGate onPin={held.hold} /> : <Customers form={form} pin={held.pin} />)}
    </>
  );
}

const contact = ({ phone_1, email }: ShadowCustomerShort) => [phone_1, email].filter(Boolean).join(', ');

/** Those named already, those to be named, and the field that finds more. */
function Customers({ form, pin }: { form: DiscountForm; pin: string }) {
  const { t } = useTranslation();
  const locked = useLocked();
  const { draft, set, row } = form;
  // Without the lock nobody has been named yet.
  const usages = useUsages(row?.locked_customers ? row.id : undefined, pin);
  if (row?.locked_customers && !usages.data) return <QueryFallback query={usages} rows={3} />;
  const named = usages.data ?? [];
  const forgotten = new Set(draft.forgotten);
  const taken = new Set([...named.map((one) => one.shadow_customer_id), ...draft.named.map(({ id }) => id)]);
  const forget = (usage: DiscountUsage) =>
    set({
      forgotten: forgotten.has(usage.id)
        ? draft.forgotten.filter((id) => id !== usage.id)
        : [...draft.forgotten, usage.id],
    });
  return (
    <>
      {named.length + draft.named.length === 0 && (
        <p className="edit-lead">{t('discounts.customers_none')}</p>
      )}
      <ul className="discount-customers" aria-label={t('discounts.customers')}>
        {named.map((usage) => (
          <Customer
            key={usage.id}
            customer={usage.shadow_customer ?? undefined}
            mark={forgotten.has(usage.id) ? t('discounts.customer_leaves') : undefined}
            undo={forgotten.has(usage.id)}
            onPress={locked ? undefined : () => forget(usage)}
          />
        ))}
        {draft.named.map((customer) => (
          <Customer
            key={customer.id}
            customer={customer}
            mark={t('discounts.customer_comes')}
            onPress={
              locked ? undefined : () => set({ named: draft.named.filter(({ id }) => id !== customer.id) })
            }
          />
        ))}
      </ul>
      {!locked && (
        <CustomerPicker
          path="named"
          pin={pin}
          taken={taken}
          onChoose={(customer) => set({ named: [...draft.named, customer] })}
        />
      )}
    </>
  );
}

function Customer({
  customer,
  mark,
  undo = false,
  onPress,
}: {
  customer: ShadowCustomerShort | undefined;
  mark?: string | undefined;
  undo?: boolean;
  onPress: (() => void) | undefined;
}) {
  const { t } = useTranslation();
  const name = customer
    ? customer.name || t('discounts.customer_nameless')
    : t('discounts.customer_elsewhere');
  return (
    <li>
      <span className="discount-customer">
        <b>{name}</b>
        {customer && <span className="edit-help">{contact(customer)}</span>}
      </span>
      {mark && <Chip tone={undo ? 'warning' : 'info'}>{mark}</Chip>}
      {onPress && (
        <Button
          type="text"
          icon={undo ? <UndoOutlined /> : <CloseOutlined />}
          aria-label={t(undo ? 'discounts.keep_customer' : 'discounts.drop_customer', { name })}
          onClick={onPress}
        />
      )}
    </li>
  );
}

/** Finds customers by words of their name, phone or e-mail. */
export function CustomerPicker({
  path,
  label,
  help,
  pin,
  taken,
  onChoose,
}: {
  path: string;
  label?: string;
  help?: string;
  pin: string;
  taken: ReadonlySet<string>;
  onChoose: (customer: ShadowCustomerShort) => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const found = useCustomers(useDebounced(text.trim(), WAIT), pin);
  const rows = (found.data ?? []).filter(({ id }) => !taken.has(id));
  return (
    <FieldRow
      path={path}
      label={label ?? t('discounts.add_customer')}
      help={help ?? t('discounts.add_customer_help')}
    >
      {(control) => (
        <Select<string | null>
          {...control}
          className="edit-wide"
          value={null}
          placeholder={t('discounts.customer_search')}
          loading={found.isFetching}
          showSearch={{ filterOption: false, searchValue: text, onSearch: setText }}
          notFoundContent={found.isError ? t('state.failed') : undefined}
          onChange={(id) => {
            const customer = rows.find((one) => one.id === id);
            if (customer) onChoose(customer);
            setText('');
          }}
          options={rows.map((one) => ({ value: one.id, label: one.name, desc: contact(one) }))}
          optionRender={({ data }) => (
            <span className="discount-option">
              <span>{data.label}</span>
              <span className="edit-help">{data.desc}</span>
            </span>
          )}
        />
      )}
    </FieldRow>
  );
}
