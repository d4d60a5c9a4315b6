import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import DayInput from './DayInput';

it('keeps a day that is being typed while the page around it is drawn again', () => {
  const onChange = vi.fn();
  const day = () => <DayInput label="Day" value="2026-07-01" onChange={onChange} />;
  const { rerender } = render(day());
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Day' });
  fireEvent.focus(input);
  fireEvent.change(input, { target: { value: '2026/07/15' } });
  rerender(day());
  expect(input.value).toBe('2026/07/15');
  fireEvent.keyDown(input, { key: 'Enter', code: 'Enter', keyCode: 13 });
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-07-15');
});
