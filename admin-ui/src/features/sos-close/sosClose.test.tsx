import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import { RestaurantContext } from '../../lib/target';
import board from '../fresh-orders/hu';
import { SosBanner, SosButton } from '../fresh-orders/SosClose';
import { SosCard } from '../system-settings/SosCard';
import hu from './hu';

const put = vi.hoisted(() => vi.fn());
vi.mock('../../lib/access', () => ({ useCan: () => () => true, useCanDo: () => () => true }));
vi.mock('../../lib/crud/InstantSwitch', () => ({ usePartUpdate: () => put }));

beforeAll(async () => {
  const translation = { ...board, ...hu, 'action.cancel': 'Mégsem' };
  await i18next.use(initReactI18next).init({
    lng: 'hu',
    resources: { hu: { translation } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
});
beforeEach(() => put.mockReset());

function show(restaurant: Partial<Restaurant>) {
  render(
    <RestaurantContext.Provider
      value={{ id: 'r', name: 'Kéknyelű', timezone: 'UTC', ...restaurant } as Restaurant}
    >
      <App>
        <SosButton />
        <SosBanner />
        <SosCard />
      </App>
    </RestaurantContext.Provider>,
  );
}

describe('SOS close', () => {
  it.each(['SOS-zárás', 'Zárás most'])('%s asks for how long, and sends the end', async (button) => {
    show({ temp_no_orders: false });
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: button }));
    const until = await screen.findByRole('radio', { name: 'Visszanyitásig' });
    expect(until).toHaveProperty('checked', true);
    fireEvent.click(screen.getByRole('radio', { name: '30 percre' }));
    expect(await screen.findByText(/Magától visszanyit/)).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Zárás most' }).at(-1)!);
    await waitFor(() => expect(put).toHaveBeenCalledOnce());
    const sent = put.mock.calls[0]![0] as { temp_no_orders: boolean; temp_no_orders_until: string };
    expect(sent.temp_no_orders).toBe(true);
    const minutes = (new Date(sent.temp_no_orders_until).getTime() - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThanOrEqual(30);
  });

  it('shows the end in both places, and opens again', async () => {
    show({ temp_no_orders: true, temp_no_orders_until: '2026-11-23T18:30:00Z' });
    expect(screen.queryByRole('button', { name: 'SOS-zárás' })).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('Magától visszanyit: 2026/11/23 18:30');
    expect(screen.getAllByText('Magától visszanyit: 2026/11/23 18:30.')).toHaveLength(2);
    fireEvent.click(screen.getAllByRole('button', { name: 'Visszanyitás' })[0]!);
    await waitFor(() => expect(put).toHaveBeenCalledWith({ temp_no_orders: false }));
  });

  it('says that it lasts until somebody opens', () => {
    show({ temp_no_orders: true, temp_no_orders_until: null });
    expect(screen.getByRole('alert').textContent).toContain('Addig tart, amíg valaki vissza nem nyit.');
  });
});
