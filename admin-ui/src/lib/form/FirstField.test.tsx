import { act, cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LayerContext } from '../ui/Attached';
import { FirstField } from './FirstField';

beforeEach(() => {
  // Not in the test's document, where everything is seen.
  HTMLElement.prototype.checkVisibility = () => true;
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const Fields = ({ onPage = false }: { onPage?: boolean }) => (
  <form>
    <FirstField onPage={onPage} />
    <input type="hidden" />
    <input aria-label="locked" disabled />
    <input aria-label="computed" readOnly />
    <input aria-label="first" />
    <input aria-label="second" />
  </form>
);
const inLayer = (content: ReactNode) => (
  <div role="dialog">
    <LayerContext value>{content}</LayerContext>
  </div>
);
const open = async (content: ReactNode) => {
  render(content);
  await act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));
};
const focused = () => document.activeElement?.getAttribute('aria-label');

it('focuses the first enabled field in a layer', async () => {
  await open(inLayer(<Fields />));
  expect(focused()).toBe('first');
});

it('focuses it on the page of a new row, and nothing on other pages', async () => {
  await open(<Fields />);
  expect(document.activeElement).toBe(document.body);
  cleanup();
  await open(<Fields onPage />);
  expect(focused()).toBe('first');
});

it('leaves the focus where somebody has put it in the layer', async () => {
  await open(
    inLayer(
      <>
        <input aria-label="own" ref={(element) => element?.focus()} />
        <Fields />
      </>,
    ),
  );
  expect(focused()).toBe('own');
});

it('focuses nothing on touch screens', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  await open(inLayer(<Fields />));
  expect(document.activeElement).toBe(document.body);
});
