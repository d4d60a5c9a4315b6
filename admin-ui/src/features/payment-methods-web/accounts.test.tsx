import { expect, it } from 'vitest';
import type { PaymentSettings, ProviderAccount } from '../../generated/model';
import { kindsLeft } from './NewAccount';

const offer = (
  provider: ProviderAccount['provider'],
  purposes: ProviderAccount['purpose'][],
): PaymentSettings['offers'][number] => ({
  provider,
  environment: 'live',
  purposes,
  currencies: ['huf', 'eur'],
  address_by_hand: false,
});

const account = (provider: ProviderAccount['provider'], currency: ProviderAccount['currency']) =>
  ({ provider, purpose: 'card', currency, environment: 'live' }) as ProviderAccount;

it('offers each account that is not there yet, and SZÉP cards in forints alone', () => {
  const offers = [offer('simplepay', ['card', 'szep']), offer('barion', ['card'])];
  const names = (had: ProviderAccount[]) =>
    kindsLeft(offers, had).map((one) => `${one.provider} ${one.purpose} ${one.currency}`);
  expect(names([])).toEqual([
    'simplepay card huf',
    'simplepay card eur',
    'simplepay szep huf',
    'barion card huf',
    'barion card eur',
  ]);
  expect(names([account('simplepay', 'huf'), account('barion', 'eur')])).toEqual([
    'simplepay card eur',
    'simplepay szep huf',
    'barion card huf',
  ]);
  expect(kindsLeft([], [])).toEqual([]);
});
