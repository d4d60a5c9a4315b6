import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { useCallback, useEffect, useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import shared from '../texts/en';
import { ChangedMeanwhile } from './ChangedMeanwhile';
import { useDraftForm } from './useDraftForm';
import { UnsavedProvider } from './unsaved';
import { createMemoryRouter, RouterProvider } from 'react-router';

interface Row {
  id: string;
  name: string;
  version: number;
}
const whoChanged = vi.fn();
const base: Row = { id: '1', name: 'Soup', version: 1 };
let put: (row: Row) => void;

function Editor({ row }: { row: Row }) {
  const form = useDraftForm<Row, { name: string }>({
    row,
    fresh: useCallback(() => ({ name: '' }), []),
    draftOf: useCallback(({ name }: Row) => ({ name }), []),
    bodyOf: useCallback(
      (now: { name: string }, was?: { name: string }) => (was && now.name === was.name ? {} : { ...now }),
      [],
    ),
    merge: (_base, mine) => mine,
    send: async () => ({ ...row, version: row.version + 1 }),
  });
  return (
    <>
      <ChangedMeanwhile form={form} whoChanged={whoChanged} />
      <input aria-label="Name" value={form.draft.name} onChange={(e) => form.set({ name: e.target.value })} />
    </>
  );
}

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: shared } },
    interpolation: { escapeValue: false },
    keySeparator: false,
    nsSeparator: false,
  });
});
beforeEach(() =>
  whoChanged.mockReset().mockResolvedValue({ changed_by: 'Anna', changed_at: '2026-05-05T10:00:00Z' }),
);

function Page() {
  const [row, setRow] = useState(base);
  useEffect(() => {
    put = (next) => act(() => setRow(next));
  }, []);
  return <Editor row={row} />;
}

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (
    <QueryClientProvider client={client}>
      <App>
        <UnsavedProvider>
          <Page />
        </UnsavedProvider>
      </App>
    </QueryClientProvider>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element: page }])} />);
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });

it('names who saved the row that is being edited, keeps what was typed, and takes the newer row when asked', async () => {
  open();
  fireEvent.change(field(), { target: { value: 'Broth' } });
  put({ ...base, name: 'Stew', version: 2 });
  expect(await screen.findByText(/Anna has changed this at/)).toBeTruthy();
  expect(field().value).toBe('Broth');
  fireEvent.click(screen.getByRole('button', { name: 'Load the new one' }));
  await waitFor(() => expect(field().value).toBe('Stew'));
  expect(screen.queryByText(/Anna/)).toBeNull();
});

it('shows the newer row at once where nothing was edited, and says whose it is', async () => {
  whoChanged.mockRejectedValueOnce(new Error('gone'));
  open();
  expect(screen.queryByRole('status')).toBeNull();
  put({ ...base, name: 'Stew', version: 2 });
  expect(await screen.findByText(/the new values are shown/)).toBeTruthy();
  expect(field().value).toBe('Stew');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText(/the new values are shown/)).toBeNull();
});
