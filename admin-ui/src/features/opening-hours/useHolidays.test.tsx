import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { App } from 'antd';
import { useEffect, useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import type { RestaurantHoliday } from '../../generated/model';
import { Emitter } from '../../lib/events';
import { UnsavedProvider } from '../../lib/form/unsaved';
import { useHolidays } from './useHolidays';

const holiday = (id: string, day: string, version = 1): RestaurantHoliday => ({
  id,
  restaurant_id: 'r',
  valid_from: day,
  valid_till: day,
  holiday_type: 'holiday_close',
  open_at: null,
  close_at: null,
  version,
  archived_at: null,
});

const read = new Emitter<{ rows: RestaurantHoliday[] }>();
let form: ReturnType<typeof useHolidays>;

function Probe() {
  const [rows, setRows] = useState([holiday('a', '2031-12-25')]);
  const state = useHolidays(rows);
  useEffect(() => read.on('rows', setRows), []);
  useEffect(() => {
    form = state;
  });
  return null;
}

afterEach(cleanup);

it('shows what another window has changed, unless something is being edited here', async () => {
  const Page = () => (
    <UnsavedProvider>
      <Probe />
    </UnsavedProvider>
  );
  const router = createMemoryRouter([{ path: '/', element: <Page /> }]);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  );
  const days = () => form.rows.map((row) => row.valid_from);
  await act(async () => read.emit('rows', [holiday('a', '2031-12-26', 2), holiday('b', '2031-05-01')]));
  expect(days()).toEqual(['2031-12-26', '2031-05-01']);
  expect(form.dirty).toBe(false);

  await act(async () => form.edit('a', { valid_till: '2031-12-27' }));
  await act(async () => read.emit('rows', [holiday('b', '2031-05-02', 2)]));
  expect(form.dirty).toBe(true);
  expect(days()).toEqual(['2031-12-26', '2031-05-01']);
  expect(form.rows[0]?.valid_till).toBe('2031-12-27');
});
