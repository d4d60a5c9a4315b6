import { Form, type FormRule, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionDrawer } from '../../../lib/crud/ActionDrawer';
import { useInputForm } from '../../../lib/form/useInputForm';
import { type AddressValues, LONGEST, NEEDED } from './address';

interface Props {
  title: string;
  initial: AddressValues;
  /** Sends it: all values, and those of them that differ. */
  send: (values: AddressValues, changed: Partial<AddressValues>, key: string) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}
type Name = keyof AddressValues;

/** The fields in the order in which one says an address; those of a line stand beside each other. */
const LINES: readonly (readonly Name[])[] = [
  ['name'],
  ['postcode', 'city'],
  ['street', 'premise_number'],
  ['building', 'floor'],
  ['door_number', 'doorbell'],
  ['address_notes'],
  ['state_province_county', 'country'],
];

/** One address: added, or changed. */
export function AddressDrawer({ title, initial, send, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const action = useInputForm<AddressValues>({
    initial,
    send: (values, key, changed) => send(values, changed, key),
    onDone,
  });
  return (
    <ActionDrawer action={action} title={title} verb={t('action.save')} onClose={onClose}>
      {LINES.map((names) => (
        <div className={names.length > 1 ? 'field-line' : undefined} key={names[0]}>
          {names.map((name) => (
            <Field key={name} name={name} />
          ))}
        </div>
      ))}
    </ActionDrawer>
  );
}

function Field({ name }: { name: Name }) {
  const { t } = useTranslation();
  const needed = NEEDED.includes(name);
  const rules: FormRule[] = needed ? [{ required: true, whitespace: true, message: t('form.required') }] : [];
  const common = { maxLength: LONGEST[name], autoComplete: 'off' };
  return (
    <Form.Item
      name={name}
      label={t(`shadow_customers.addresses.${name}`)}
      rules={rules}
      validateTrigger="onSubmit"
      extra={name === 'name' ? t('shadow_customers.addresses.name_help') : undefined}
    >
      {name === 'address_notes' ? (
        <Input.TextArea {...common} autoSize={{ minRows: 2, maxRows: 6 }} />
      ) : (
        <Input {...common} />
      )}
    </Form.Item>
  );
}
