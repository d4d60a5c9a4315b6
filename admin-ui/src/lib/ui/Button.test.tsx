import { PlusOutlined } from '@ant-design/icons';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
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
