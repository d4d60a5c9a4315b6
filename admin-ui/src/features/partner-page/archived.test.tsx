import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { PartnerArchivedRestaurant } from '../../generated/model';
import { PAGE_SIZE } from '../../lib/crud/listProps';
import { ArchivedRestaurants } from './ArchivedRestaurants';

vi.mock('react-i18next', async (original) => ({
  ...(await original<object>()),
  useTranslation: () => ({
    t: (key: string, values?: { name?: string }) => [key, values?.name].filter(Boolean).join(' '),
    i18n: { language: 'hu' },
  }),
}));

let width = 0;
beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, side, limit] = /\((min|max)-width: ([\d.]+)px\)/.exec(query) ?? [];
    return {
      matches: side === 'min' ? width >= Number(limit) : width <= Number(limit),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
    };
  });
});

const archived = (number: number, restorable = true): PartnerArchivedRestaurant => ({
  id: `r${number}`,
  name: `Étterem ${number}`,
  city: 'Pécs',
  archived_at: '2026-11-20T10:00:00Z',
  archived_by: 'Kiss Anna',
  restorable,
  restorable_until: '2026-12-20T10:00:00Z',
});

it('are cards on phones, each with its button', () => {
  width = 390;
  const rows = [archived(1), archived(2, false)];
  const onRestore = vi.fn();
  render(<ArchivedRestaurants rows={rows} restoring={undefined} onRestore={onRestore} />);
  expect(screen.queryByRole('table')).toBeNull();
  const [first, second] = screen.getAllByRole('listitem');
  fireEvent.click(within(first!).getByRole('button', { name: 'partner_page.bring_back_of Étterem 1' }));
  expect(onRestore).toHaveBeenCalledExactlyOnceWith(rows[0]);
  expect(within(second!).queryByRole('button')).toBeNull();
  expect(within(second!).getByText('partner_page.stays_archived')).toBeDefined();
});

it.each([
  [1440, true],
  [1024, false],
])('are a table at %i px, with what is less important: %s', (px, all) => {
  width = px;
  render(<ArchivedRestaurants rows={[archived(1)]} restoring={undefined} onRestore={vi.fn()} />);
  expect(screen.getByRole('table')).toBeDefined();
  expect(screen.queryByText('Kiss Anna') !== null).toBe(all);
});

it('go on on a second page, which is left when its rows are gone', () => {
  width = 390;
  const rows = Array.from({ length: PAGE_SIZE + 1 }, (_, index) => archived(index));
  const show = (some: typeof rows) => (
    <ArchivedRestaurants rows={some} restoring={undefined} onRestore={vi.fn()} />
  );
  const { rerender } = render(show(rows));
  expect(screen.queryByText(`Étterem ${PAGE_SIZE}`)).toBeNull();
  fireEvent.click(screen.getByTitle('2'));
  expect(screen.getByText(`Étterem ${PAGE_SIZE}`)).toBeDefined();
  rerender(show(rows.slice(0, PAGE_SIZE)));
  expect(screen.getByText('Étterem 0')).toBeDefined();
});
