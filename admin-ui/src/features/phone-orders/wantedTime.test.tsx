import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import dayjs from 'dayjs';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Restaurant } from '../../generated/model';
import DateTimeInput from '../../lib/fields/DateTimeInput';
import { RestaurantContext, setTarget } from '../../lib/target';
import base from '../../lib/texts/en';
import { FRESH, type PhoneDraft } from './draft';
import en from './en';
import { type Hours, nextQuarters, parseWanted, sensibleTime } from './wantedTime';
import { WantedTime } from './WantedTime';

const calls = vi.hoisted(() => ({ hours: vi.fn() }));
vi.mock('../../generated/client/public/public', async (original) => ({
  ...(await original<object>()),
  publicOpeningHoursGet: calls.hours,
}));
vi.setConfig({ testTimeout: 30_000 });

const hoursOf = (open_at: string, close_at: string): Hours['opening_hours'] =>
  (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map((day) => ({ day, open_at, close_at }));
const HOURS: Hours = { opening_hours: hoursOf('11:00', '21:00'), holidays: [] };
/** A Thursday. */
const NOW = dayjs('2026-11-26T19:52');
const shown = (times: readonly dayjs.Dayjs[]) => times.map((time) => time.format('DD HH:mm'));

describe('what is typed', () => {
  it.each([
    ['20:30', { time: '20:30' }],
    [' 2030 ', { time: '20:30' }],
    ['20.30', { time: '20:30' }],
    ['11. 27. 12:15', { day: '2026-11-27', time: '12:15' }],
    ['11/27 1215', { day: '2026-11-27', time: '12:15' }],
    ['27/11 12:15', { day: '2026-11-27', time: '12:15' }],
    ['11. 27.', { day: '2026-11-27' }],
    // Over this year already.
    ['01. 05. 9:00', { day: '2027-01-05', time: '09:00' }],
    ['2026/12/24 18:00', { day: '2026-12-24', time: '18:00' }],
    ['2026. 12. 24. 18:00', { day: '2026-12-24', time: '18:00' }],
    // No year from which one orders.
    ['12. 31. 2030', { day: '2026-12-31', time: '20:30' }],
    ['12. 31. 2026', { day: '2026-12-31' }],
    ['2030/12/31 18:00', undefined],
    ['holnap', undefined],
    ['25:00', undefined],
    ['11. 31. 12:15', undefined],
    ['11. 27. 25:15', undefined],
    ['', undefined],
  ])('%s in Hungarian', (text, typed) => expect(parseWanted(text, 'hu', NOW)).toEqual(typed));

  it('has the day first in English', () => {
    expect(parseWanted('05/01 9:00', 'en', NOW)).toEqual({ day: '2027-01-05', time: '09:00' });
    expect(parseWanted('05. 01. 9:00', 'hu', NOW)).toEqual({ day: '2027-05-01', time: '09:00' });
    expect(parseWanted('24/12/2026 18:00', 'en', NOW)).toEqual({ day: '2026-12-24', time: '18:00' });
  });
});

describe('times that make sense', () => {
  const at = (lead: number, hours: Hours | undefined) => ({ now: NOW, lead, hours });

  it('are the next quarter hours in which it is open, as soon as guests get something', () => {
    expect(shown(nextQuarters(at(30, HOURS), 8))).toEqual(['26 20:30', '26 20:45', '26 21:00']);
    expect(shown(nextQuarters(at(0, HOURS), 2))).toEqual(['26 20:00', '26 20:15']);
    expect(nextQuarters(at(90, HOURS), 8)).toEqual([]);
    expect(nextQuarters({ now: NOW, lead: 0, hours: undefined }, 8)).toEqual([]);
  });

  it('go on past midnight, and follow holidays', () => {
    const late = { opening_hours: hoursOf('18:00', '00:30'), holidays: [] };
    expect(shown(nextQuarters(at(240, late), 8))).toEqual(['27 00:00', '27 00:15', '27 00:30']);
    const after = { now: dayjs('2026-11-27T00:05'), lead: 0, hours: late };
    expect(shown(nextQuarters(after, 3))).toEqual(['27 00:15', '27 00:30', '27 18:00']);
    const closed = {
      holiday_type: 'holiday_close' as const,
      valid_from: '2026-11-20',
      valid_till: '2026-11-26',
    };
    expect(nextQuarters(at(0, { ...HOURS, holidays: [closed] }), 8)).toEqual([]);
  });

  it.each<[string, Hours | undefined, string]>([
    ['2026-11-26', HOURS, '20:30'],
    ['2026-11-27', HOURS, '11:00'],
    ['2026-11-27', undefined, '12:00'],
    ['2026-11-27', { opening_hours: hoursOf('00:00', '00:00'), holidays: [] }, '12:00'],
    ['2026-11-27', { opening_hours: [], holidays: [] }, '12:00'],
    // Closed by now: not midnight either.
    ['2026-11-26', { opening_hours: [], holidays: [] }, '20:00'],
  ])('of a day %s: never midnight', (day, hours, time) =>
    expect(sensibleTime(day, at(30, hours))).toBe(time),
  );
});

const RESTAURANT = {
  id: 'r',
  partner_id: 'p',
  timezone: 'UTC',
  min_preorder_delivery_diff: 30,
  min_preorder_pickup_diff: 0,
} as Restaurant;

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
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T19:52:00Z') });
  calls.hours.mockReset();
  calls.hours.mockResolvedValue(HOURS);
});

const wanted = vi.fn();
function Field() {
  const [draft, setDraft] = useState<PhoneDraft>({ ...FRESH, later: true });
  wanted(draft.expected_at);
  const form = { draft, set: (change: Partial<PhoneDraft>) => setDraft((now) => ({ ...now, ...change })) };
  return <WantedTime form={form as never} />;
}
const Around = ({ children }: { children: React.ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>
    <RestaurantContext.Provider value={RESTAURANT}>
      <App>{children}</App>
    </RestaurantContext.Provider>
  </QueryClientProvider>
);
const show = () => render(<Field />, { wrapper: Around });
const field = () => document.getElementById('field-expected_at') as HTMLInputElement;
const say = (text: string) => {
  fireEvent.change(field(), { target: { value: text } });
  fireEvent.blur(field());
};
const last = () => wanted.mock.lastCall![0] as string | null;

describe('the field', () => {
  it('takes what is typed, and the day with it', () => {
    show();
    say('2030');
    expect(last()).toBe('2026-11-26T20:30:00Z');
    expect(field().value).toBe('20:30');
    say('27/11 12:15');
    expect(last()).toBe('2026-11-27T12:15:00Z');
    expect(screen.getByLabelText('Day')).toHaveProperty('value', '2026/11/27');
    // The day stays.
    say('13:00');
    expect(last()).toBe('2026-11-27T13:00:00Z');
  });

  it('says what it cannot read and keeps it, and refuses what is over', () => {
    show();
    say('20:30');
    say('half eight');
    expect(screen.getByText(en['phone_orders.time_unread'])).toBeTruthy();
    expect(field().value).toBe('half eight');
    expect(last()).toBeNull();
    say('10:00');
    expect(screen.getByText(en['phone_orders.time_past'])).toBeTruthy();
    expect(field().getAttribute('aria-invalid')).toBe('true');
    say('20:45');
    expect(screen.queryByText(en['phone_orders.time_past'])).toBeNull();
  });

  it('offers the next quarter hours', async () => {
    show();
    fireEvent.click(await screen.findByRole('button', { name: '20:45' }));
    expect(last()).toBe('2026-11-26T20:45:00Z');
    expect(screen.getByRole('button', { name: '20:45' }).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
      '20:30',
      '20:45',
      '21:00',
    ]);
  });

  it('a picked day gets the time at which it opens; its weeks begin on Monday', async () => {
    show();
    await screen.findByRole('button', { name: '20:45' });
    const calendar = screen.getByLabelText('Day');
    await act(async () => {
      fireEvent.mouseDown(calendar);
      fireEvent.click(calendar);
    });
    expect(document.querySelector('.ant-picker-content th')?.textContent).toBe('Mo');
    // The first of November 2026 is a Sunday.
    const first = document.querySelector("td[title='2026-11-01']")!;
    expect([...first.parentElement!.children].indexOf(first)).toBe(6);
    fireEvent.click(document.querySelector("td[title='2026-11-28']")!);
    await waitFor(() => expect(last()).toBe('2026-11-28T11:00:00Z'));
  });
});

it('every calendar begins its weeks on Monday', async () => {
  render(<DateTimeInput />, { wrapper: Around });
  await act(async () => {
    fireEvent.mouseDown(screen.getByRole('textbox'));
    fireEvent.click(screen.getByRole('textbox'));
  });
  expect(document.querySelector('.ant-picker-content th')?.textContent).toBe('Mo');
});
