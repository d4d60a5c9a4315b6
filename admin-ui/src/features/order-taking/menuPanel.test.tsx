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

function show() {
  const add = vi.fn();
  render(
    <App>
      <RestaurantContext value={{ id: 'r', currency: 'huf' } as Restaurant}>
        <MenuPanel book={bookOf(MENU)} id="menu" onAdd={add} last={undefined} />
      </RestaurantContext>
    </App>,
  );
  return add;
}

it('adds what the search found, and goes on with the next', () => {
  const add = show();
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

it('has one tile for a product, with its sizes as buttons; Shift + Enter and a long press ask for options', () => {
  const add = show();
  expect(screen.getAllByText('Margherita')).toHaveLength(1);
  const size = screen.getByRole('button', { name: /^Margherita, 45 cm/ });
  fireEvent.click(size);
  expect(add.mock.lastCall?.[0]).toMatchObject({ id: 'm45' });
  expect(add.mock.lastCall?.slice(1)).toEqual([1, false]);
  fireEvent.keyDown(size, { key: 'Enter', shiftKey: true });
  expect(add.mock.lastCall?.slice(1)).toEqual([1, true]);
  expect(add).toHaveBeenCalledTimes(2);

  vi.useFakeTimers();
  const at = (x: number) => ({ button: 0, clientX: x, clientY: 0 });
  fireEvent.pointerDown(size, at(0));
  vi.advanceTimersByTime(600);
  fireEvent.pointerUp(size);
  fireEvent.click(size);
  expect(add).toHaveBeenCalledTimes(3);
  expect(add.mock.lastCall?.slice(1)).toEqual([1, true]);
  // Who scrolls asks for nothing.
  fireEvent.pointerDown(size, at(0));
  fireEvent.pointerMove(size, at(40));
  vi.advanceTimersByTime(600);
  expect(add).toHaveBeenCalledTimes(3);
  vi.useRealTimers();

  const gone = screen.getByRole('button', { name: /4 évszak/ });
  fireEvent.click(gone);
  fireEvent.keyDown(gone, { key: 'Enter', shiftKey: true });
  expect(add).toHaveBeenCalledTimes(3);
});
