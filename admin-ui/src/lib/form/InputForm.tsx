import { Form, type FormProps } from 'antd';
import { Button } from '../ui/Button';
import type { ReactNode } from 'react';
import { FirstField } from './FirstField';
import { FormAlert } from './FormAlert';
import type { InputFormState } from './useInputForm';
import '../crud/form.css';

interface Props<V extends object> {
  state: InputFormState<V>;
  /** Keeps ids apart where several forms stand on a page. */
  name?: string;
  /** Without the right to send it. */
  disabled?: boolean;
  requiredMark?: FormProps['requiredMark'];
  /** The first field takes the focus on a page too. */
  focusFirst?: boolean;
  children: ReactNode;
}

/** The fields of a form that does something, with its problem box. Enter sends. */
export function InputForm<V extends object>(props: Props<V>) {
  const { state, name, disabled = false, requiredMark = false, focusFirst = false, children } = props;
  const submit = () => void state.submit();
  return (
    <Form<V>
      {...(name ? { name } : {})}
      form={state.form}
      initialValues={state.initial}
      layout="vertical"
      requiredMark={requiredMark}
      disabled={state.saving || state.unknown || disabled}
      onValuesChange={state.changed}
      onFinish={submit}
      onFinishFailed={submit}
    >
      <FirstField onPage={focusFirst} />
      <FormAlert state={state} />
      {children}
    </Form>
  );
}

/** The button that sends; others may stand before it. */
export function SubmitRow<V extends object>({
  state,
  label,
  children,
}: {
  state: InputFormState<V>;
  label: string;
  children?: ReactNode;
}) {
  return (
    <div className="form-buttons">
      {children}
      <span className="form-buttons-gap" />
      <Button type="primary" htmlType="submit" loading={state.saving} disabled={!state.dirty}>
        {label}
      </Button>
    </div>
  );
}
