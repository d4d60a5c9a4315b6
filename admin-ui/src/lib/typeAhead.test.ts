import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectTyped, takeTyped } from './typeAhead';

const press = (key: string, more: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more });
  document.body.dispatchEvent(event);
  return event.defaultPrevented;
};

describe('what is typed before a field is there', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    takeTyped();
    vi.useRealTimers();
  });

  it('reaches the field and nothing else', () => {
    const page = vi.fn();
    document.body.addEventListener('keydown', page);
    collectTyped();
    for (const key of ['k', 'ő', 'x', 'Backspace', '7', 'Enter']) expect(press(key)).toBe(true);
    expect(page).not.toHaveBeenCalled();
    expect(takeTyped()).toEqual({ text: 'kő7', entered: true });
    expect(press('a')).toBe(false);
    expect(page).toHaveBeenCalledOnce();
    document.body.removeEventListener('keydown', page);
  });

  it('lets shortcuts and keys without a letter through', () => {
    collectTyped();
    expect([press('k', { ctrlKey: true }), press('Escape'), press('Shift')]).toEqual([false, false, false]);
    expect(takeTyped().text).toBe('');
  });

  it('gives the keys back when the field does not come', () => {
    collectTyped();
    press('a');
    vi.advanceTimersByTime(3000);
    expect(press('b')).toBe(false);
    expect(takeTyped().text).toBe('');
  });
});
