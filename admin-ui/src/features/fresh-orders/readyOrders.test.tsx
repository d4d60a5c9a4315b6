import { fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { RestaurantContext } from '../../lib/target';
import shared from '../../lib/texts/hu';
import orderTexts from '../order/hu';
import { sampleOrder } from '../order/sample.test-data';
import hu from './hu';
import { ReadyOrders } from './ReadyOrders';

const rights = vi.hoisted(() => ({ accept: true }));
vi.mock('../../lib/access', () => ({ useCan: () => () => rights.accept }));

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation: { ...shared, ...orderTexts, ...hu } } },
    keySeparator: false,
    nsSeparator: false,
  });
});
beforeEach(() => {
  rights.accept = true;
});

const ready = (id: string, counter: string) =>
  sampleOrder({
    id,
    counter,
    status: 'prepared',
    prepared_at: '2026-11-20T11:30:00Z',
    allowed: ['recall', 'archive'],
  });

function show(orders: ReturnType<typeof ready>[]) {
  const onRecall = vi.fn();
  render(
    <MemoryRouter>
      <RestaurantContext.Provider value={{ id: 'r', timezone: 'UTC', currency: 'huf' } as Restaurant}>
        <ReadyOrders orders={orders} busy={() => false} onRecall={onRecall} />
      </RestaurantContext.Provider>
    </MemoryRouter>,
  );
  return onRecall;
}

describe('ready orders below the board', () => {
  it('are folded and counted, and each leads back to the board', () => {
    const orders = [ready('a', 'B2'), ready('b', 'B1')];
    const onRecall = show(orders);
    const list = screen.getByRole<HTMLDetailsElement>('group');
    expect(list.open).toBe(false);
    expect(list.querySelector('summary')!.textContent).toBe('Elkészült az utolsó két órában 2');
    list.open = true;
    expect(screen.getAllByText('elkészült: 11:30')).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Mégis készül: B1 rendelés' }));
    expect(onRecall).toHaveBeenCalledExactlyOnceWith(orders[1]);
  });

  it('are only shown to who may not call them back, and take no room when there are none', () => {
    show([]);
    expect(screen.queryByRole('group')).toBeNull();
    rights.accept = false;
    show([ready('a', 'B2')]);
    screen.getByRole<HTMLDetailsElement>('group').open = true;
    expect(screen.getByRole('link', { name: 'B2 rendelés' })).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
