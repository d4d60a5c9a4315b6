import type { FormInstance } from 'antd';
import { type Body, changes } from './body';
import { type Inputs, useInputs } from './useInputs';
import { type SaveState, useSave } from './useSave';

interface Options<V, A> {
  /**
   * The call; `key` for an Idempotency-Key. Values are those of the fields on the screen, `changed` those of
   * them that differ from what the form began with.
   */
  send: (values: V, key: string, changed: Partial<V>) => Promise<A>;
  onDone?: (answer: A, values: V) => void;
  initial?: Partial<V>;
  /** What the form begins with after it was sent; unless given it stays as it is, for it is about to close. */
  next?: (answer: A, values: V) => Partial<V>;
  repeatable?: boolean;
  guard?: boolean;
}

/** The interface of `<InputForm>`. */
export interface InputFormState<V extends object> extends SaveState {
  form: FormInstance<V>;
  initial: Partial<V>;
  dirty: boolean;
  /** For the form's `onValuesChange`. */
  changed: (values: object) => void;
  /** Checks and sends; false when it did not work. */
  submit: () => Promise<boolean>;
}

export interface InputForm<V extends object> extends InputFormState<V> {
  /** Shows a refusal of another call that sent these values, at its fields where it names them. */
  fail: (failure: unknown) => void;
  /** Starts again with these values. */
  begin: (values: Partial<V>) => void;
  /** Whether it may be closed (asks when something was filled in). */
  ask: () => Promise<boolean>;
}

/** A form that does something rather than editing a row: a password, a new device, a reason. */
export function useInputForm<V extends object, A = unknown>(options: Options<V, A>): InputForm<V> {
  const { send, onDone, next, initial = {}, ...rest } = options;
  const inputs: Inputs<V> = useInputs<V>({ initial: initial as V });
  const save = useSave<V, V, A>({
    ...rest,
    values: inputs,
    bodyOf: inputs.shown,
    send: (values, key) => send(values, key, changes(inputs.base() as Body, values as Body) as Partial<V>),
    onSaved: (answer, values) => {
      if (next) inputs.begin(next(answer, values) as V);
      else inputs.accept();
      onDone?.(answer, values);
    },
  });
  return {
    ...save,
    form: inputs.form,
    initial,
    dirty: inputs.dirty,
    changed: inputs.changed,
    submit: async () => (await save.run()) !== undefined,
    begin: (values) => inputs.begin(values as V),
  };
}
