import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll } from 'vitest';
import errors from '../generated/errors.en.gen';
import type { Me, Restaurant } from '../generated/model';
import type { Feature } from './feature';
import { registerFeatures } from './features';
import { UnsavedProvider } from './form/unsaved';
import type { RequestOptions } from './http';
import { session } from './session';
import { RestaurantContext, setTarget } from './target';
import shared from './texts/en';

/** What the tests of a file stand in: a restaurant, English texts, and the screens that are linked to, by folder. */
export function stage(restaurant: Restaurant, texts: object, screens: Record<string, Feature> = {}): void {
  const files = Object.entries(screens).map(([folder, feature]) => [
    `./${folder}/feature.ts`,
    { default: feature },
  ]);
  beforeAll(async () => {
    registerFeatures(Object.fromEntries(files));
    await i18next.use(initReactI18next).init({
      lng: 'en',
      resources: { en: { translation: { ...shared, ...errors, ...texts } } },
      interpolation: { escapeValue: false },
      keySeparator: false,
      nsSeparator: false,
    });
    setTarget(restaurant);
  });
  afterAll(() => {
    session.set(null);
    setTarget(undefined);
    registerFeatures({});
  });
}

/** Signs a person in who has these rights there. */
export const signIn = (target_type: 'Partner' | 'Restaurant', ...permissions: string[]): void =>
  session.set({
    super_admin: false,
    targets: [{ partner_id: 'p', target_type, permissions }],
  } as unknown as Me);

/** Shows a screen at this address, below `/r/r/`. */
export function showAt(restaurant: Restaurant, address: string, shown: ReactNode) {
  const element = <UnsavedProvider>{shown}</UnsavedProvider>;
  const router = createMemoryRouter([{ path: '/r/:restaurant/:slug/*', element }], {
    initialEntries: [`/r/r/${address}`],
  });
  const rendered = render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RestaurantContext value={restaurant}>
          <RouterProvider router={router} />
        </RestaurantContext>
      </App>
    </QueryClientProvider>,
  );
  const location = () => router.state.location;
  return { ...rendered, location, address: () => location().pathname + location().search };
}

/** Rows as a list answers them, with their number. */
export function counted<T>(options: RequestOptions, rows: T[]): T[] {
  options.onHeaders?.(new Headers({ 'X-Total-Count': String(rows.length) }));
  return rows;
}

/** The text of an element, with plain blanks. */
export const textOf = (node: Element): string => (node.textContent ?? '').replace(/[\u00a0\u202f]/g, ' ');

export const press = async (
  name: string | RegExp,
  inside: Pick<typeof screen, 'findByRole'> = screen,
): Promise<boolean> => act(async () => fireEvent.click(await inside.findByRole('button', { name })));
