import { apartFields, mergeFields } from '../../lib/form/body';
import { useInputs } from '../../lib/form/useInputs';
import { useRow, versionOf } from '../../lib/form/useRow';
import { useSave } from '../../lib/form/useSave';
import { useNotify } from '../../lib/ui/notify';

interface Options<R, V, B> {
  /** Null: there is none yet. */
  row: R | null;
  /** Tells rows apart. */
  id: string;
  valuesOf: (row: R | null) => V;
  /** What is sent of the values; `base` are those that the form began with. */
  bodyOf: (values: V, base: V) => B;
  /** The call, with the version that was edited. */
  save: (body: B & { version?: number }) => Promise<R>;
  /** The row that somebody else saved was taken. */
  onTheirs: (row: R) => void;
}

/** The form of something a partner has one of: joined with what others saved meanwhile, or asked about. */
export function useVersionedForm<R extends object, V extends object, B extends object>(
  options: Options<R, V, B>,
) {
  const { row, id, valuesOf, bodyOf, onTheirs } = options;
  const notify = useNotify();
  const initial = valuesOf(row);
  const inputs = useInputs<V>({ initial });
  const origin = useRow<R, V>({
    values: inputs,
    row,
    id,
    valuesOf,
    merge: mergeFields<V>,
    apart: apartFields<V>,
    onTheirs,
    filled: true,
  });
  const save = useSave<V, B, R>({
    values: inputs,
    bodyOf: (values) => bodyOf(values, inputs.base()),
    send: (body) => {
      const version = versionOf(origin.taken());
      return options.save({ ...body, ...(version === undefined ? {} : { version }) });
    },
    onSaved: (saved) => {
      origin.take(saved);
      notify.saved();
    },
    settle: origin.settle,
    repeatable: true,
  });
  const submit = async () => (await save.run()) !== undefined;
  return { ...save, ...inputs, initial, submit, conflict: origin.conflict, resolve: origin.resolve };
}
