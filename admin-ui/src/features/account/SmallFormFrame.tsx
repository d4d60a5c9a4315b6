import { Form } from 'antd';
import type { ReactNode } from 'react';
import type { SmallForm } from '../../lib/crud/useSmallForm';
import '../../lib/crud/form.css';
import { Button } from '../../lib/ui/Button';
import { ProblemAlert } from '../../lib/ui/states';

/**
 * The form element of a small form, with its problem box. Enter sends. Several stand on a page: `name` keeps
 * their ids apart.
 */
export function SmallFormFrame<V extends object>({
  name,
  state,
  children,
}: {
  name: string;
  state: SmallForm<V>;
  children: ReactNode;
}) {
  return (
    <Form<V>
      name={name}
      form={state.form}
      initialValues={state.initial}
      layout="vertical"
      requiredMark={false}
      disabled={state.saving}
      onValuesChange={state.changed}
      onFinish={() => void state.submit()}
      onFinishFailed={() => void state.submit()}
    >
      {state.error !== undefined && <ProblemAlert error={state.error} onClose={state.dismissError} />}
      {children}
    </Form>
  );
}

/** The button of a small form; others may stand before it. */
export function SaveRow<V extends object>({
  state,
  label,
  children,
}: {
  state: SmallForm<V>;
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
