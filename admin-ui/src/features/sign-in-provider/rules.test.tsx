import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { ApiError } from '../../lib/http';
import { RestaurantContext } from '../../lib/target';
import { RulesCard } from './RulesCard';

const calls = vi.hoisted(() => ({ get: vi.fn(), update: vi.fn() }));
vi.mock('../../generated/client/access/access', () => ({
  signInRulesGet: calls.get,
  signInRulesUpdate: calls.update,
}));
vi.setConfig({ testTimeout: 30_000 });

const RULES = { version: 1, password_min_length: 8, idle_minutes: 30 };
/** What somebody else has saved since. */
const refusal = (theirs: object) =>
  new ApiError({ status: 409, code: 'CONFLICT', current: { ...RULES, version: 2, ...theirs } });

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
});
beforeEach(() => {
  calls.get.mockReset().mockResolvedValue(RULES);
  calls.update.mockReset().mockImplementation(async (_: string, body: object) => ({ ...RULES, ...body }));
});

/** Somebody makes the shortest password longer and saves. */
async function lengthen() {
  const router = createMemoryRouter([
    {
      path: '/',
      element: (
        <UnsavedProvider>
          <RestaurantContext.Provider value={{ id: 'r', partner_id: 'p' } as Restaurant}>
            <RulesCard />
          </RestaurantContext.Provider>
        </UnsavedProvider>
      ),
    },
  ]);
  render(
    <App>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </App>,
  );
  const input = () => screen.getByLabelText('sign_in_rules.password_min_length', { exact: false });
  await waitFor(input);
  fireEvent.change(input(), { target: { value: '12' } });
  fireEvent.click(screen.getByRole('button', { name: 'action.save' }));
  await waitFor(() => expect(calls.update).toHaveBeenCalled());
  return input;
}
const sent = () => calls.update.mock.calls.map(([, body]) => body as object);

describe('the rules of passwords and sessions', () => {
  it('only the changed one is sent', async () => {
    await lengthen();
    expect(sent()).toEqual([{ password_min_length: 12, version: 1 }]);
  });

  it('another one that somebody else has changed stays, without a question', async () => {
    calls.update.mockRejectedValueOnce(refusal({ idle_minutes: 5 }));
    await lengthen();
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toEqual({ password_min_length: 12, version: 2 });
  });

  it.each([
    ['conflict.mine', '12', [{ password_min_length: 12, version: 2 }]],
    ['conflict.theirs', '10', []],
  ])('of the same one somebody is asked: %s', async (choice, length, then) => {
    calls.update.mockRejectedValueOnce(refusal({ password_min_length: 10, idle_minutes: 5 }));
    const input = await lengthen();
    fireEvent.click(await screen.findByRole('button', { name: choice }));
    await waitFor(() => expect(sent().slice(1)).toEqual(then));
    await waitFor(() => expect(input()).toHaveProperty('value', length));
  });
});
