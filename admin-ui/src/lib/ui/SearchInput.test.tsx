import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SearchInput } from './SearchInput';

const searched = vi.fn();
function List({ fits }: { fits?: (text: string) => boolean }) {
  const [value, setValue] = useState('');
  return (
    <>
      <SearchInput
        label="search"
        value={value}
        fits={fits}
        onSearch={(text) => {
          searched(text);
          setValue(text);
        }}
      />
      <button type="button" onClick={() => setValue('')}>
        clear
      </button>
    </>
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  searched.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'search' });
const type = (text: string) => fireEvent.change(input(), { target: { value: text } });
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('searches a second after the last key', async () => {
  render(<List />);
  type('a');
  await wait(900);
  type('ab ');
  await wait(990);
  expect(searched).not.toHaveBeenCalled();
  await wait(20);
  expect(searched.mock.calls).toEqual([['ab']]);
  expect(input().value).toBe('ab ');
});

it('shows all rows 0.4 s after the text was emptied', async () => {
  render(<List />);
  type('ab');
  await wait(1000);
  type('');
  await wait(390);
  expect(searched).toHaveBeenCalledTimes(1);
  await wait(20);
  expect(searched).toHaveBeenLastCalledWith('');
});

it('searches at once with Enter, and once', async () => {
  render(<List />);
  type('ab');
  fireEvent.keyDown(input(), { key: 'Enter', keyCode: 13 });
  expect(searched.mock.calls).toEqual([['ab']]);
  await wait(2000);
  expect(searched).toHaveBeenCalledTimes(1);
});

it('follows a value from elsewhere', async () => {
  render(<List />);
  type('ab');
  await wait(1000);
  fireEvent.click(screen.getByText('clear'));
  expect(input().value).toBe('');
  await wait(2000);
  expect(searched).toHaveBeenCalledTimes(1);
});

it('waits for a text that can be searched by', async () => {
  render(<List fits={(text) => text.length > 2} />);
  type('ab');
  await wait(2000);
  expect(searched).not.toHaveBeenCalled();
  type('abc');
  await wait(1000);
  expect(searched.mock.calls).toEqual([['abc']]);
});
