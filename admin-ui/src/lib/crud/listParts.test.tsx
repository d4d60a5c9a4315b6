import { render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { ListFoot } from './listParts';
import { useListState } from './useListState';

function Foot({ total, stale = false }: { total: number; stale?: boolean }) {
  const { search } = useLocation();
  return (
    <>
      <ListFoot state={useListState([])} total={total} stale={stale} text="" />
      <output>{search}</output>
    </>
  );
}

const at = (search: string, total: number, stale = false): string => {
  const { unmount } = render(
    <MemoryRouter initialEntries={[`/${search}`]}>
      <Foot total={total} stale={stale} />
    </MemoryRouter>,
  );
  const text = screen.getByRole('status').textContent;
  unmount();
  return text;
};

it('goes to the last page when there is nothing on a later one', () => {
  expect(at('?page=9', 134)).toBe('?page=4');
  expect(at('?page=4', 120)).toBe('?page=3');
  expect(at('?page=2', 40)).toBe('');
  expect(at('?page=3', 120)).toBe('?page=3');
});

it('waits for the total that belongs to the page', () => {
  expect(at('?page=9', 134, true)).toBe('?page=9');
});

it.each(['-1', '0', '1.5', 'x', ''])('reads page %s as the first one', (page) => {
  function Page() {
    return <output>{useListState([]).page}</output>;
  }
  const { unmount } = render(
    <MemoryRouter initialEntries={[`/?page=${page}`]}>
      <Page />
    </MemoryRouter>,
  );
  expect(screen.getByRole('status').textContent).toBe('1');
  unmount();
});
