import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { RestaurantContext } from '../../lib/target';
import { freshAddress, freshBilling } from './details';
import { DetailsCard } from './DetailsCard';
import MyAccount from './index';
import { ProfileCard } from './ProfileCard';

const update = vi.hoisted(() => vi.fn());
const address = {
  ...freshAddress(),
  postcode: '6720',
  city: 'Szeged',
  street: 'Fő tér',
  premise_number: '1',
};
/** With what a company wrote over the account's own. */
const account = {
  email: 'kata@example.invalid',
  first_name: 'Katalin',
  last_name: 'Kovács',
  tel: '',
  timezone: null,
  billing_details: { ...freshBilling(), company_name: 'Mintafalat Kft.', address },
  addresses: [address],
  changeable: false,
  password_changeable: false,
  bound: null,
  targets: [] as object[],
};
const me = vi.hoisted(() => ({ now: {} as object }));
vi.mock('../../lib/me', () => ({ useMe: () => me.now }));
vi.mock('../../generated/client/session/session', async (original) => ({
  ...(await original<object>()),
  meUpdate: update,
}));
vi.mock('./SessionsCard', () => ({ SessionsCard: () => null }));
vi.mock('./PinCard', () => ({ PinCard: () => null }));
vi.setConfig({ testTimeout: 30_000 });

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
});
beforeEach(() => {
  me.now = account;
  update.mockReset().mockImplementation(async (body: object) => ({ ...account, ...body }));
});

function show(screenful: ReactNode) {
  const element = (
    <UnsavedProvider>
      <RestaurantContext.Provider value={{ id: 'r', partner_id: 'p', name: 'Kéknyelű' } as Restaurant}>
        {screenful}
      </RestaurantContext.Provider>
    </UnsavedProvider>
  );
  const router = createMemoryRouter([{ path: '/', element }]);
  render(
    <App>
      <RouterProvider router={router} />
    </App>,
  );
}
const type = (label: string, value: string) =>
  fireEvent.change(screen.getAllByLabelText(label, { exact: false })[0]!, { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'action.save' }));

describe('what a company wrote over the account is not sent back as the account’s own', () => {
  it('one detail is sent alone', async () => {
    show(<DetailsCard />);
    type('details.tax_num', '12345678-2-06');
    save();
    await waitFor(() => expect(update).toHaveBeenCalledOnce());
    expect(update).toHaveBeenCalledWith({
      billing_details: { ...account.billing_details, tax_num: '12345678-2-06' },
    });
  });

  it('the telephone number is sent without the name', async () => {
    show(<ProfileCard />);
    type('account.tel', '+36 1 234 5678');
    save();
    await waitFor(() => expect(update).toHaveBeenCalledOnce());
    expect(update).toHaveBeenCalledWith({ tel: '+36 1 234 5678' });
  });
});

describe('signing in at the till', () => {
  it.each([
    [['admin', 'pos'], 1],
    [['admin'], 0],
  ])('with %j: %i cards', (surfaces, cards) => {
    me.now = { ...account, targets: [{ partner_id: 'p', admin_id: 'a', surfaces }] };
    show(<MyAccount />);
    expect(screen.queryAllByRole('heading', { name: 'account.till' })).toHaveLength(cards);
  });
});
