import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { RestaurantContext, RestaurantUpdate } from '../../lib/target';
import { BusyButton, BusyStrip } from '../fresh-orders/Busy';
import hu from './hu';

const calls = vi.hoisted(() => ({ set: vi.fn(), end: vi.fn(), may: true }));
vi.mock('../../lib/access', () => ({ useCan: () => () => calls.may }));
vi.mock('../../generated/client/restaurants/restaurants', () => ({
  restaurantsBusy: calls.set,
  restaurantsBusyEnd: calls.end,
}));
vi.mock('../../lib/target', async (original) => ({
  ...(await original<typeof import('../../lib/target')>()),
  here: () => ['p', 'r'],
}));

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation: { ...hu, 'action.cancel': 'Mégsem', 'action.close': 'Bezárás' } } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});
beforeEach(() => {
  calls.set.mockReset().mockResolvedValue({});
  calls.end.mockReset().mockResolvedValue({});
  calls.may = true;
});

const show = (restaurant: Partial<Restaurant> = {}) =>
  render(
    <RestaurantContext.Provider value={{ id: 'r', timezone: 'UTC', ...restaurant } as Restaurant}>
      <RestaurantUpdate.Provider value={() => undefined}>
        <App>
          <BusyButton />
          <BusyStrip />
        </App>
      </RestaurantUpdate.Provider>
    </RestaurantContext.Provider>,
  );

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

describe('busy', () => {
  it('asks by how much and for how long, and sends the end', async () => {
    show();
    expect(screen.queryByRole('region', { name: 'Torlódás' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /Torlódás…/ }));
    fireEvent.click(await screen.findByRole('radio', { name: '+20 perc' }));
    fireEvent.click(screen.getByRole('radio', { name: '60 percig' }));
    expect(screen.getByText(/20 perccel tovább készülnek eddig/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Beállítás' }));
    await waitFor(() => expect(calls.set).toHaveBeenCalledOnce());
    const [partner, restaurant, body] = calls.set.mock.calls[0]! as [
      string,
      string,
      { busy_minutes: number; busy_until: string },
    ];
    expect([partner, restaurant, body.busy_minutes]).toEqual(['p', 'r', 20]);
    const left = (Date.parse(body.busy_until) - Date.now()) / 60_000;
    expect(left).toBeGreaterThan(59);
    expect(left).toBeLessThanOrEqual(60);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says until when, counts down, and is ended', async () => {
    show({ busy_minutes: 30, busy_until: inMinutes(42.5) });
    expect(screen.queryByRole('button', { name: /Torlódás…/ })).toBeNull();
    const strip = screen.getByRole('region', { name: 'Torlódás' });
    expect(strip.textContent).toContain('30 perccel tovább');
    expect(strip.textContent).toContain('Még 43 perc.');
    fireEvent.click(screen.getByRole('button', { name: 'Vége a torlódásnak' }));
    await waitFor(() => expect(calls.end).toHaveBeenCalledWith('p', 'r'));
  });

  it('goes by itself when its time has come, and is only shown to who may not accept', () => {
    vi.useFakeTimers();
    try {
      calls.may = false;
      show({ busy_minutes: 10, busy_until: inMinutes(2) });
      expect(screen.getByRole('region', { name: 'Torlódás' })).toBeTruthy();
      expect(screen.queryByRole('button')).toBeNull();
      act(() => void vi.advanceTimersByTime(121_000));
      expect(screen.queryByRole('region', { name: 'Torlódás' })).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});
