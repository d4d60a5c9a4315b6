import { Alert, Form, type FormInstance } from 'antd';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../http';
import { IdempotencyKeys } from '../idempotency';
import { fieldText, namePath, placeKeys } from '../problem';
import { ProblemAlert } from '../ui/states';
import { useUnsaved } from '../unsaved';
import { focusField } from './useResourceForm';
import './form.css';

interface Options<V, A> {
  /**
   * The call; `key` for an Idempotency-Key, the same for the same values. Values are those of the fields on
   * the screen.
   */
  send: (values: V, key: string) => Promise<A>;
  onDone: (answer: A, values: V) => void;
  initial?: Partial<V>;
}

export interface ActionForm<V extends object> {
  form: FormInstance<V>;
  saving: boolean;
  dirty: boolean;
  submit: () => Promise<boolean>;
  /** Whether it may be closed (asks when something was filled in). */
  ask: () => Promise<boolean>;
  /** Properties of antd's Form. */
  props: {
    form: FormInstance<V>;
    layout: 'vertical';
    disabled: boolean;
    initialValues: Partial<V>;
    onValuesChange: () => void;
    onFinish: () => void;
  };
  /** What stands above the fields when a call failed. */
  alert: ReactNode;
}

/**
 * A form that does something rather than editing a row: puts refused fields to their inputs, one idempotency
 * key per body, locks itself when nobody answered, guards what was filled in.
 */
export function useActionForm<V extends object, A = unknown>({
  send,
  onDone,
  initial = {},
}: Options<V, A>): ActionForm<V> {
  const { t } = useTranslation();
  const [form] = Form.useForm<V>();
  const [saving, setSaving] = useState(false);
  const [dirty, setDirty] = useState(false);
  const [error, setError] = useState<ApiError>();
  const [elsewhere, setElsewhere] = useState<readonly string[]>([]);
  const keys = useRef(new IdempotencyKeys());
  const clean = useRef<() => void>(() => undefined);
  const unknown = error?.unanswered ?? false;

  // Known at once, where `saving` is only with the next picture: a key that repeats itself sends once.
  const busy = useRef(false);
  const submit = useCallback(async (): Promise<boolean> => {
    let values: V;
    try {
      values = await form.validateFields();
    } catch (invalid) {
      const first = (invalid as { errorFields?: { name: (string | number)[] }[] }).errorFields?.[0];
      if (first) focusField(form as FormInstance, first.name);
      return false;
    }
    if (busy.current) return false;
    busy.current = true;
    setSaving(true);
    setError(undefined);
    try {
      const answer = await send(values, keys.current.keyFor(values));
      keys.current.done();
      setDirty(false);
      clean.current();
      onDone(answer, values);
      return true;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      const placed = placeKeys(
        failure,
        form.getFieldsError().map((field) => field.name as (string | number)[]),
      );
      form.setFields(
        placed.atInputs.map(({ name, key }) => ({ name: name as never, errors: [fieldText(failure, key)] })),
      );
      if (placed.atInputs[0]) focusField(form as FormInstance, namePath(placed.atInputs[0].name.join('.')));
      setElsewhere(placed.elsewhere);
      setError(placed.atInputs.length > 0 && placed.elsewhere.length === 0 ? undefined : failure);
      return false;
    } finally {
      busy.current = false;
      setSaving(false);
    }
  }, [form, send, onDone]);

  const guard = useUnsaved({ dirty, save: submit });
  useEffect(() => {
    clean.current = guard.clean;
  });
  return {
    form,
    saving,
    dirty,
    submit,
    ask: guard.ask,
    props: {
      form,
      layout: 'vertical',
      disabled: saving || unknown,
      initialValues: initial,
      onValuesChange: () => setDirty(form.isFieldsTouched()),
      onFinish: () => void submit(),
    },
    alert: unknown ? (
      <Alert
        type="warning"
        showIcon
        role="alert"
        className="page-alert"
        title={t('form.unknown')}
        description={t('form.unknown_text')}
      />
    ) : (
      error && <ProblemAlert error={error} keys={elsewhere} onClose={() => setError(undefined)} />
    ),
  };
}
