import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Quote, Restaurant } from '../../generated/model';
import { RestaurantContext, setTarget } from '../../lib/target';
import base from '../../lib/texts/en';
import en from './en';
import { bookOf, NO_BOOK } from './menu';
import { OptionsDialog } from './OptionsDialog';
import { QuoteView } from './QuoteView';
import { Reasons } from './Reasons';
import { MENU } from './sample.test-data';

const price = vi.hoisted(() => vi.fn());
vi.mock('../../generated/client/public/public', async (original) => ({
  ...(await original<object>()),
  ordersQuote: price,
}));
vi.setConfig({ testTimeout: 30_000 });

const RESTAURANT = { id: 'r', partner_id: 'p', currency: 'huf', timezone: 'UTC' } as Restaurant;

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: { ...base, ...en } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  setTarget(RESTAURANT);
});
afterAll(() => setTarget(undefined));
beforeEach(() => void price.mockReset());

const show = (what: ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RestaurantContext.Provider value={RESTAURANT}>
        <App>{what}</App>
      </RestaurantContext.Provider>
    </QueryClientProvider>,
  );

describe('the options of a line', () => {
  it('cost what the service says; names and prices of options are two things', async () => {
    price.mockImplementation(async (_partner, _restaurant, { items }: { items: { quantity: number }[] }) => ({
      items: [{ total_price: 1100 * items[0]!.quantity }],
    }));
    const entry = bookOf(MENU).byId.get('m32')!;
    const initial = { quantity: 1, options: {}, message: '' };
    show(
      <OptionsDialog
        channel="phone"
        entry={entry}
        initial={initial}
        verb="Add"
        onDone={vi.fn()}
        onClose={vi.fn()}
      />,
    );
    fireEvent.click(screen.getByRole('radio', { name: /^thin \+100\sFt$/ }));
    fireEvent.change(screen.getByLabelText(en['taking.quantity']), { target: { value: '3' } });
    await screen.findByText('3,300 Ft');
    await waitFor(() =>
      expect(price.mock.lastCall![2]).toEqual({
        platform: 'phone',
        pickup: true,
        items: [{ subproduct_id: 'm32', quantity: 3, item_options: [{ option_id: 'thin', quantity: 1 }] }],
      }),
    );
    // In the footer, which stays in sight.
    expect(screen.getByText('3,300 Ft').closest('.ant-modal-footer')).toBeTruthy();
  });
});

it('promotions that do not apply are one line with their number', () => {
  const one = (promotion_id: string, reason?: string) => ({
    promotion_id,
    name: promotion_id,
    reason,
    gifts: [],
  });
  const quote = {
    lines: [],
    upsells: [],
    promotions: [one('Lunch'), one('Big cart', 'range_not_reached'), one('Pickup', 'pickup')],
  } as unknown as Quote;
  const running = { quote, stale: false, error: undefined, retry: vi.fn(), adopt: vi.fn() };
  show(<QuoteView running={running} coupon={false} onGift={vi.fn()} />);
  const folded = screen.getByText('2 promotions do not apply now').closest('details')!;
  expect(folded.open).toBe(false);
  expect([...folded.querySelectorAll('li b')].map((name) => name.textContent)).toEqual([
    'Big cart',
    'Pickup',
  ]);
  expect(screen.getByText('Lunch').closest('details')).toBeNull();
});

it.each([
  [{ reason: 'coupon_not_applicable', detail: 'platform' }, 'Coupon NYAR: not valid by phone.'],
  [
    { reason: 'coupon_not_applicable' },
    'No coupon has the code NYAR. While it stands here, the order cannot be taken.',
  ],
])('a coupon that is refused is named: %j', (reason, text) => {
  show(<Reasons reasons={[reason]} book={NO_BOOK} coupon="NYAR" />);
  expect(screen.getByRole('listitem').textContent?.trim()).toBe(text);
});
