import { render, screen } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { expect, it } from 'vitest';
import { Button } from '../lib/ui/Button';
import { waiting } from './Root';

const one = (loading: boolean) => (
  <ConfigProvider button={waiting}>
    <Button loading={loading}>Mentés</Button>
  </ConfigProvider>
);

it('a button has its own name while it waits, and nothing is left of the waiting afterwards', () => {
  const { rerender, container } = render(one(false));
  rerender(one(true));
  screen.getByRole('button', { name: 'Mentés' });
  rerender(one(false));
  screen.getByRole('button', { name: 'Mentés' });
  expect(container.querySelector('.anticon-loading')).toBeNull();
});
