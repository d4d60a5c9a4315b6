import { Form, type FormInstance } from 'antd';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ApiError } from '../http';
import { fieldText, type NamePath, placeKeys } from '../problem';
import type { FormValues } from './values';

export interface Inputs<V extends object> extends FormValues<V> {
  form: FormInstance<V>;
  /** For the form's `onValuesChange`. */
  changed: () => void;
  /** The values of the fields that are on the screen. */
  shown: () => V;
}

interface Options<V> {
  initial: V;
  /** Whether values differ from the base; compares them name by name unless given. */
  differ?: (values: V, base: V) => boolean;
}

/** Values in antd's inputs, which know their rules and show what is wrong with them. */
export function useInputs<V extends object>({ initial, differ = differByName }: Options<V>): Inputs<V> {
  const [form] = Form.useForm<V>();
  const base = useRef(initial);
  const fault = useRef<NamePath>(undefined);
  const [dirty, setDirty] = useState(false);

  const read = useCallback(() => form.getFieldsValue(true) as V, [form]);
  const differs = useCallback(() => differ(read(), base.current), [differ, read]);
  const changed = useCallback(() => setDirty(differs()), [differs]);
  const begin = useCallback(
    (next: V, values: V = next) => {
      base.current = next;
      form.resetFields();
      form.setFieldsValue(values as never);
      setDirty(differs());
    },
    [form, differs],
  );
  const accept = useCallback(() => {
    base.current = read();
    setDirty(false);
  }, [read]);
  const focusFault = useCallback(() => {
    if (fault.current) focusField(form as FormInstance, fault.current);
    fault.current = undefined;
  }, [form]);
  const check = useCallback(async () => {
    try {
      await form.validateFields();
      return true;
    } catch (invalid) {
      fault.current = (invalid as { errorFields?: { name: NamePath }[] }).errorFields?.[0]?.name;
      focusFault();
      return false;
    }
  }, [form, focusFault]);
  const refuse = useCallback(
    (failure: ApiError) => {
      const inputs = form.getFieldsError().map((field) => field.name as NamePath);
      const { atInputs, elsewhere } = placeKeys(failure, inputs);
      form.setFields(
        atInputs.map(({ name, key }) => ({ name: name as never, errors: [fieldText(failure, key)] })),
      );
      fault.current = atInputs[0]?.name;
      return elsewhere;
    },
    [form],
  );
  return useMemo(
    () => ({
      form,
      dirty,
      differs,
      read,
      base: () => base.current,
      begin,
      accept,
      check,
      refuse,
      focusFault,
      changed,
      shown: () => form.getFieldsValue(),
    }),
    [form, dirty, differs, read, begin, accept, check, refuse, focusFault, changed],
  );
}

/** An input that was never filled in and an emptied one are the same. */
function differByName(values: object, base: object): boolean {
  const was = base as Record<string, unknown>;
  return Object.entries(values).some(
    ([name, value]) => JSON.stringify(value ?? '') !== JSON.stringify(was[name] ?? ''),
  );
}

/** Scrolls a field into view and puts the cursor there, behind sticky bars (scroll-margin in CSS). */
export function focusField(form: FormInstance, name: NamePath): void {
  document.getElementById(name.join('_'))?.closest('details')?.setAttribute('open', '');
  form.scrollToField(name, { block: 'center' });
  (form.getFieldInstance(name) as { focus?: () => void } | undefined)?.focus?.();
}
