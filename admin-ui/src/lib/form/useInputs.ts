import { Form, type FormInstance } from 'antd';
import { createElement, useCallback, useMemo, useRef, useState } from 'react';
import type { ApiError } from '../http';
import { fieldText, type NamePath, placeKeys } from '../problem';
import type { FormValues } from './values';

export interface Inputs<V extends object> extends FormValues<V> {
  form: FormInstance<V>;
  /** For the form's `onValuesChange`: what is wrong with a field holds until it is changed. */
  changed: (values: object) => void;
  /** The values of the fields that are on the screen. */
  shown: () => V;
}

interface Options<V> {
  initial: V;
  /** Whether values differ from the base; compares them name by name unless given. */
  differ?: (values: V, base: V) => boolean;
}

/** What antd throws when a check of all fields does not end well. */
interface Invalid {
  errorFields: { name: NamePath }[];
  /** Another check began meanwhile. */
  outOfDate: boolean;
}

/** Values in antd's inputs, which know their rules and show what is wrong with them. */
export function useInputs<V extends object>({ initial, differ = differByName }: Options<V>): Inputs<V> {
  const [form] = Form.useForm<V>();
  const base = useRef(initial);
  const fault = useRef<NamePath>(undefined);
  const [dirty, setDirty] = useState(false);

  const read = useCallback(() => form.getFieldsValue(true) as V, [form]);
  const differs = useCallback(() => differ(read(), base.current), [differ, read]);
  const changed = useCallback(
    (values: object) => {
      const faulty = form.getFieldsError().filter(({ name, errors }) => errors.length && holds(values, name));
      form.setFields(faulty.map(({ name }) => ({ name: name as never, errors: [] })));
      setDirty(differs());
    },
    [form, differs],
  );
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
  const check = useCallback(
    async function again(): Promise<boolean> {
      try {
        await form.validateFields();
        return true;
      } catch (invalid) {
        const { errorFields, outOfDate } = invalid as Invalid;
        // A field that was left meanwhile is checked on its own, which ends this check without a fault.
        if (outOfDate && errorFields.length === 0) return await again();
        fault.current = errorFields[0]?.name;
        focusFault();
        return false;
      }
    },
    [form, focusFault],
  );
  const refuse = useCallback(
    (failure: ApiError) => {
      const inputs = form.getFieldsError().map((field) => field.name as NamePath);
      const { atInputs, elsewhere } = placeKeys(failure, inputs);
      form.setFields(
        atInputs.map(({ name, key }) => {
          // antd takes any node, and announces none.
          const text = createElement('span', { role: 'alert' }, fieldText(failure, key));
          return { name: name as never, errors: [text as unknown as string] };
        }),
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

/** Whether changed values, nested as in the form, have one at this path. */
const holds = (values: object, path: NamePath): boolean =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values) !== undefined;

/** An input that was never filled in and an emptied one are the same. */
function differByName(values: object, base: object): boolean {
  const was = base as Record<string, unknown>;
  return Object.entries(values).some(
    ([name, value]) => JSON.stringify(value ?? '') !== JSON.stringify(was[name] ?? ''),
  );
}

/** Scrolls a field into view and puts the cursor there, behind sticky bars (scroll-margin in CSS). */
function focusField(form: FormInstance, name: NamePath): void {
  document.getElementById(name.join('_'))?.closest('details')?.setAttribute('open', '');
  form.scrollToField(name, { block: 'center' });
  (form.getFieldInstance(name) as { focus?: () => void } | undefined)?.focus?.();
}
