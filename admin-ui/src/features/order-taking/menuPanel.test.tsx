import { fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { RestaurantContext } from '../../lib/target';
import { MenuPanel } from './MenuPanel';
import { bookOf } from './menu';
import { MENU } from './sample.test-data';

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { translation: {} } } });
  // Newer browsers answer a promise.
  Element.prototype.scrollIntoView = () => Promise.resolve() as never;
});

it('adds what the search found, and goes on with the next', () => {
  const add = vi.fn();
  render(
    <App>
      <RestaurantContext value={{ id: 'r', currency: 'huf' } as Restaurant}>
        <MenuPanel book={bookOf(MENU, [])} id="menu" onAdd={add} last={undefined} />
      </RestaurantContext>
    </App>,
  );
  const search = screen.getByRole('combobox');
  for (const [text, count] of [
    ['2 négy', 2],
    ['négy', 1],
  ] as const) {
    fireEvent.change(search, { target: { value: text } });
    expect(screen.getAllByRole('option').length).toBeGreaterThan(0);
    fireEvent.keyDown(search, { key: 'Enter' });
    expect(add.mock.lastCall?.slice(1)).toEqual([count, false]);
    expect(screen.queryByRole('option')).toBeNull();
  }
});
