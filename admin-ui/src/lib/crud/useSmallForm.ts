import { Form, type FormInstance } from 'antd';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../http';
import { fieldText, type NamePath, placeKeys } from '../problem';
import { useUnsaved } from '../unsaved';
import { focusField } from './useResourceForm';

export interface SmallForm<V extends object> {
  form: FormInstance<V>;
  initial: V;
  saving: boolean;
  dirty: boolean;
  /** The last failed call, unless all of it stands at fields. */
  error: unknown;
  dismissError: () => void;
  /** Checks, sends, and begins anew with what was sent, or empty. False when it did not work. */
  submit: () => Promise<boolean>;
  /** For the form's `onValuesChange`. */
  changed: () => void;
  /** What the form begins with from now on. */
  begin: (values: Partial<V>) => void;
}

/**
 * A form that is no row of a resource: a password, a setting. Refused fields get their messages, unsaved
 * changes are guarded.
 */
export function useSmallForm<V extends object>({
  initial,
  send,
  guard = true,
}: {
  initial: V;
  send: (values: V) => Promise<V | void>;
  guard?: boolean;
}): SmallForm<V> {
  const [form] = Form.useForm<V>();
  const [base, setBase] = useState<object>(initial);
  const [saving, setSaving] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [error, setError] = useState<unknown>();

  const begin = useCallback(
    (values: Partial<V>) => {
      setBase(values);
      form.resetFields();
      form.setFieldsValue(values as never);
      setDirty(false);
      setError(undefined);
    },
    [form],
  );

  // Once the inputs are enabled again.
  const refused = useRef<NamePath>(undefined);
  useEffect(() => {
    if (saving || !refused.current) return;
    focusField(form as FormInstance, refused.current);
    refused.current = undefined;
  }, [saving, form]);

  const submit = async (): Promise<boolean> => {
    if (saving) return false;
    let values: V;
    try {
      values = await form.validateFields();
    } catch (invalid) {
      const first = (invalid as { errorFields?: { name: (string | number)[] }[] }).errorFields?.[0];
      if (first) focusField(form, first.name);
      return false;
    }
    setSaving(true);
    setError(undefined);
    try {
      const next = await send(values);
      unsaved.clean();
      begin(next ?? initial);
      return true;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      const { atInputs, elsewhere } = placeKeys(
        failure,
        form.getFieldsError().map((field) => field.name),
      );
      form.setFields(atInputs.map(({ name, key }) => ({ name, errors: [fieldText(failure, key)] })) as never);
      refused.current = atInputs[0]?.name;
      setError(atInputs.length > 0 && elsewhere.length === 0 ? undefined : failure);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const unsaved = useUnsaved({ dirty: guard && dirty, save: submit });

  const changed = () => {
    const values = form.getFieldsValue(true) as Record<string, unknown>;
    const was = base as Record<string, unknown>;
    setDirty(
      Object.keys(values).some(
        (name) => JSON.stringify(values[name] ?? '') !== JSON.stringify(was[name] ?? ''),
      ),
    );
  };
  return {
    form,
    initial,
    saving,
    dirty,
    error,
    submit,
    changed,
    begin,
    dismissError: () => setError(undefined),
  };
}
