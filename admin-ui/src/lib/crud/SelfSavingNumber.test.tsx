import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { SelfSavingNumber } from './SelfSavingNumber';

const PAUSE = 600;
const sent: number[] = [];
let answer: (() => void)[] = [];
const show = () =>
  render(
    <SelfSavingNumber
      id="n"
      title="t"
      label="n"
      help="h"
      unit="Ft"
      now={1}
      pause={PAUSE}
      fits={(plain) => Number(plain) > 0}
      wrong="wrong"
      save={(value) => {
        sent.push(value);
        return new Promise<void>((resolve) => answer.push(resolve));
      }}
    />,
  );
const type = (value: string) => fireEvent.change(screen.getByLabelText('n'), { target: { value } });
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  answer = [];
});

it('sends once typing has paused, and nothing that does not fit', async () => {
  show();
  type('12');
  await wait(PAUSE - 1);
  type('120');
  await wait(PAUSE - 1);
  expect(sent).toEqual([]);
  await wait(1);
  expect(sent).toEqual([120]);
  type('0');
  await wait(PAUSE * 2);
  expect(sent).toEqual([120]);
});

it('what is typed while an earlier number is under way is sent after it', async () => {
  show();
  type('2');
  await wait(PAUSE);
  type('3');
  await wait(PAUSE * 3);
  expect(sent).toEqual([2]);
  answer[0]!();
  await wait(0);
  await wait(PAUSE);
  expect(sent).toEqual([2, 3]);
});

it('leaving the screen is a pause too', () => {
  const { unmount } = show();
  type('5');
  unmount();
  expect(sent).toEqual([5]);
});
