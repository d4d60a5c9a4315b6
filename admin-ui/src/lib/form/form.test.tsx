import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { type ComponentType, useEffect, useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../events';
import { ApiError, type Problem } from '../http';
import { type Call, NEW, type Probe, ROWS } from './probes.test-data';
import { UnsavedProvider } from './unsaved';

vi.mock('@refinedev/core', async (original) => ({
  ...(await original<object>()),
  useOne: () => ({ query: { refetch: () => undefined } }),
  useCreate: () => ({
    mutateAsync: async ({ values, meta }: { values: object; meta: { key: string } }) => ({
      data: await send({ body: values as Call['body'], key: meta.key }),
    }),
  }),
  useUpdate: () => ({
    mutateAsync: async ({ values }: { values: object }) => ({
      data: await send({ body: values as Call['body'] }),
    }),
  }),
  useDelete: () => ({}),
}));
vi.mock('../resources', () => ({ resourceInfo: () => ({ ops: {} }) }));

// The first form loads antd's inputs.
vi.setConfig({ testTimeout: 30_000 });

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
});
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** The received request, and the answer to give. */
let sent: (Call & { answer: (row: object) => void; refuse: (problem: Partial<Problem>) => void })[] = [];
const send = (call: Call) =>
  new Promise<unknown>((resolve, reject) =>
    sent.push({
      ...call,
      answer: resolve,
      refuse: (problem) => reject(new ApiError({ status: 422, code: 'VALIDATION_FAILED', ...problem })),
    }),
  );
const last = () => sent.at(-1)!;

const ROW = { id: 'a', version: 1, name: 'one', note: 'first' };
const shown = new Emitter<{ row: Probe['row'] }>();
const show = (row: Probe['row']) => shown.emit('row', row);

async function open(Form: ComponentType<Probe>, row?: Probe['row']) {
  sent = [];
  const Screen = () => {
    const [now, setNow] = useState(row);
    useEffect(() => shown.on('row', setNow), []);
    return (
      <UnsavedProvider>
        <Form row={now} send={send} />
        <Link to="/elsewhere">leave</Link>
      </UnsavedProvider>
    );
  };
  const router = createMemoryRouter([
    { path: '/', element: <Screen /> },
    { path: '/elsewhere', element: <p>elsewhere</p> },
  ]);
  render(
    <App>
      <RouterProvider router={router} />
    </App>,
  );
  await settle();
}

/** Lets promises and what waits for a moment come through, twice: an effect may set a timer. */
const settle = async () => {
  await act(() => vi.advanceTimersByTimeAsync(100));
  await act(() => vi.advanceTimersByTimeAsync(100));
};
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { exact: false });
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } });
const press = async (name: string) => {
  fireEvent.click(screen.getByText(name));
  await settle();
};
const answer = async (row: object) => {
  last().answer(row);
  await settle();
};
const refuse = async (problem: Partial<Problem>) => {
  last().refuse(problem);
  await settle();
};
const conflict = (current: object) =>
  refuse({
    status: 409,
    code: 'CONFLICT',
    current: { ...current },
    changed_by: 'Somebody',
    changed_at: '2026-03-01T10:00:00Z',
  });
const UNANSWERED = { status: 0, code: 'NETWORK_ERROR' };

describe.each(Object.entries(NEW))('a new one: %s', (_, Form) => {
  it('sends nothing that is at fault, and goes to the field', async () => {
    await open(Form);
    await press('send');
    expect(sent).toHaveLength(0);
    expect(screen.getByText('form.required')).toBeTruthy();
    expect(document.activeElement).toBe(input('Name'));
  });

  it('sends once, however often it is pressed', async () => {
    await open(Form);
    type('Name', 'x');
    fireEvent.click(screen.getByText('send'));
    fireEvent.click(screen.getByText('send'));
    await settle();
    await press('send');
    expect(sent).toHaveLength(1);
    expect(input('Name').disabled).toBe(true);
  });

  it('shows errors at their fields, moves the focus there, and shows others above', async () => {
    await open(Form);
    type('Name', 'x');
    await press('send');
    await refuse({ keys: ['note'] });
    expect(screen.getByText('problem.field')).toBeTruthy();
    expect(document.activeElement).toBe(input('Note'));
    expect(screen.queryByText('errors.VALIDATION_FAILED')).toBeNull();
    await press('send');
    await refuse({ title: 'both', keys: ['note', 'nowhere'] });
    expect(screen.getByText('both')).toBeTruthy();
  });

  it('repeats the key with the body, and changes it with it', async () => {
    await open(Form);
    type('Name', 'x');
    await press('send');
    const { key } = last();
    expect(key).toBeTruthy();
    await refuse({});
    await press('send');
    expect(last().key).toBe(key);
    await refuse({});
    type('Name', 'y');
    await press('send');
    expect(last().key).not.toBe(key);
  });

  it('without an answer: says that the outcome is unknown, locks, and repeats the same call', async () => {
    await open(Form);
    type('Name', 'x');
    await press('send');
    const { key, body } = last();
    await refuse(UNANSWERED);
    expect(screen.getByText('form.unknown')).toBeTruthy();
    expect(input('Name').disabled).toBe(true);
    await press('send');
    expect(last()).toMatchObject({ key, body });
    await refuse({});
    expect(screen.queryByText('form.unknown')).toBeNull();
    expect(input('Name').disabled).toBe(false);
  });

  it('guards unsaved input', async () => {
    await open(Form);
    type('Name', 'x');
    await press('leave');
    await press('unsaved.stay');
    expect(input('Name').value).toBe('x');
    await press('send');
    await answer({ ...ROW, name: 'x' });
    await press('leave');
    expect(screen.getByText('elsewhere')).toBeTruthy();
  });

  it('leaves without saving when that is wanted', async () => {
    await open(Form);
    type('Name', 'x');
    await press('leave');
    await press('unsaved.discard');
    expect(screen.getByText('elsewhere')).toBeTruthy();
    expect(sent).toHaveLength(0);
  });

  it('saves and leaves, but stays when it was refused', async () => {
    await open(Form);
    type('Name', 'x');
    await press('leave');
    await press('unsaved.save');
    await refuse({ keys: ['name'] });
    expect(screen.queryByText('elsewhere')).toBeNull();
    type('Name', 'y');
    await press('leave');
    await press('unsaved.save');
    await answer(ROW);
    expect(screen.getByText('elsewhere')).toBeTruthy();
  });

  it('asks nothing when nothing was filled in', async () => {
    await open(Form);
    await press('leave');
    expect(screen.getByText('elsewhere')).toBeTruthy();
  });
});

describe.each(Object.entries(ROWS))('a row: %s', (_, Form) => {
  const theirs = { ...ROW, version: 2, name: 'theirs' };

  it('sends what differs with the version it was read with, and is clean afterwards', async () => {
    await open(Form, ROW);
    type('Name', 'mine');
    await press('send');
    expect(last().body).toEqual({ name: 'mine', version: 1 });
    await answer({ ...ROW, version: 2, name: 'mine' });
    expect(screen.getByText<HTMLButtonElement>('discard').disabled).toBe(true);
    type('Note', 'second');
    await press('send');
    expect(last().body).toEqual({ note: 'second', version: 2 });
  });

  it('takes the changes back, and is clean when they are undone by hand', async () => {
    await open(Form, ROW);
    const dirty = () => !screen.getByText<HTMLButtonElement>('discard').disabled;
    type('Name', 'mine');
    expect(dirty()).toBe(true);
    await press('discard');
    expect(input('Name').value).toBe('one');
    expect(dirty()).toBe(false);
    type('Name', 'mine');
    type('Name', 'one');
    expect(dirty()).toBe(false);
  });

  it('takes a newer row unless it is edited, and never an older one', async () => {
    await open(Form, ROW);
    act(() => show({ ...ROW, version: 3, name: 'three' }));
    expect(input('Name').value).toBe('three');
    act(() => show({ ...ROW, version: 2, name: 'two' }));
    expect(input('Name').value).toBe('three');
    type('Name', 'mine');
    act(() => show({ ...ROW, version: 4, name: 'four' }));
    expect(input('Name').value).toBe('mine');
    await press('discard');
    expect(input('Name').value).toBe('four');
  });

  it('keeps what is typed in the moment a newer row arrives', async () => {
    await open(Form, ROW);
    act(() => {
      type('Name', 'mine');
      show({ ...ROW, version: 2, name: 'two' });
    });
    expect(input('Name').value).toBe('mine');
  });

  it('unanswered: can be saved again, nothing is locked', async () => {
    await open(Form, ROW);
    type('Name', 'mine');
    await press('send');
    await refuse({ ...UNANSWERED, title: 'no answer' });
    expect(screen.queryByText('form.unknown')).toBeNull();
    expect(screen.getByText('no answer')).toBeTruthy();
    expect(input('Name').disabled).toBe(false);
  });

  it('conflict: names the other user, compares, and saves mine over theirs', async () => {
    await open(Form, ROW);
    type('Name', 'mine');
    await press('send');
    await conflict({ ...theirs, note: 'their note' });
    const dialog = within(screen.getByRole('dialog', { name: 'conflict.title' }));
    expect(dialog.getByText(/conflict\.text_by/)).toBeTruthy();
    expect(dialog.getByRole('cell', { name: 'theirs' })).toBeTruthy();
    expect(dialog.getByRole('cell', { name: 'mine' })).toBeTruthy();
    await press('conflict.mine');
    expect(last().body).toEqual({ name: 'mine', version: 2 });
    await answer({ ...theirs, version: 3, name: 'mine', note: 'their note' });
    expect(input('Note').value).toBe('their note');
    expect(screen.getByText<HTMLButtonElement>('discard').disabled).toBe(true);
  });

  it('conflict: takes theirs', async () => {
    await open(Form, ROW);
    type('Name', 'mine');
    await press('send');
    await conflict(theirs);
    await press('conflict.theirs');
    expect(input('Name').value).toBe('theirs');
    expect(sent).toHaveLength(1);
    type('Name', 'again');
    await press('send');
    expect(last().body).toEqual({ name: 'again', version: 2 });
  });

  it('conflict: decides later, and the dialog opens again', async () => {
    await open(Form, ROW);
    type('Name', 'mine');
    await press('send');
    await conflict(theirs);
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
    await settle();
    expect(input('Name').value).toBe('mine');
    await press('send');
    expect(last().body).toEqual({ name: 'mine', version: 1 });
  });

  it('conflict twice in a row', async () => {
    await open(Form, ROW);
    type('Name', 'mine');
    await press('send');
    await conflict(theirs);
    await press('conflict.mine');
    await conflict({ ...theirs, version: 3, name: 'theirs again' });
    expect(screen.getByRole('cell', { name: 'theirs again' })).toBeTruthy();
    await press('conflict.mine');
    expect(last().body).toEqual({ name: 'mine', version: 3 });
  });
});

it.each(Object.entries(NEW))('focuses the first field of a new row on a page: %s', async (kind, Form) => {
  // Not in the test's document, where everything is seen.
  HTMLElement.prototype.checkVisibility = () => true;
  await open(Form);
  await act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));
  expect(document.activeElement).toBe(kind === 'action' ? document.body : input('Name'));
});

it('a resource joins a change of other fields without a question', async () => {
  await open(ROWS.resource, ROW);
  type('Name', 'mine');
  await press('send');
  await conflict({ ...ROW, version: 2, note: 'their note' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(last().body).toEqual({ name: 'mine', version: 2 });
  expect(input('Note').value).toBe('their note');
});

it('a resource is saved without a required field that its row lacks, and not without one that it has', async () => {
  await open(ROWS.resource, { ...ROW, name: null });
  type('Name', 'x');
  type('Name', '');
  type('Note', 'mine');
  await press('send');
  expect(last().body).toEqual({ note: 'mine', version: 1 });
  expect(screen.getByText('form.lacking')).toBeTruthy();
  await answer({ ...ROW, version: 2, name: null, note: 'mine' });
  act(() => show({ ...ROW, version: 3, note: 'mine' }));
  type('Name', '');
  await press('send');
  expect(sent).toHaveLength(1);
  expect(screen.getByText('form.required')).toBeTruthy();
  expect(document.activeElement).toBe(input('Name'));
});
