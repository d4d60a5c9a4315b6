import { useCreate, useDelete, useOne, useUpdate } from '@refinedev/core';
import type { FormInstance } from 'antd';
import { useCallback, useMemo, useState } from 'react';
import {
  type FieldInfo,
  type Fields,
  initialOf,
  namesOf,
  normal,
  sameValue,
  writable,
} from '../fields/kinds';
import { useInputs } from '../form/useInputs';
import { type Choice, type Conflict, useRow, versionOf } from '../form/useRow';
import { type SaveState, useSave } from '../form/useSave';
import { ApiError } from '../http';
import { resourceInfo } from '../resources';

export type Row = Record<string, unknown> & { id?: string };

export interface ResourceFormOptions {
  resource: string;
  fields: Fields;
  /** Id of the row; none: a new one. */
  id?: string | undefined;
  /** The row when there is no call that reads a single one: undefined while it loads, null when it is not there. */
  row?: Row | null | undefined;
  /** Path parameters of a nested resource. */
  params?: Record<string, unknown> | undefined;
  /** Values a new row begins with. */
  initial?: Row | undefined;
  /** Last change of the body before it is sent. */
  toBody?: (body: Row, values: Row) => Row;
  onSaved?: ((row: Row) => void) | undefined;
}

export interface ResourceForm extends SaveState {
  form: FormInstance;
  /** The row as loaded; undefined while loading and for a new one. */
  row: Row | undefined;
  isNew: boolean;
  loading: boolean;
  loadError: unknown;
  reload: () => void;
  /** Something differs from what was loaded. */
  dirty: boolean;
  changed: (values: object) => void;
  conflict: Conflict<Row> | undefined;
  /** Ends a conflict: `mine` saves over, `theirs` takes the current row. */
  resolve: (choice: Choice) => void;
  /** Saves; the saved row, or undefined when it did not work. */
  save: () => Promise<Row | undefined>;
  remove: () => Promise<boolean>;
  /** Whether the form may be closed (asks when something is unsaved). */
  ask: () => Promise<boolean>;
  reset: () => void;
}

type Names = readonly (readonly [string, FieldInfo])[];
/** As the service answers where it has a call for a single row. */
const NOT_THERE = new ApiError({ status: 404, code: 'ENTITY_NOT_EXIST' });
const NO_NOTIFICATIONS = { successNotification: false as const, errorNotification: false as const };

/** The row by its own call, where there is one. */
function useLoadedRow({ resource, id, row, params }: ResourceFormOptions) {
  const meta = useMemo(() => (params ? { params } : {}), [params]);
  // A deleted row must not be read again while its form is still closing.
  const [removed, setRemoved] = useState(false);
  const readable = resourceInfo(resource).ops.get !== undefined;
  const { query } = useOne<Row & { id: string }>({
    resource,
    id: id ?? '',
    meta,
    queryOptions: { enabled: id !== undefined && readable && !removed, refetchOnWindowFocus: false },
    errorNotification: false,
  });
  const loaded: Row | undefined =
    id === undefined ? undefined : readable ? query.data?.data : (row ?? undefined);
  const missing = id !== undefined && !readable && row === null && !removed;
  const loadError = missing ? NOT_THERE : query.isError ? query.error : undefined;
  return { meta, readable, query, loaded, loadError, setRemoved };
}

/** The calls that write a row; new ones carry the idempotency key. */
function useWrites(resource: string, id: string | undefined, meta: object) {
  const { mutateAsync: create } = useCreate<Row & { id: string }>();
  const { mutateAsync: update } = useUpdate<Row & { id: string }>();
  const { mutateAsync: destroy } = useDelete();
  const pessimistic = { mutationMode: 'pessimistic' as const, ...NO_NOTIFICATIONS };
  return {
    create: async (values: Row, key: string): Promise<Row> =>
      (await create({ resource, values, meta: { ...meta, key }, ...NO_NOTIFICATIONS })).data,
    update: async (values: Row): Promise<Row> =>
      (await update({ resource, id: id!, values, meta, ...pessimistic })).data,
    destroy: () => destroy({ resource, id: id!, meta, ...pessimistic }),
  };
}

/** My changes on top of theirs. */
const mergeBy =
  (names: Names) =>
  (base: Row, mine: Row, theirs: Row): Row => ({
    ...theirs,
    ...Object.fromEntries(
      names
        .filter(([name, info]) => !sameValue(info, mine[name], base[name]))
        .map(([name]) => [name, mine[name]]),
    ),
  });

/** No field was changed by both, each in another way. */
const apartBy =
  (names: Names) =>
  (base: Row, mine: Row, theirs: Row): boolean =>
    names.every(([name, info]) => {
      const same = (a: Row, b: Row) => sameValue(info, a[name], b[name]);
      return same(mine, base) || same(theirs, base) || same(theirs, mine);
    });

/** The values of the fields that can be written, and what is sent of them. */
function useFieldValues({ fields, id, initial, toBody }: ResourceFormOptions) {
  const isNew = id === undefined;
  const names: Names = useMemo(
    () => writable(fields).flatMap(([name, info]) => namesOf(name, info).map((n) => [n, info] as const)),
    [fields],
  );
  const valuesOf = (row: Row | null): Row =>
    Object.fromEntries(
      names.map(([name, info]) => [name, row ? (row[name] ?? null) : (initial?.[name] ?? initialOf(info))]),
    );
  const inputs = useInputs<Row>({
    initial: {},
    differ: useCallback(
      (values: Row, base: Row) =>
        names.some(([name, info]) => name in values && !sameValue(info, values[name], base[name])),
      [names],
    ),
  });
  const bodyOf = (values: Row): Row => {
    const [shown, base] = [inputs.shown(), inputs.base()];
    const sent = names.filter(([name, info]) => {
      if (!(name in values) || !(name in shown || (isNew && initial && name in initial))) return false;
      return isNew ? normal(info, values[name]) !== null : !sameValue(info, values[name], base[name]);
    });
    const body = Object.fromEntries(sent.map(([name, info]) => [name, normal(info, values[name])]));
    return toBody?.(body, values) ?? body;
  };
  return { names, valuesOf, inputs, bodyOf };
}

/**
 * The form of one row of a resource: loads it, sends only what differs (a new row whole) with the version
 * that is edited, and joins it with what others saved meanwhile or asks where both changed the same.
 */
export function useResourceForm(options: ResourceFormOptions): ResourceForm {
  const { resource, id, onSaved } = options;
  const isNew = id === undefined;
  const { meta, readable, query, loaded, loadError, setRemoved } = useLoadedRow(options);
  const writes = useWrites(resource, id, meta);
  const { names, valuesOf, inputs, bodyOf } = useFieldValues(options);
  const origin = useRow<Row, Row>({
    values: inputs,
    row: isNew ? null : loaded,
    id,
    valuesOf,
    merge: mergeBy(names),
    apart: apartBy(names),
    onTheirs: () => readable && void query.refetch(),
  });

  const save = useSave<Row, Row, Row>({
    values: inputs,
    bodyOf,
    send: async (body, key) => {
      if (isNew) return writes.create(body, key);
      const version = versionOf(origin.taken());
      return writes.update(version === undefined ? body : { ...body, version });
    },
    onSaved: (saved) => {
      if (isNew) inputs.accept();
      else origin.take({ ...loaded, ...saved });
      onSaved?.(saved);
    },
    settle: origin.settle,
    repeatable: !isNew,
  });
  return {
    ...save,
    form: inputs.form as unknown as FormInstance,
    isNew,
    dirty: inputs.dirty,
    changed: inputs.changed,
    conflict: origin.conflict,
    resolve: origin.resolve,
    reset: () => {
      origin.reset();
      save.dismissError();
    },
    row: loaded,
    loading: !isNew && !loaded && loadError === undefined,
    loadError,
    reload: () => void query.refetch(),
    save: async () => {
      const done = await save.run();
      return done && (done.answer ?? {});
    },
    remove: async () => {
      setRemoved(true);
      try {
        await writes.destroy();
        save.clean();
        return true;
      } catch (failure) {
        setRemoved(false);
        save.fail(failure);
        return false;
      }
    },
  };
}
