import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ScanReader, useScanner } from './scanner';
import { NumberInput } from './ui/NumberInput';

const CODE = '5991234567890';
const scanned = vi.fn();
const pressed = vi.fn();
let now = 1000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  scanned.mockReset();
  pressed.mockReset();
});

function Page() {
  useScanner(scanned);
  const [pieces, setPieces] = useState<number | null>(12);
  return (
    <>
      <button onClick={pressed}>Mehet</button>
      <NumberInput aria-label="Darab" value={pieces} onChange={setPieces} controls={false} />
      <input aria-label="Név" />
      <div data-scan>
        <input aria-label="Keresés" />
      </div>
      <div role="dialog">
        <button>Ablak</button>
      </div>
    </>
  );
}

/** Types into what has the focus, as a browser does. */
function type(text: string, gap: number, enter = true) {
  const target = document.activeElement ?? document.body;
  const press = (key: string) => {
    now += gap;
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: now });
    if (!target.dispatchEvent(event)) return;
    if (key === 'Enter') {
      if (target instanceof HTMLButtonElement) fireEvent.click(target);
    } else if (target instanceof HTMLInputElement) {
      fireEvent.change(target, { target: { value: target.value + key } });
    }
  };
  for (const key of text) press(key);
  if (enter) press('Enter');
}

const focus = (element: HTMLElement) => {
  element.focus();
  return element as HTMLInputElement;
};

it('tells a scanner from a hand', () => {
  const read = (text: string, gap: number) => {
    const reader = new ScanReader();
    for (const [at, key] of [...text].entries()) reader.add(key, at * gap);
    return reader.take();
  };
  expect(read(CODE, 20)).toBe(CODE);
  expect(read(CODE, 50)).toBe(CODE);
  expect(read(CODE, 60)).toBeUndefined();
  expect(read('599123456', 5)).toBeUndefined();
});

it('reads a code while a button has the focus, and presses nothing', () => {
  render(<Page />);
  focus(screen.getByRole('button', { name: 'Mehet' }));
  type(CODE, 15);
  expect(scanned.mock.calls).toEqual([[CODE]]);
  expect(pressed).not.toHaveBeenCalled();
  type('12', 200);
  expect(pressed).toHaveBeenCalledTimes(1);
});

it('ends by silence where the scanner sends no Enter', () => {
  render(<Page />);
  type(CODE, 15, false);
  expect(scanned).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(scanned.mock.calls).toEqual([[CODE]]);
});

it('takes back what it wrote into a number and into the search', () => {
  render(<Page />);
  const pieces = focus(screen.getByRole('spinbutton', { name: 'Darab' }));
  type(CODE, 15);
  expect([scanned.mock.calls, pieces.value]).toEqual([[[CODE]], '12']);
  const search = focus(screen.getByRole('textbox', { name: 'Keresés' }));
  type(CODE, 15);
  expect([scanned.mock.calls.length, search.value]).toEqual([2, '']);
});

it('leaves a field for text and a dialog alone', () => {
  render(<Page />);
  const name = focus(screen.getByRole('textbox', { name: 'Név' }));
  type(CODE, 15);
  expect(name.value).toBe(CODE);
  focus(screen.getByRole('button', { name: 'Ablak' }));
  type(CODE, 15);
  vi.advanceTimersByTime(200);
  expect(scanned).not.toHaveBeenCalled();
});
