import { useCreate, useDelete, useOne, useUpdate } from '@refinedev/core';
import { Form, type FormInstance } from 'antd';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Fields, initialOf, namesOf, normal, sameValue, writable } from '../fields/kinds';
import { ApiError } from '../http';
import { IdempotencyKeys } from '../idempotency';
import { fieldText, placeKeys } from '../problem';
import { resourceInfo } from '../resources';
import { useUnsaved } from '../unsaved';
import { type Choice, type Conflict, faster, type Row, useConflict } from './useConflict';

export type { Row };

export interface ResourceFormOptions {
  resource: string;
  fields: Fields;
  /** Id of the row; none: a new one. */
  id?: string | undefined;
  /** The row when there is no call that reads a single one. */
  row?: Row | undefined;
  /** Path parameters of a nested resource. */
  params?: Record<string, unknown> | undefined;
  /** Values a new row begins with. */
  initial?: Row | undefined;
  /** Last change of the body before it is sent. */
  toBody?: (body: Row, values: Row) => Row;
  onSaved?: ((row: Row) => void) | undefined;
}

export interface ResourceForm {
  form: FormInstance;
  /** The row as loaded; undefined while loading and for a new one. */
  row: Row | undefined;
  isNew: boolean;
  loading: boolean;
  loadError: unknown;
  reload: () => void;
  saving: boolean;
  /** Something differs from what was loaded. */
  dirty: boolean;
  changed: () => void;
  /** The last failed call, unless all of it stands at fields. */
  error: unknown;
  /** Refused fields that are not on the screen. */
  errorKeys: readonly string[];
  dismissError: () => void;
  /**
   * A creation went unanswered: nobody knows whether it was done; the form is locked until a retry is
   * answered.
   */
  unknown: boolean;
  conflict: Conflict | undefined;
  /** Ends a conflict: `mine` saves over, `theirs` takes the current row. */
  resolve: (choice: Choice) => void;
  /** Saves; the saved row, or undefined when it did not work. */
  save: () => Promise<Row | undefined>;
  remove: () => Promise<boolean>;
  /** Whether the form may be closed (asks when something is unsaved). */
  ask: () => Promise<boolean>;
  reset: () => void;
}

/**
 * Load, edit, save one row: sends only what differs (a new row whole) with the version that is edited, joins
 * it with what others saved meanwhile or asks where both changed the same, puts refused fields to their
 * inputs, keeps one idempotency key per body, guards unsaved changes.
 */
export function useResourceForm(options: ResourceFormOptions): ResourceForm {
  const { resource, fields, id, params, initial, toBody, onSaved } = options;
  const [form] = Form.useForm();
  const isNew = id === undefined;
  const readable = resourceInfo(resource).ops.get !== undefined;
  // A deleted row must not be read again while its form is still closing.
  const [removed, setRemoved] = useState(false);
  const meta = useMemo(() => (params ? { params } : {}), [params]);
  const { query } = useOne<Row & { id: string }>({
    resource,
    id: id ?? '',
    meta,
    queryOptions: { enabled: !isNew && readable && !removed, refetchOnWindowFocus: false },
    errorNotification: false,
  });
  const loaded: Row | undefined = isNew
    ? undefined
    : ((readable ? query.data?.data : options.row) ?? undefined);

  const quiet = { successNotification: false as const, errorNotification: false as const };
  const { mutateAsync: create } = useCreate<Row & { id: string }>();
  const { mutateAsync: update } = useUpdate<Row & { id: string }>();
  const { mutateAsync: destroy } = useDelete();

  // What is edited, and the row it was taken from: the one that is loaded may be newer, or older than what
  // was just saved.
  const base = useRef<Row>({});
  const taken = useRef<{ id: string | undefined; row: Row | undefined }>(undefined);
  const [dirty, setDirty] = useState(false);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const [errorKeys, setErrorKeys] = useState<readonly string[]>([]);
  const [unknown, setUnknown] = useState(false);
  const { conflict, ask, resolve } = useConflict();
  const keys = useRef(new IdempotencyKeys());
  const names = useMemo(
    () => writable(fields).flatMap(([name, info]) => namesOf(name, info).map((n) => [n, info] as const)),
    [fields],
  );

  const differs = useCallback(() => {
    const values = form.getFieldsValue(true) as Row;
    return names.some(([name, info]) => name in values && !sameValue(info, values[name], base.current[name]));
  }, [form, names]);
  const changed = useCallback(() => setDirty(differs()), [differs]);

  const fill = useCallback(
    (row: Row | undefined) => {
      const start = Object.fromEntries(
        names.map(([name, info]) => [name, row ? (row[name] ?? null) : (initial?.[name] ?? initialOf(info))]),
      );
      base.current = start;
      taken.current = { id, row };
      form.resetFields();
      form.setFieldsValue(start);
      setDirty(false);
      setError(undefined);
    },
    [form, names, initial, id],
  );

  // A row that arrives, or arrives again by a live event, is taken unless it is older or the user has begun
  // to edit.
  useEffect(() => {
    if (isNew || !loaded) return;
    const known = taken.current?.id === id ? taken.current?.row : undefined;
    // The form itself is asked too: `dirty` is older than what was typed since the page was drawn.
    if (known && (dirty || differs() || !isNewer(loaded, known))) return;
    fill(loaded);
  }, [isNew, id, loaded, dirty, differs, fill]);
  useEffect(() => {
    if (isNew) fill(undefined);
    // only when a new form is opened
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew, resource]);

  /**
   * Saving over what somebody else has saved gives the saved row. Whoever changed other fields is not in the
   * way.
   */
  const settle = async (current: Row, mine: Row): Promise<Row | undefined> => {
    const info = new Map(names);
    const apart = Object.entries(mine).every(([name, value]) => {
      const of = info.get(name);
      return of && (sameValue(of, current[name], base.current[name]) || sameValue(of, current[name], value));
    });
    const choice = apart ? 'mine' : await ask({ current, mine });
    if (choice === 'mine') return send(current.version);
    if (choice === 'theirs') {
      fill(current);
      if (readable) void query.refetch();
    }
    return undefined;
  };

  const refuse = (failure: ApiError): void => {
    // Only an input that is on the screen can carry a message; the rest goes into the box above.
    const { atInputs, elsewhere } = placeKeys(
      failure,
      form.getFieldsError().map((field) => field.name),
    );
    form.setFields(atInputs.map(({ name, key }) => ({ name, errors: [fieldText(failure, key)] })));
    if (atInputs[0]) focusField(form, atInputs[0].name);
    setErrorKeys(elsewhere);
    setError(atInputs.length > 0 && elsewhere.length === 0 ? undefined : failure);
  };

  const send = async (overVersion?: unknown): Promise<Row | undefined> => {
    const values = form.getFieldsValue(true) as Row;
    const body: Row = {};
    const shown = form.getFieldsValue() as Row;
    for (const [name, info] of names) {
      if (!(name in values) || !(name in shown || (isNew && initial && name in initial))) continue;
      if (isNew ? normal(info, values[name]) !== null : !sameValue(info, values[name], base.current[name]))
        body[name] = normal(info, values[name]);
    }
    const out = toBody?.(body, values) ?? body;
    setSaving(true);
    setError(undefined);
    try {
      let saved: Row;
      if (isNew) {
        saved = (
          await create({ resource, values: out, meta: { ...meta, key: keys.current.keyFor(out) }, ...quiet })
        ).data;
        keys.current.done();
      } else {
        const known = overVersion ?? taken.current?.row?.version;
        saved = (
          await update({
            resource,
            id: id!,
            values: known === undefined ? out : { ...out, version: known },
            meta,
            mutationMode: 'pessimistic',
            ...quiet,
          })
        ).data;
      }
      setUnknown(false);
      unsaved.clean();
      if (!isNew) fill({ ...loaded, ...saved });
      setDirty(false);
      onSaved?.(saved);
      return saved ?? {};
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setUnknown(isNew && failure.unanswered);
      setSaving(false);
      const current = faster(failure);
      if (current) return await settle(current, out);
      refuse(failure);
      return undefined;
    } finally {
      setSaving(false);
    }
  };

  const save = async (): Promise<Row | undefined> => {
    if (saving) return undefined;
    try {
      await form.validateFields();
    } catch (invalid) {
      const first = (invalid as { errorFields?: { name: (string | number)[] }[] }).errorFields?.[0];
      if (first) focusField(form, first.name);
      return undefined;
    }
    return send();
  };

  const unsaved = useUnsaved({ dirty, save: async () => (await save()) !== undefined });

  return {
    form,
    isNew,
    dirty,
    saving,
    error,
    errorKeys,
    unknown,
    conflict,
    resolve,
    changed,
    save,
    row: loaded,
    loading: !isNew && !loaded && !query.isError,
    loadError: query.isError ? query.error : undefined,
    reload: () => void query.refetch(),
    dismissError: () => setError(undefined),
    remove: async () => {
      setRemoved(true);
      try {
        await destroy({ resource, id: id!, meta, mutationMode: 'pessimistic', ...quiet });
        unsaved.clean();
        return true;
      } catch (failure) {
        setRemoved(false);
        setError(failure);
        return false;
      }
    },
    ask: unsaved.ask,
    reset: () =>
      fill(loaded && taken.current?.row && !isNewer(loaded, taken.current.row) ? taken.current.row : loaded),
  };
}

/** Versions only rise; a row without one counts as newer each time it arrives. */
const isNewer = (row: Row, than: Row): boolean =>
  row.version === undefined || than.version === undefined || Number(row.version) > Number(than.version);

/** Scrolls a field into view and puts the cursor there, behind sticky bars (scroll-margin in CSS). */
export function focusField(form: FormInstance, name: (string | number)[]): void {
  document.getElementById(name.join('_'))?.closest('details')?.setAttribute('open', '');
  form.scrollToField(name, { block: 'center' });
  (form.getFieldInstance(name) as { focus?: () => void } | undefined)?.focus?.();
}
