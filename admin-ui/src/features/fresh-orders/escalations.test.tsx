import { render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { EscalatedOrder, OrderAcceptTimes, Restaurant } from '../../generated/model';
import { RestaurantContext } from '../../lib/target';
import shared from '../../lib/texts/hu';
import orderTexts from '../order/hu';
import { AcceptFigures } from './AcceptTimes';
import { EscalationStrip } from './Escalations';
import hu from './hu';

const bell = vi.hoisted(() => vi.fn());
vi.mock('./alarm/useBell', () => ({ useBell: bell }));
vi.mock('./settings', () => ({ useOrderSettings: () => [{ sound: true, volume: 0.5 }] }));
vi.mock('../../lib/navigation', () => ({
  usePage: () => ({}),
  usePageUrl: () => (key: string, sub?: string) => `/${key}/${sub ?? ''}`,
}));

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation: { ...shared, ...orderTexts, ...hu } } },
    keySeparator: false,
    nsSeparator: false,
  });
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const order = (id: string, counter: string, level = 2): EscalatedOrder => ({
  order_id: id,
  counter,
  escalation_level: level,
  waiting_since: minutesAgo(7),
});

const show = (orders: EscalatedOrder[], total = orders.length) =>
  render(
    <MemoryRouter>
      <RestaurantContext.Provider value={{ id: 'r', timezone: 'UTC', currency: 'huf' } as Restaurant}>
        <EscalationStrip orders={orders} total={total} />
      </RestaurantContext.Provider>
    </MemoryRouter>,
  );

describe('orders that nobody accepts', () => {
  it('are said once, named with links, and ring', () => {
    show([order('a', 'B1'), order('b', 'B2', 3)]);
    expect(screen.getByRole('alert').textContent).toBe('Senki nem fogadja el: B1 rendelés, B2 rendelés');
    expect(screen.getByRole('link', { name: 'B1 rendelés · 7 perce' }).getAttribute('href')).toBe(
      '/order_page/a',
    );
    expect(screen.getByRole('link', { name: 'Friss rendelések megnyitása' })).toBeTruthy();
    expect(bell).toHaveBeenLastCalledWith({
      waiting: new Set(['a 2', 'b 3']),
      on: true,
      volume: 0.5,
      restaurant: 'r',
    });
  });

  it('are counted beyond the fifth', () => {
    show(Array.from({ length: 8 }, (_, at) => order(`o${at}`, `B${at}`)));
    expect(screen.getAllByRole('listitem')).toHaveLength(6);
    expect(screen.getByText('és még 3')).toBeTruthy();
  });

  it('are counted beyond those that the service names', () => {
    show(
      Array.from({ length: 20 }, (_, at) => order(`o${at}`, `B${at}`)),
      1250,
    );
    expect(screen.getByText('és még 1 245')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toMatch(/B4 rendelés, és még 1.245$/);
  });
});

describe('the figures of the day', () => {
  const times: OrderAcceptTimes = {
    business_day: '2026-11-20',
    accepted: 12,
    median_seconds: 75,
    average_seconds: 3725,
    late: 2,
    limit_minutes: 5,
  };

  it('stand in a line, and those that waited too long stand out', () => {
    render(<AcceptFigures times={times} />);
    const said = screen.getAllByRole('definition').map((one) => one.textContent);
    expect(said).toEqual(['1:15', '1:02:05', '12', '2']);
    expect(screen.getByText('Tovább várt 5 percnél').parentElement?.dataset.attention).toBe('true');
  });

  it('are not there before the first order, and know no lateness without a limit', () => {
    const { container, rerender } = render(
      <AcceptFigures
        times={{ ...times, accepted: 0, median_seconds: null, average_seconds: null, late: 0 }}
      />,
    );
    expect(container.textContent).toBe('');
    rerender(<AcceptFigures times={{ ...times, late: null, limit_minutes: null }} />);
    expect(screen.getAllByRole('definition')).toHaveLength(3);
  });
});
