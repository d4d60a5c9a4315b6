import { Form, type FormInstance, type FormRule } from 'antd';
import { useTranslation } from 'react-i18next';
import { ActionDrawer } from '../../lib/crud/ActionDrawer';
import { DayInput } from '../../lib/fields/DayInput';
import { useInputForm } from '../../lib/form/useInputForm';
import { useFormat } from '../../lib/format';
import { NumberInput } from '../../lib/ui/NumberInput';
import { filterFaults, type FilterName, type FilterValues, RANGES } from './filters';

interface Props {
  values: FilterValues;
  onChoose: (values: FilterValues) => void;
  onClose: () => void;
}

/** More filters: how many orders, for how much, and when the last one was. */
export function FiltersDrawer({ values, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  const action = useInputForm<FilterValues>({
    initial: values,
    guard: false,
    repeatable: true,
    send: async (chosen) => onChoose({ ...values, ...chosen }),
    onDone: onClose,
  });
  return (
    <ActionDrawer
      action={action}
      title={t('customers.more_filters')}
      verb={t('customers.filter_apply')}
      onClose={onClose}
    >
      {RANGES.map(([from, till]) => (
        <fieldset className="field-group" key={from}>
          <legend>{t(`customers.filter.${from}`)}</legend>
          <div className="field-line">
            <Bound name={from} form={action.form} />
            <Bound name={till} form={action.form} after={from} />
          </div>
        </fieldset>
      ))}
    </ActionDrawer>
  );
}

/** Inputs give null where they are empty. */
const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value));

function Bound({
  name,
  form,
  after,
}: {
  name: FilterName;
  form: FormInstance<FilterValues>;
  after?: FilterName;
}) {
  const { t } = useTranslation();
  const { currency } = useFormat();
  const notTurned: FormRule = {
    validator: async () => {
      const fault = filterFaults(form.getFieldsValue(true) as FilterValues)[name];
      if (fault) throw new Error(t(fault));
    },
  };
  const decimals = name.startsWith('order_sum') && currency !== 'huf' ? 2 : 0;
  return (
    <Form.Item
      name={name}
      label={t(after ? 'customers.till' : 'customers.from')}
      normalize={asText}
      {...(after ? { rules: [notTurned], dependencies: [after] } : {})}
    >
      {name.startsWith('last_order') ? (
        <DayInput />
      ) : (
        <NumberInput<string> className="edit-wide" stringMode min="0" max="999999999" precision={decimals} />
      )}
    </Form.Item>
  );
}
