import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useHotkey } from './hooks';

const press = (init: KeyboardEventInit) =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));

test.each<[string, KeyboardEventInit, boolean]>([
  ['alt+p', { key: 'p', code: 'KeyP', altKey: true }, true],
  ['alt+p', { key: 'π', code: 'KeyP', altKey: true }, true],
  ['alt+p', { key: 'p', code: 'KeyP' }, false],
  ['alt+p', { key: 'p', code: 'KeyP', altKey: true, ctrlKey: true }, false],
  ['alt+m', { key: '>', code: 'KeyM', altKey: true, ctrlKey: true }, false],
  ['ctrl+s', { key: 's', code: 'KeyS', ctrlKey: true }, true],
  ['ctrl+s', { key: 's', code: 'KeyS', metaKey: true }, true],
  ['?', { key: '?', code: 'Comma', shiftKey: true }, true],
  ['?', { key: '?', code: 'Comma', altKey: true }, false],
])('%s beside %o', (keys, init, heard) => {
  const run = vi.fn();
  const { unmount } = renderHook(() => useHotkey(keys, run));
  press(init);
  expect(run).toHaveBeenCalledTimes(heard ? 1 : 0);
  unmount();
});
