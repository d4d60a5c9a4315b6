import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  MenuPreview as Preview,
  MenuPreviewReason,
  MenuPreviewSubproduct,
  MenuSubject,
  Restaurant,
} from '../../generated/model';
import { RestaurantContext, setTarget } from '../../lib/target';
import texts from '../../lib/texts/hu';
import { DAYS } from '../categories-and-products/shared/draft';
import type { TimeRange } from '../categories-and-products/shared/types';
import { askedOf } from './asked';
import hu from './hu';
import MenuPreview from './index';
import { countsOf, linesOf, partsOf, sectionsOf } from './menu';
import { dayTimes } from './ranges';

// Dialogs and pickers take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });
const read = vi.hoisted(() => vi.fn());
const file = vi.hoisted(() => vi.fn());
const saved = vi.hoisted(() => vi.fn());
const may = vi.hoisted(() => vi.fn(() => true));
vi.mock('../../generated/client/catalogue/catalogue', async (original) => ({
  ...(await original<object>()),
  menuPreviewGet: read,
}));
vi.mock('../../generated/client/public/public', async (original) => ({
  ...(await original<object>()),
  menuFile: file,
}));
vi.mock('../../lib/download', () => ({ save: saved }));
vi.mock('../../lib/access', () => ({ useCan: () => may, useCanDo: () => may }));
vi.mock('../categories-and-products/shared/useLiveCatalogue', () => ({ useLiveCatalogue: () => undefined }));

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  timezone: 'Europe/Budapest',
  currency: 'huf',
  primary_language: 'hu',
  secondary_language: 'en',
} as Restaurant;

const subject = (kind: MenuSubject['kind'], name: string | null, more: Partial<MenuSubject> = {}) =>
  ({ kind, id: kind === 'restaurant' ? null : kind, name, name_sec_lang: null, ...more }) as MenuSubject;
const reason = (
  cause: MenuPreviewReason['cause'],
  about: MenuSubject,
  more: Partial<MenuPreviewReason> = {},
) => ({ reason: 'x', cause, subject: about, at: null, time_ranges: null, left: null, ...more });
const size = (id: string, more: Partial<MenuPreviewSubproduct> = {}) =>
  ({
    id,
    name: 'Adag',
    price: 1800,
    vat_percent: 27,
    deposit_pieces: 0,
    service_fee: false,
    components: [],
    option_group_ids: [],
    sellable_quantity: null,
    shown: true,
    on_sale: true,
    reasons: [],
    item_options: [],
    ...more,
  }) as unknown as MenuPreviewSubproduct;
const product = (id: string, name: string, subproducts: MenuPreviewSubproduct[]) => ({
  id,
  name,
  name_sec_lang: `${name} EN`,
  description: null,
  description_sec_lang: null,
  image: null,
  shown: subproducts.some((one) => one.shown),
  subproducts,
});

const PREVIEW = {
  at: '2026-03-06T18:00:00.000Z',
  channel: 'online',
  here: false,
  reasons: [reason('closed', subject('restaurant', null), { at: '2026-03-07T10:00:00.000Z' })],
  option_groups: [],
  categories: [
    {
      id: 'c',
      name: 'Levesek',
      name_sec_lang: 'Soups',
      shown: true,
      children: [],
      products: [
        product('a', 'Gulyás', [size('a1')]),
        product('b', 'Halászlé', [
          size('b1', {
            shown: false,
            on_sale: false,
            reasons: [
              reason('inactive', subject('product', 'Halászlé', { id: 'b', product_category_id: 'c' })),
            ],
          }),
        ]),
      ],
    },
  ],
} as unknown as Preview;

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
  read.mockReset().mockResolvedValue(PREVIEW);
  may.mockReset().mockReturnValue(true);
});

const show = (search = '') =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <App>
        <RestaurantContext.Provider value={RESTAURANT}>
          <MemoryRouter initialEntries={[`/r/r/etlap-elonezete${search}`]}>
            <Routes>
              <Route path="/r/:restaurant/:slug" element={<MenuPreview />} />
            </Routes>
          </MemoryRouter>
        </RestaurantContext.Provider>
      </App>
    </QueryClientProvider>,
  );

describe('the preview', () => {
  it('says of what guests do not see why, with a link to what changes it', async () => {
    show();
    const hidden = (await screen.findByRole('heading', { level: 3, name: 'Halászlé' })).closest('li')!;
    expect(hidden.dataset['off']).toBe('true');
    expect(within(hidden).getByText('Ki van kapcsolva ez a termék: „Halászlé”.')).toBeTruthy();
    expect(within(hidden).getByRole('link').getAttribute('href')).toBe('/r/r/kategoriak-es-termekek/c/b');
    const sold = screen.getByRole('heading', { level: 3, name: 'Gulyás' }).closest('li')!;
    expect(within(sold).queryByRole('link')).toBeNull();
    expect(
      screen.getByText(/semmi sem rendelhető. Az étlap szerint 1 lenne az, 2 kiszerelésből/),
    ).toBeTruthy();
    const closed = screen.getByText(/A következő nyitás: 2026\/03\/07 11:00/).closest('li')!;
    expect(within(closed).getByRole('link').getAttribute('href')).toBe('/r/r/nyitvatartas');
  });

  it('asks for what the address says, and shows the second language', async () => {
    show('?channel=sit_in&pickup=1&at=2026-03-06T18:00:00Z&language=2');
    await screen.findByRole('heading', { level: 3, name: 'Gulyás EN' });
    expect(read.mock.calls[0]![2]).toEqual({
      channel: 'sit_in',
      pickup: true,
      at: '2026-03-06T18:00:00Z',
    });
    fireEvent.click(screen.getByRole('radio', { name: 'Helyben' }));
    await vi.waitFor(() => expect(read.mock.lastCall![2]).toMatchObject({ pickup: false }));
  });

  it('shows only what is not on sale where that is wanted', async () => {
    show('?only=hidden');
    await screen.findByRole('heading', { level: 3, name: 'Halászlé' });
    expect(screen.queryByRole('heading', { level: 3, name: 'Gulyás' })).toBeNull();
  });

  it('does not say that all can be ordered while the restaurant is closed', async () => {
    const [soups] = PREVIEW.categories;
    const open = { ...PREVIEW, categories: [{ ...soups!, products: [soups!.products[0]!] }] };
    read.mockResolvedValue(open);
    const { unmount } = show('?only=hidden');
    expect(await screen.findByText('Az étlapon semmi nincs visszatartva')).toBeTruthy();
    unmount();
    read.mockResolvedValue({ ...open, reasons: [] });
    show('?only=hidden');
    expect(await screen.findByText('Minden rendelhető')).toBeTruthy();
    expect(screen.getByText(/: 1 rendelhető, 1 kiszerelésből/)).toBeTruthy();
  });

  it('links nothing that its reader may not open', async () => {
    may.mockReturnValue(false);
    show();
    const closed = (await screen.findByText(/A következő nyitás/)).closest('li')!;
    expect(within(closed).queryByRole('link')).toBeNull();
  });

  it('saves the menu of the channel as a file', async () => {
    file.mockResolvedValue({ made_at: PREVIEW.at, menu: { version: 7 }, allergens: [] });
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Letöltés fájlként' }));
    await vi.waitFor(() => expect(saved).toHaveBeenCalledWith('menu-online-7.json', expect.any(Blob)));
    expect(file.mock.calls[0]![2]).toEqual({ channel: 'online', pickup: false });
  });

  it('says that the menu is empty, and what went wrong', async () => {
    read.mockResolvedValueOnce({ ...PREVIEW, categories: [], reasons: [] });
    show();
    expect(await screen.findByText('Még üres az étlap')).toBeTruthy();
  });
});

it('days with the same times are read together', () => {
  const at = (day: TimeRange['day'], from = '11:00', till = '15:00'): TimeRange => ({ day, from, till });
  const lunch = DAYS.slice(0, 5).map((day) => at(day));
  const noon = { from: '11:00', till: '15:00' };
  expect(dayTimes(lunch)).toEqual([{ ...noon, days: ['weekdays'] }]);
  expect(dayTimes([...lunch, at('sun')])).toEqual([{ ...noon, days: ['weekdays', 'sun'] }]);
  expect(dayTimes(DAYS.map((day) => at(day)))).toEqual([{ ...noon, days: ['every_day'] }]);
  expect(dayTimes([at('wed'), at('mon'), at('mon', '18:00', '02:00')])).toEqual([
    { ...noon, days: ['mon', 'wed'] },
    { from: '18:00', till: '02:00', days: ['mon'] },
  ]);
});

it('an address that says nonsense asks for the web shop, now', () => {
  const asked = (text: string) => askedOf(new URLSearchParams(text));
  expect(asked('channel=moon&at=someday&pickup=2')).toEqual({
    channel: 'online',
    pickup: false,
    at: undefined,
    second: false,
    hidden: false,
  });
  // A kiosk's channel is one way already.
  expect(asked('channel=kiosk_sit_in&pickup=1').pickup).toBe(false);
});

it('every reason has a sentence in both languages', async () => {
  const en = (await import('./en')).default as Record<string, string>;
  expect(Object.keys(en).toSorted()).toEqual(Object.keys(hu).toSorted());
});

it('a menu is cut into products and put together again', () => {
  const sections = sectionsOf(PREVIEW, false);
  expect(partsOf(linesOf(sections))).toEqual(sections);
  expect(countsOf(PREVIEW)).toEqual({ all: 2, onSale: 1 });
});
