import { act, cleanup, render, screen } from '@testing-library/react';
import { App } from 'antd';
import { Component, type ReactNode, Suspense } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { later } from './later';

class Around extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError = (error: Error) => ({ error });
  override render() {
    return this.state.error ? <p>around: {this.state.error.message}</p> : this.props.children;
  }
}

const gone = () => new TypeError('Failed to fetch dynamically imported module: /assets/x.js');
const Part = ({ name }: { name: string }) => <p>part {name}</p>;
const reload = vi.fn();
let reachable: boolean;

async function show(load: () => Promise<{ default: typeof Part }>): Promise<void> {
  const Later = later(load);
  await act(
    async () =>
      void render(
        <App>
          <Around>
            <Suspense fallback={<p>loading</p>}>
              <Later name="one" />
            </Suspense>
          </Around>
        </App>,
      ),
  );
  await act(async () => void (await vi.advanceTimersByTimeAsync(10)));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async () =>
    reachable ? new Response('{}') : Promise.reject(new TypeError('no network')),
  );
  vi.stubGlobal('location', { ...location, reload });
  sessionStorage.clear();
  reload.mockReset();
  reachable = false;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('shows a missing part, and loads it when the service answers', async () => {
  const load = vi.fn().mockRejectedValueOnce(gone()).mockResolvedValue({ default: Part });
  await show(load);
  screen.getByRole('alert');
  await act(async () => void (await vi.advanceTimersByTimeAsync(20_000)));
  expect(load).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
  reachable = true;
  await act(async () => void (await vi.advanceTimersByTimeAsync(5_000)));
  screen.getByText('part one');
  expect(reload).not.toHaveBeenCalled();
});

it('reloads the page once when the service answers without the file', async () => {
  reachable = true;
  await show(vi.fn().mockRejectedValue(gone()));
  await act(async () => void (await vi.advanceTimersByTimeAsync(30_000)));
  expect(reload).toHaveBeenCalledOnce();
});

it('leaves other faults to the boundary around it', async () => {
  await show(vi.fn().mockRejectedValue(new Error('a fault of ours')));
  screen.getByText('around: a fault of ours');
});

it('leaves what is open in sight while the next part over the page is loaded', async () => {
  const Open = later(() => Promise.resolve({ default: Part }), 'over');
  const Next = later(() => new Promise<{ default: typeof Part }>(() => undefined), 'quiet');
  const both = (next: boolean) => (
    <App>
      <Suspense fallback={<p>loading</p>}>
        <Open name="one" />
        {next && <Next name="two" />}
      </Suspense>
    </App>
  );
  const { rerender } = render(both(false));
  await act(async () => undefined);
  screen.getByText('part one');
  await act(async () => rerender(both(true)));
  expect(screen.queryByText('loading')).toBeNull();
  expect(screen.getByText('part one').closest('[style*="display: none"]')).toBeNull();
});
