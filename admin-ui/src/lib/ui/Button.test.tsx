import { PlusOutlined } from '@ant-design/icons';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Button } from './Button';

it('is named by its text or its label, not by its icon', () => {
  render(
    <>
      <Button icon={<PlusOutlined />}>Új</Button>
      <Button icon={<PlusOutlined />} aria-label="Hozzáad" />
    </>,
  );
  expect(screen.getByRole('button', { name: 'Új' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Hozzáad' })).toBeTruthy();
});

it('takes the focus with the click, so that a field is not left before', () => {
  const pressed = vi.fn();
  render(
    <>
      <input aria-label="Név" />
      <Button onClick={pressed}>Mentés</Button>
    </>,
  );
  screen.getByLabelText('Név').focus();
  const button = screen.getByRole('button', { name: 'Mentés' });
  // False: prevented, so the browser leaves the focus where it is.
  expect(fireEvent.mouseDown(button)).toBe(false);
  fireEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect(pressed).toHaveBeenCalledOnce();
});
