import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { RestaurantContext } from '../../lib/target';
import { NewRestaurant } from './NewRestaurant';

const create = vi.hoisted(() => vi.fn());
vi.mock('@refinedev/core', async (original) => ({
  ...(await original<object>()),
  // By name, as the service answers.
  useList: () => ({
    result: {
      data: [
        { id: '2', name: 'Alföld', currency: 'huf' },
        { id: '1', name: 'Zempléni', currency: 'eur' },
      ],
    },
  }),
}));
vi.mock('../../lib/restaurants', () => ({
  useRestaurants: () => ({
    rows: [
      { id: 'b', partner_id: 'p', timezone: 'Europe/London', primary_language: 'hu' },
      { id: 'a', partner_id: 'p', timezone: 'Europe/Vienna', primary_language: 'de' },
    ],
  }),
}));
vi.mock('../../generated/client/restaurants/restaurants', () => ({ restaurantsCreate: create }));
vi.setConfig({ testTimeout: 30_000 });

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
});
beforeEach(() => create.mockReset().mockResolvedValue({ id: 'n' }));

/** The fold of zone, language and currency is open. */
async function open(restaurant: Partial<Restaurant>) {
  const element = (
    <UnsavedProvider>
      <RestaurantContext.Provider value={{ id: 'b', partner_id: 'p', ...restaurant } as Restaurant}>
        <NewRestaurant onDone={() => undefined} onClose={() => undefined} />
      </RestaurantContext.Provider>
    </UnsavedProvider>
  );
  render(
    <App>
      <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
    </App>,
  );
  const fold = screen.getByRole<HTMLDetailsElement>('group');
  fold.open = true;
  fireEvent(fold, new Event('toggle'));
  await screen.findByLabelText('restaurant_groups.timezone');
  fireEvent.change(screen.getByLabelText('field.name', { exact: false }), { target: { value: 'Kéknyelű' } });
}
async function sent(): Promise<unknown> {
  fireEvent.click(screen.getByRole('button', { name: 'action.save' }));
  await waitFor(() => expect(create).toHaveBeenCalledOnce());
  return create.mock.calls[0]![1];
}

describe('zone and language of a new restaurant', () => {
  it('are not sent when somebody only looks at them: the second language would not come along', async () => {
    await open({ restaurant_group_id: '2' });
    expect(await sent()).toEqual({ name: 'Kéknyelű', restaurant_group_id: '2' });
  });

  it('are sent when they are others than those of the oldest restaurant', async () => {
    await open({ restaurant_group_id: '2' });
    fireEvent.mouseDown(screen.getByLabelText('restaurant_groups.primary_language'));
    fireEvent.click(await screen.findByText('language.en'));
    expect(await sent()).toEqual({
      name: 'Kéknyelű',
      restaurant_group_id: '2',
      primary_language: 'en',
    });
  });
});

describe('the currency', () => {
  it.each([
    [{ restaurant_group_id: '2' }, 'huf'],
    // The service takes the oldest group.
    [{}, 'eur'],
  ])('of %j is %s', async (restaurant, currency) => {
    await open(restaurant);
    expect(screen.getByText(`field.currency.${currency}`)).toBeTruthy();
  });
});
