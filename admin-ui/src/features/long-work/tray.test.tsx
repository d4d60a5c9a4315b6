import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ExportRequest, MenuImport } from '../../generated/model';
import errors from '../../generated/errors.en.gen';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError } from '../../lib/http';
import shared from '../../lib/texts/en';
import en from './en';
import row from './row.en';
import Tray from './Tray';

const calls = vi.hoisted(() => ({ exports: vi.fn(), create: vi.fn(), imports: vi.fn(), company: vi.fn() }));
const me = vi.hoisted(() => ({ id: 'u1', name: 'Kovács Éva', super_admin: false, targets: [] as object[] }));
const may = vi.hoisted(() => ({ keys: [] as string[] }));
vi.mock('../../generated/client/orders/orders', () => ({
  exportRequestsList: calls.exports,
  exportRequestsCreate: calls.create,
}));
vi.mock('../../generated/client/catalogue/catalogue', () => ({ menuImportsList: calls.imports }));
vi.mock('../../generated/client/restaurants/restaurants', () => ({ exportsList: calls.company }));
vi.mock('../../generated/client/session/session', () => ({
  ownPinsUpdate: vi.fn(),
  restaurantPinsValidate: vi.fn(),
  meGet: vi.fn(async () => me),
}));
vi.mock('../../lib/access', () => ({
  useCan:
    () =>
    (...keys: string[]) =>
      keys.some((key) => may.keys.includes(key)),
}));
vi.mock('../../lib/live', () => ({ useLiveEvent: () => undefined }));
vi.mock('../../lib/me', () => ({ useMe: () => me }));
vi.mock('../../lib/target', () => ({
  here: () => ['p', 'r'],
  useRestaurant: () => ({ id: 'r', partner_id: 'p' }),
  useRestaurantIfAny: () => undefined,
}));
vi.mock('../../lib/navigation', () => ({
  usePage: () => ({}),
  usePageUrl: () => (key: string, sub?: string) => `/${[key, sub].filter(Boolean).join('/')}`,
}));
vi.mock('../../lib/format', async (original) => ({
  ...(await original<object>()),
  useFormat: () => ({ date: String, dateTime: String, number: String, size: String }),
}));

const KEPT = 'pult.user.u1.works';
const order = (change: Partial<ExportRequest> = {}): ExportRequest => ({
  id: 'e1',
  export_email: 'a@example.invalid',
  export_type: 'order_export',
  filter_type: 'expected_at',
  format: 'xlsx',
  from: '2026-07-01',
  till: '2026-07-31',
  status: 'running',
  progress: 40,
  actor_name: me.name,
  created_at: new Date().toISOString(),
  ...change,
});

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...errors, ...row, ...en } } },
    keySeparator: false,
    nsSeparator: false,
  });
});
beforeEach(() => {
  localStorage.clear();
  for (const call of Object.values(calls)) call.mockReset().mockResolvedValue([]);
  may.keys = ['order_export', 'catalog_edit'];
  // This DOM has no popovers.
  HTMLElement.prototype.hidePopover = function hide() {
    tell(this, 'closed');
  };
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const tell = (panel: Element, newState: string) =>
  fireEvent(panel, Object.assign(new Event('toggle'), { newState }));
const panel = () => document.getElementById('tray')!;
const open = () => act(async () => tell(panel(), 'open'));
const button = (name: string) => screen.findByRole('button', { name });

function show() {
  const element = (
    <UnsavedProvider>
      <Tray />
    </UnsavedProvider>
  );
  const router = createMemoryRouter([{ path: '*', element }]);
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  );
}

it('watches what is under way, says when it is done, and marks that until it is opened', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  // What others have begun, and what is older than a day, is left out.
  const others = order({ id: 'e2', actor_name: 'Nagy Pál' });
  const old = order({ id: 'e3', status: 'ready', created_at: '2020-01-01T00:00:00Z' });
  calls.exports.mockResolvedValue([order(), others, old]);
  const first = show();
  await button('Background tasks, under way: 1');
  const read = calls.exports.mock.calls.length;
  calls.exports.mockResolvedValue([order({ status: 'ready', progress: 100 })]);
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(calls.exports).toHaveBeenCalledTimes(read + 1);
  await button('Background tasks, finished: 1');
  const said = document.querySelector('[aria-live="polite"].sr-only');
  expect(said?.textContent).toBe('Export of orders, 2026-07-01 – 2026-07-31: done.');

  // The mark outlives a reload, until the tray is opened.
  first.unmount();
  show();
  await button('Background tasks, finished: 1');
  await open();
  const rows = within(screen.getByRole('list', { name: 'Background tasks' }));
  expect(rows.getAllByRole('listitem')).toHaveLength(1);
  expect(rows.getByText(/Sent to a@example\.invalid/)).toBeTruthy();
  await act(async () => tell(panel(), 'closed'));
  await button('Background tasks');
  expect(JSON.parse(localStorage.getItem(KEPT)!)).toEqual(['e1 done']);
});

it('reads nothing by the clock while it is closed and nothing is under way', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  calls.exports.mockResolvedValue([order({ actor_name: 'Nagy Pál' })]);
  show();
  await button('Background tasks');
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(calls.exports).toHaveBeenCalledOnce();
  expect(calls.imports).toHaveBeenCalledOnce();
  // The archive of the company takes more rights.
  expect(calls.company).not.toHaveBeenCalled();
});

it('begins a failed export anew with the same data and the PIN', async () => {
  calls.exports.mockResolvedValue([order({ status: 'failed' })]);
  show();
  await button('Background tasks');
  await open();
  expect(screen.getByText(en['work_export.failed']!)).toBeTruthy();
  fireEvent.click(await button('Try again: Export of orders, 2026-07-01 – 2026-07-31'));
  const pin = await screen.findByLabelText(shared['pin.label']!);
  // The dialog would lie below the open popover.
  expect(screen.queryByRole('list', { name: 'Background tasks' })).toBeNull();
  fireEvent.change(pin, { target: { value: '1234' } });
  calls.exports.mockResolvedValue([order({ id: 'e9', status: 'waiting' }), order({ status: 'failed' })]);
  await act(async () => fireEvent.submit(pin));
  const { export_email, export_type, filter_type, from, till } = order();
  expect(calls.create).toHaveBeenCalledExactlyOnceWith(
    'p',
    'r',
    { export_email, export_type, filter_type, from, till },
    undefined,
    { 'X-Pin': '1234' },
  );
  await button('Background tasks, under way: 1');
});

it('a list that is closed hides no other; an import leads to its page', async () => {
  const closed = { status: 403, code: 'USER_PERMISSION_REQUIRED', title: '', keys: [] };
  calls.exports.mockRejectedValue(new ApiError(closed));
  const rehearsed = { id: 'i1', file_name: 'menu.xlsx', status: 'ready', progress: 100 };
  const begun = { actor_name: me.name, created_at: new Date().toISOString() };
  calls.imports.mockResolvedValue([{ ...rehearsed, ...begun } as MenuImport]);
  show();
  await button('Background tasks');
  await open();
  const link = await screen.findByRole('link', { name: 'Look through and apply' });
  expect(link.getAttribute('href')).toBe('/menu_import/i1');
  expect(screen.queryByText(en['long_work.incomplete']!)).toBeNull();
  fireEvent.click(link);
  await waitFor(() => expect(screen.queryByRole('link')).toBeNull());

  may.keys = [];
  cleanup();
  show();
  expect(screen.queryByRole('button')).toBeNull();
});
