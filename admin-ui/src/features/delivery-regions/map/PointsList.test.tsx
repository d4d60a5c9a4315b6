import { fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import en from '../en';
import { type PointRow, rowOf } from './points';
import { PointsList } from './PointsList';

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: en } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});

const seen = vi.fn<(rows: PointRow[]) => void>();
function List({ count }: { count: number }) {
  const [rows, setRows] = useState<PointRow[]>(() =>
    Array.from({ length: count }, (_, i) => rowOf({ lat: i + 1, lng: 19 })),
  );
  return (
    <PointsList
      rows={rows}
      strict
      onChange={(next) => {
        seen(next);
        setRows(next);
      }}
    />
  );
}

const lats = () => seen.mock.lastCall![0].map(({ lat }) => lat);
// By label: looking for roles among many buttons takes seconds.
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const button = (name: string) => screen.getByLabelText<HTMLButtonElement>(name);
const press = (name: string) => fireEvent.click(screen.queryByLabelText(name) ?? screen.getByText(name));

describe('the list of points', () => {
  it('adds, inserts, moves and deletes rows, and the focus goes along', () => {
    render(<List count={3} />);
    press('Move point 3 up');
    expect(lats()).toEqual(['1', '3', '2']);
    expect(document.activeElement).toBe(button('Move point 2 up'));
    press('Insert a point after 1');
    expect(lats()).toEqual(['1', '', '3', '2']);
    expect(document.activeElement).toBe(field('Latitude of point 2'));
    press('Delete point 2');
    expect(lats()).toEqual(['1', '3', '2']);
    press('Add a point');
    expect(lats()).toEqual(['1', '3', '2', '']);
    expect(document.activeElement).toBe(field('Latitude of point 4'));
  });

  it('the first cannot go up, nor the last down', () => {
    render(<List count={2} />);
    expect(button('Move point 1 up').disabled).toBe(true);
    expect(button('Move point 2 down').disabled).toBe(true);
  });

  it('takes pasted pairs as rows, and leaves other texts to the field', () => {
    render(<List count={1} />);
    seen.mockClear();
    const paste = (text: string) =>
      fireEvent.paste(field('Latitude of point 1'), { clipboardData: { getData: () => text } });
    paste('szöveg');
    expect(seen).not.toHaveBeenCalled();
    paste('47.5, 19.05\n47.6, 19.06');
    expect(seen.mock.lastCall![0].map(({ lat, lng }) => [lat, lng])).toEqual([
      ['47.5', '19.05'],
      ['47.6', '19.06'],
    ]);
  });

  it('marks a row that lies nowhere', () => {
    render(<List count={1} />);
    fireEvent.change(field('Latitude of point 1'), { target: { value: '97' } });
    expect(field('Latitude of point 1').getAttribute('aria-invalid')).toBe('true');
  });

  it('shows a long list page by page, with numbers that go on', () => {
    render(<List count={120} />);
    expect(document.querySelectorAll('tbody tr')).toHaveLength(50);
    press('Move point 50 down');
    expect(document.activeElement).toBe(button('Move point 51 down'));
  });
});
