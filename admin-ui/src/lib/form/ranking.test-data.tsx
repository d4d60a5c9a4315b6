import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { type ComponentType, useEffect, useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../events';
import { ApiError, type Problem } from '../http';
import { UnsavedProvider } from './unsaved';

interface Sortable {
  id: string;
  name: string;
}

interface Call {
  ids: readonly string[];
  answer: () => void;
  refuse: (problem: Partial<Problem>) => void;
}

const shown = new Emitter<{ rows: readonly Sortable[] }>();
let sent: Call[] = [];
let reads = 0;
let onRead: () => void = () => undefined;

/** The stand-in of the service for the screens under test. */
export const service = {
  send: (ids: readonly string[]) =>
    new Promise<void>((resolve, reject) =>
      sent.push({
        ids,
        answer: resolve,
        refuse: (problem) => reject(new ApiError({ status: 422, code: 'VALIDATION_FAILED', ...problem })),
      }),
    ),
  refresh: async () => {
    reads += 1;
    onRead();
  },
};

const ROWS: readonly Sortable[] = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }));
const row = (id: string): Sortable => ({ id, name: id.toUpperCase() });
const show = (...ids: string[]) => shown.emit('rows', ids.map(row));
const settle = () => act(() => vi.advanceTimersByTimeAsync(100));
const press = async (name: string) => {
  fireEvent.click(screen.getByText(name));
  await settle();
};
/** The rows as they stand. */
const order = () =>
  [...document.querySelectorAll<HTMLElement>('li[data-id]')].map((item) => item.dataset.id).join('');
const down = async (id: string) => {
  const button = document.querySelector<HTMLElement>(`li[data-id="${id}"] .sort-arrows button:last-child`);
  fireEvent.click(button!);
  await settle();
};
const last = () => sent.at(-1)!;
const answer = async () => {
  last().answer();
  await settle();
};
const refuse = async (problem: Partial<Problem>) => {
  last().refuse(problem);
  await settle();
};

/** The behaviour of every list that is sorted by hand. `Sort` calls `onDone` when that is over. */
export function testRanking(
  name: string,
  Sort: ComponentType<{ rows: readonly Sortable[]; onDone: () => void }>,
): void {
  const open = async () => {
    sent = [];
    reads = 0;
    onRead = () => undefined;
    const Screen = () => {
      const [rows, setRows] = useState(ROWS);
      const [sorting, setSorting] = useState(true);
      useEffect(() => shown.on('rows', setRows), []);
      return (
        <UnsavedProvider>
          {sorting ? <Sort rows={rows} onDone={() => setSorting(false)} /> : <p>sorted</p>}
          <Link to="/elsewhere">leave</Link>
        </UnsavedProvider>
      );
    };
    const router = createMemoryRouter([
      { path: '/', element: <Screen /> },
      { path: '/elsewhere', element: <p>elsewhere</p> },
    ]);
    render(
      <App>
        <RouterProvider router={router} />
      </App>,
    );
    await settle();
  };

  // The first one loads antd.
  vi.setConfig({ testTimeout: 30_000 });
  describe(name, () => {
    beforeAll(async () => {
      await i18next
        .use(initReactI18next)
        .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
    });
    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await open();
    });
    afterEach(() => {
      cleanup();
      vi.useRealTimers();
    });

    it('sends the whole order once, reads it again, and takes it back by the one before', async () => {
      await down('a');
      expect(order()).toBe('bac');
      fireEvent.click(screen.getByText('list.save_order'));
      fireEvent.click(screen.getByText('list.save_order'));
      await settle();
      expect(sent.map((call) => call.ids.join(''))).toEqual(['bac']);
      expect(reads).toBe(0);
      onRead = () => show('b', 'a', 'c');
      await answer();
      expect(reads).toBe(1);
      expect(screen.getByText('sorted')).toBeTruthy();
      expect(screen.getByText('list.order_saved')).toBeTruthy();
      await press('action.undo');
      expect(last().ids.join('')).toBe('abc');
      await answer();
      expect(reads).toBe(2);
    });

    it('keeps the order that is being saved', async () => {
      await down('a');
      await press('list.save_order');
      await down('a');
      expect(order()).toBe('bac');
    });

    it('unanswered: says so, locks nothing, and sends the order again', async () => {
      await down('a');
      await press('list.save_order');
      await refuse({ status: 0, code: 'NETWORK_ERROR', title: 'no answer' });
      expect(screen.getByText('no answer')).toBeTruthy();
      expect(screen.queryByText('form.unknown')).toBeNull();
      await down('b');
      expect(order()).toBe('abc');
      await down('b');
      await press('list.save_order');
      expect(sent.map((call) => call.ids.join(''))).toEqual(['bac', 'acb']);
      expect(screen.queryByText('no answer')).toBeNull();
    });

    it.each([
      { status: 422, code: 'VALIDATION_FAILED', keys: ['ids.0'] },
      { status: 409, code: 'CONFLICT' },
    ])('rows that changed meanwhile: joins them, says so, and saves again: $status', async (problem) => {
      await down('a');
      await press('list.save_order');
      onRead = () => show('a', 'c', 'd');
      await refuse(problem);
      expect(screen.getByText('list.order_outdated')).toBeTruthy();
      expect(order()).toBe('acd');
      await down('a');
      await press('list.save_order');
      expect(screen.queryByText('list.order_outdated')).toBeNull();
      expect(last().ids.join('')).toBe('cad');
    });

    it('keeps the order when it is refused for another reason', async () => {
      await down('a');
      await press('list.save_order');
      await refuse({ status: 403, code: 'USER_PERMISSION_REQUIRED', title: 'not allowed' });
      expect(screen.getByText('not allowed')).toBeTruthy();
      expect(order()).toBe('bac');
      expect(reads).toBe(0);
    });

    it('takes an order of somebody else, unless it is being edited', async () => {
      act(() => show('c', 'b', 'a'));
      expect(order()).toBe('cba');
      await down('c');
      act(() => show('a', 'b', 'c', 'd'));
      expect(order()).toBe('bcad');
    });

    it('guards what is not saved, and stays when it is refused', async () => {
      await down('a');
      await press('leave');
      await press('unsaved.save');
      await refuse({ status: 500, code: 'UNKNOWN_ERROR' });
      expect(screen.queryByText('elsewhere')).toBeNull();
      await press('leave');
      await press('unsaved.save');
      await answer();
      expect(screen.getByText('elsewhere')).toBeTruthy();
    });

    it('asks nothing when nothing was sorted', async () => {
      await press('leave');
      expect(screen.getByText('elsewhere')).toBeTruthy();
    });
  });
}
