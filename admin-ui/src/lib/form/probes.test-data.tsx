import { Form, Input } from 'antd';
import type { ReactNode } from 'react';
import { FormBody } from '../crud/ResourceForm';
import { type Row, useResourceForm } from '../crud/useResourceForm';
import { DraftPage } from './DraftFrame';
import { FieldRow } from './FieldRow';
import { InputForm } from './InputForm';
import type { Faults } from './useDraft';
import { useDraftForm } from './useDraftForm';
import { useInputForm } from './useInputForm';

/** A call as the service gets it. */
export interface Call {
  body: Record<string, unknown>;
  /** Absent where the call carries none. */
  key?: string | undefined;
}

export interface Probe {
  /** The row to be edited; none: a new one. */
  row?: Row | undefined;
  send: (call: Call) => Promise<unknown>;
}

/** What each of them shows: two texts, of which the name is required, and a button that sends. */
const Buttons = ({ save, children }: { save: () => unknown; children?: ReactNode }) => (
  <>
    <button type="button" onClick={() => void save()}>
      send
    </button>
    {children}
  </>
);

const required = [{ required: true, message: 'form.required' }];

function ActionProbe({ send }: Probe) {
  const form = useInputForm<Row>({ initial: {}, send: (body, key) => send({ body, key }) });
  return (
    <>
      <InputForm state={form}>
        <Form.Item name="name" label="Name" rules={required}>
          <Input />
        </Form.Item>
        <Form.Item name="note" label="Note">
          <Input />
        </Form.Item>
      </InputForm>
      <Buttons save={form.submit} />
    </>
  );
}

const fields = {
  name: { kind: 'text', required: true },
  note: { kind: 'text' },
} as const;

function ResourceProbe({ row }: Probe) {
  const state = useResourceForm({ resource: 'things', fields, id: row?.id, row });
  return (
    <>
      <FormBody
        state={state}
        resource="things"
        fields={fields}
        overrides={{ name: { label: 'Name' }, note: { label: 'Note' } }}
      />
      <Buttons save={state.save}>
        <button type="button" disabled={!state.dirty} onClick={state.reset}>
          discard
        </button>
      </Buttons>
    </>
  );
}

interface Thing {
  id: string;
  version: number;
  name: string;
  note: string;
}
type Texts = Pick<Thing, 'name' | 'note'>;
const draftOf = ({ name, note }: Texts): Texts => ({ name, note });
const bodyOf = (draft: Texts, base?: Texts) =>
  Object.fromEntries(
    (['name', 'note'] as const)
      .filter((field) => draft[field] !== (base?.[field] ?? ''))
      .map((field) => [field, draft[field]]),
  );

function DraftProbe({ row, send }: Probe) {
  const form = useDraftForm<Thing, Texts>({
    row: (row as Thing | undefined) ?? null,
    fresh: () => ({ name: '', note: '' }),
    draftOf,
    bodyOf,
    merge: (base, mine, theirs) => ({
      name: mine.name === base.name ? theirs.name : mine.name,
      note: mine.note === base.note ? theirs.note : mine.note,
    }),
    validate: (draft): Faults => (draft.name ? {} : { name: 'form.required' }),
    send: async ({ body, key }) => (await send({ body, key })) as Thing,
  });
  const text = (field: keyof Texts, label: string) => (
    <FieldRow path={field} label={label}>
      {(control) => (
        <Input
          {...control}
          disabled={form.saving || form.unknown}
          value={form.draft[field]}
          onChange={(event) => form.set({ [field]: event.target.value })}
        />
      )}
    </FieldRow>
  );
  return (
    <>
      <DraftPage
        form={form}
        factsOf={(draft) =>
          Object.entries(draft).map(([path, value]) => ({ path, label: path, value, text: value }))
        }
        maySave={false}
        mayEdit
        onSaved={() => undefined}
      >
        {text('name', 'Name')}
        {text('note', 'Note')}
      </DraftPage>
      <Buttons save={form.save}>
        <button type="button" disabled={!form.dirty} onClick={form.discard}>
          discard
        </button>
      </Buttons>
    </>
  );
}

/** All forms that send something, and those of them that edit a row. */
export const NEW = { action: ActionProbe, resource: ResourceProbe, draft: DraftProbe };
export const ROWS = { resource: ResourceProbe, draft: DraftProbe };
