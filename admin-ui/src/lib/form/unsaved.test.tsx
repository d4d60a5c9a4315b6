import { act, fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import { useEffect } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { FormsBelow, UnsavedProvider, useUnsaved } from './unsaved';

const asks: Record<string, () => Promise<boolean>> = {};

/** A drawer over a page that is edited. */
function Over({ dirty }: { dirty: boolean }) {
  const { ask } = useUnsaved({ dirty });
  useEffect(() => void (asks.over = ask));
  return null;
}
function Page({ dirty, over }: { dirty: boolean; over: boolean }) {
  const guard = useUnsaved({ dirty });
  useEffect(() => void (asks.page = guard.ask));
  return (
    <FormsBelow value={[guard.id]}>
      <Over dirty={over} />
    </FormsBelow>
  );
}
const show = (dirty: boolean, over: boolean) =>
  render(
    <RouterProvider
      router={createMemoryRouter([
        {
          path: '/',
          element: (
            <App>
              <UnsavedProvider>
                <Page dirty={dirty} over={over} />
              </UnsavedProvider>
            </App>
          ),
        },
      ])}
    />,
  );
const dialog = () => screen.queryByRole('dialog');

beforeEach(() => {
  document.body.replaceChildren();
});

it('a clean form over a page with changes closes without a question', async () => {
  show(true, false);
  expect(await asks.over!()).toBe(true);
  expect(dialog()).toBeNull();
});

it('what is discarded over a page leaves the changes of the page', async () => {
  show(true, true);
  let gone: boolean | undefined;
  await act(async () => void asks.over!().then((go) => (gone = go)));
  expect(dialog()).not.toBeNull();
  // Whether texts stand there or their keys depends on the files before this one.
  const discard = await screen.findByText(/^(unsaved.discard|Discard|Elvetés)$/);
  await act(async () => {
    fireEvent.click(discard);
  });
  expect(gone).toBe(true);
  await act(async () => void asks.page!());
  expect(dialog()).not.toBeNull();
});
