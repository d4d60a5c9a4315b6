import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError } from '../../lib/http';
import errors from '../../generated/errors.en.gen';
import shared from '../../lib/texts/en';
import en from './en';
import { ExportPage } from './ExportPage';

const calls = vi.hoisted(() => ({ create: vi.fn(), list: vi.fn(async () => []), setPin: vi.fn() }));
const me = vi.hoisted(() => ({ super_admin: false, email: 'own@example.invalid', targets: [] }));
vi.mock('../../generated/client/orders/orders', () => ({
  exportRequestsCreate: calls.create,
  exportRequestsList: calls.list,
}));
vi.mock('../../generated/client/session/session', () => ({
  ownPinsUpdate: calls.setPin,
  restaurantPinsValidate: vi.fn(),
  meGet: vi.fn(async () => me),
}));
vi.mock('../../lib/target', () => ({
  here: () => ['p', 'r'],
  useRestaurant: () => ({ partner_id: 'p', timezone: 'Europe/Budapest', currency: 'huf' }),
  useRestaurantIfAny: () => undefined,
}));
vi.mock('../../lib/me', () => ({ useMe: () => me }));
vi.mock('../../lib/support/api', () => ({ supportOf: () => undefined }));
vi.mock('../../lib/navigation', () => ({ usePage: () => ({}), usePageUrl: () => () => '/my-account' }));
vi.mock('../../lib/format', async (original) => ({
  ...(await original<object>()),
  useFormat: () => ({ zone: 'Europe/Budapest', day: String, language: 'en' }),
}));
vi.setConfig({ testTimeout: 30_000 });

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...shared, ...errors, ...en } } },
    keySeparator: false,
    nsSeparator: false,
  });
});
beforeEach(() => {
  calls.create.mockReset();
  calls.setPin.mockReset();
  me.super_admin = false;
});
afterEach(cleanup);

function open() {
  const router = createMemoryRouter([
    {
      path: '/',
      element: (
        <UnsavedProvider>
          <ExportPage kinds={['order_export', 'order_item_export']} />
        </UnsavedProvider>
      ),
    },
  ]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  );
}
const order = async () => {
  await act(async () => fireEvent.click(screen.getByRole('button', { name: en['export_requests.order'] })));
};
const pinField = () => screen.findByLabelText(shared['pin.label']!);
const sendPin = async (pin: string) => {
  fireEvent.change(await pinField(), { target: { value: pin } });
  await act(async () => fireEvent.submit(await pinField()));
};
const refusal = (status: number, code: string, keys: string[] = []) =>
  new ApiError({ status, code, title: code, keys });

it('asks for the PIN once the fields are right, and sends it with them', async () => {
  open();
  const mail = await screen.findByLabelText(en['export_requests.export_email']);
  fireEvent.change(mail, { target: { value: 'no address' } });
  await order();
  expect(await screen.findByText(en['export_requests.fault_email'])).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();

  fireEvent.change(mail, { target: { value: ' a@example.invalid ' } });
  await order();
  await sendPin('12x34');
  expect(calls.create).toHaveBeenCalledExactlyOnceWith(
    'p',
    'r',
    expect.objectContaining({
      export_email: 'a@example.invalid',
      export_type: 'order_export',
      filter_type: 'created_at',
      from: expect.stringMatching(/Z$/),
      till: expect.stringMatching(/:59\.999Z$/),
    }),
    undefined,
    { 'X-Pin': '1234' },
  );
  await waitFor(() => expect(screen.queryByLabelText(shared['pin.label']!)).toBeNull());
});

it('clears a wrong PIN and says so at the field', async () => {
  calls.create.mockRejectedValue(refusal(403, 'PIN_INVALID'));
  open();
  await order();
  await sendPin('1234');
  expect(await screen.findByText('Wrong PIN.')).toBeTruthy();
  expect(((await pinField()) as HTMLInputElement).value).toBe('');
  // Only at the field.
  expect(screen.getAllByText('Wrong PIN.')).toHaveLength(1);
});

it('tells who has no PIN, sets one in the same place, and goes on with it', async () => {
  calls.create.mockRejectedValueOnce(refusal(403, 'PIN_REQUIRED'));
  open();
  await order();
  await sendPin('1234');
  expect(await screen.findByText(shared['pin.not_set']!)).toBeTruthy();
  const field = async () => screen.findByLabelText(shared['pin.new']!);
  const password = screen.getByLabelText(shared['pin.password']!);
  fireEvent.change(await field(), { target: { value: '12' } });
  fireEvent.change(password, { target: { value: 'titok' } });
  await act(async () => fireEvent.submit(await field()));
  expect(calls.setPin).not.toHaveBeenCalled();
  // A password that is wrong stands at its field.
  calls.setPin.mockRejectedValueOnce(refusal(422, 'USER_WRONG_PASSWORD', ['password']));
  fireEvent.change(await field(), { target: { value: '2580' } });
  await act(async () => fireEvent.submit(await field()));
  await waitFor(() => expect(calls.setPin).toHaveBeenCalledOnce());
  expect(calls.create).toHaveBeenCalledOnce();
  await act(async () => fireEvent.submit(await field()));
  await waitFor(() => expect(calls.setPin).toHaveBeenCalledTimes(2));
  expect(calls.setPin).toHaveBeenLastCalledWith('p', { pin: '2580', password: 'titok' });
  await waitFor(() => expect(calls.create).toHaveBeenCalledTimes(2));
  expect(calls.create.mock.lastCall?.at(-1)).toEqual({ 'X-Pin': '2580' });
});

it('shows refused fields on the page', async () => {
  calls.create.mockRejectedValue(refusal(422, 'VALIDATION_FAILED', ['till']));
  open();
  await order();
  await sendPin('1234');
  await waitFor(() => expect(screen.queryByLabelText(shared['pin.label']!)).toBeNull());
  expect(screen.getByText('This value cannot be accepted.')).toBeTruthy();
});

it('asks super admins for no PIN', async () => {
  me.super_admin = true;
  open();
  await order();
  expect(calls.create).toHaveBeenCalledOnce();
  expect(calls.create.mock.lastCall!.at(-1)).toBeUndefined();
});
