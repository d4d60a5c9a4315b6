import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MenuFinding, MenuHealth as Health, MenuHealthCheck, Restaurant } from '../../generated/model';
import { ApiError } from '../../lib/http';
import { RestaurantContext, setTarget } from '../../lib/target';
import texts from '../../lib/texts/hu';
import hu from './hu';
import MenuHealth from './index';

// Dialogs and pickers take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
const calls = vi.hoisted(() => ({ get: vi.fn(), mend: vi.fn(), undo: vi.fn() }));
const may = vi.hoisted(() => vi.fn(() => true));
vi.mock('../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  menuHealthGet: calls.get,
  menuMendsCreate: calls.mend,
  menuMendsUndo: calls.undo,
}));
vi.mock('../../lib/access', () => ({ useCan: () => may, useCanDo: () => may }));
vi.mock('../categories-and-products/shared/useLiveCatalogue', () => ({ useLiveCatalogue: () => undefined }));

const RESTAURANT = { id: 'r', partner_id: 'p', timezone: 'Europe/Budapest', currency: 'huf' } as Restaurant;

const finding = (id: string, name: string, more: Partial<MenuFinding> = {}) =>
  ({
    subject: { kind: 'product', id, name, product_category_id: 'c' },
    other: null,
    detail: null,
    channels: [],
    percent: 5,
    sit_in_percent: 5,
    expected_percent: 27,
    count: null,
    at: null,
    mend: null,
    ...more,
  }) as unknown as MenuFinding;
const check = (rule: MenuHealthCheck['rule'], findings: MenuFinding[], more: Partial<MenuHealthCheck> = {}) =>
  ({
    rule,
    weight: 'error',
    skipped: null,
    total: findings.length,
    mendable: findings.filter((one) => one.mend !== null).length,
    findings,
    ...more,
  }) as MenuHealthCheck;
const BEERS = [finding('b1', 'Dreher', { mend: '27' }), finding('b2', 'Borsodi', { mend: '27' })];
const health = (checks: MenuHealthCheck[], more: Partial<Health> = {}): Health =>
  ({ catalogue_version: 7, day: '2026-03-06', products: 12, checks, mends: [], ...more }) as Health;

beforeAll(async () => {
  setTarget(RESTAURANT);
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation: { ...texts, ...hu } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});
afterAll(() => setTarget(undefined));
beforeEach(() => {
  for (const call of Object.values(calls)) call.mockReset();
  may.mockReset().mockReturnValue(true);
  calls.get.mockResolvedValue(health([check('alcohol_vat', BEERS)]));
});

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RestaurantContext.Provider value={RESTAURANT}>
          <MemoryRouter initialEntries={['/r/r/etlap-ellenorzese']}>
            <Routes>
              <Route path="/r/:restaurant/:slug" element={<MenuHealth />} />
            </Routes>
          </MemoryRouter>
        </RestaurantContext.Provider>
      </App>
    </QueryClientProvider>,
  );

describe('the health of a menu', () => {
  it('tells each finding with a link to its editor, and what was not checked', async () => {
    calls.get.mockResolvedValue(
      health([
        check('alcohol_vat', BEERS),
        check('picture', [], { weight: 'hint' }),
        check('tax_category_missing', [], { skipped: 'no_tax_report' }),
      ]),
    );
    show();
    const beers = await screen.findByRole('list', { name: 'Alkohol 27% alatt' });
    const link = within(beers).getByRole('link', { name: 'Dreher' });
    expect(link.getAttribute('href')).toBe('/r/r/kategoriak-es-termekek/c/b1');
    expect(within(beers).getAllByText(/Az áfája 5/)).toHaveLength(2);
    expect(screen.getByText(/nincs beállítva NTAK/)).toBeTruthy();
    expect(screen.getByText('Nincs képe')).toBeTruthy();
    const propose = screen.getByRole('link', { name: /^Javaslatok a nevek alapján/ });
    expect(propose.getAttribute('href')).toBe('/r/r/etlap-ntak-besorolasa');
  });

  it('shows ten findings of a check, and all of them when asked', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ ...BEERS[0]!, mend: null, count: at }));
    calls.get.mockResolvedValue(health([check('alcohol_vat', many)]));
    show();
    const list = await screen.findByRole('list', { name: 'Alkohol 27% alatt' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(10);
    fireEvent.click(screen.getByRole('button', { name: 'Mind: 12' }));
    await waitFor(() => expect(screen.getAllByText(/Az áfája 5/)).toHaveLength(12));
  });

  it('mends what is left chosen, of the menu that was looked at, and takes it back', async () => {
    calls.mend.mockResolvedValue({ id: 'm', count: 1 });
    calls.undo.mockResolvedValue({});
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Javítás (2)…' }));
    fireEvent.click(await screen.findByRole('checkbox', { name: /Borsodi/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Javítás (1)' }));
    await waitFor(() => expect(calls.mend).toHaveBeenCalledOnce());
    const [, , body, headers] = calls.mend.mock.calls[0]!;
    expect(body).toEqual({ rule: 'alcohol_vat', catalogue_version: 7, ids: ['b1'] });
    expect(headers['Idempotency-Key']).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: 'Visszavonás' }));
    await waitFor(() => expect(calls.undo).toHaveBeenCalledWith('p', 'r', 'm'));
  });

  it('says of many that they have no allergens, with nothing chosen beforehand', async () => {
    const food = BEERS.map((beer) => ({ ...beer, mend: 'none' }));
    calls.get.mockResolvedValue(health([check('allergens', food)]));
    calls.mend.mockResolvedValue({ id: 'm', count: 2 });
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Nincs bennük allergén…' }));
    const none = await screen.findByRole('button', { name: 'Nincs benne (0)' });
    expect(none).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Mind (2)' }));
    fireEvent.click(screen.getByRole('button', { name: 'Nincs benne (2)' }));
    await waitFor(() => expect(calls.mend).toHaveBeenCalledOnce());
    expect(calls.mend.mock.calls[0]![2]).toMatchObject({ rule: 'allergens', ids: ['b1', 'b2'] });
  });

  it('keeps the dialog open when the menu has changed, and reads it again', async () => {
    calls.mend.mockRejectedValue(new ApiError({ status: 409, code: 'MENU_MEND_OUTDATED' }));
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Javítás (2)…' }));
    await screen.findByRole('checkbox', { name: /Dreher/ });
    const before = calls.get.mock.calls.length;
    fireEvent.click(screen.getByRole('button', { name: 'Javítás (2)' }));
    expect(await screen.findByRole('alert')).toBeTruthy();
    await waitFor(() => expect(calls.get.mock.calls.length).toBeGreaterThan(before));
    expect(screen.getByRole('checkbox', { name: /Dreher/ })).toBeTruthy();
  });

  it('offers no mend to who may not edit the menu', async () => {
    may.mockReturnValue(false);
    calls.get.mockResolvedValue(
      health([check('alcohol_vat', BEERS)], {
        mends: [
          {
            id: 'm',
            rule: 'alcohol_vat',
            count: 2,
            actor_name: 'Anna',
            created_at: '2026-03-06T10:00:00Z',
            undo_until: '2026-03-07T10:00:00Z',
            undone_at: null,
          },
        ],
      } as Partial<Health>),
    );
    show();
    expect(await screen.findByText(/Anna/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Javítás|Visszavonás/ })).toBeNull();
  });

  it('says that all is well, and that there is nothing to look at', async () => {
    calls.get.mockResolvedValueOnce(health([check('picture', [])]));
    const { unmount } = show();
    expect(await screen.findByText('Az étlap rendben van')).toBeTruthy();
    unmount();
    calls.get.mockResolvedValueOnce(health([], { products: 0 }));
    show();
    expect(await screen.findByText('Még nincs mit ellenőrizni')).toBeTruthy();
  });
});

it('has the same texts in both languages', async () => {
  const en = (await import('./en')).default as Record<string, string>;
  expect(Object.keys(en).toSorted()).toEqual(Object.keys(hu).toSorted());
});
