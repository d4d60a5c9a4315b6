import { renderHook } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { describe, expect, it } from 'vitest';
import sharedEn from '../../lib/texts/en';
import sharedHu from '../../lib/texts/hu';
import en from './en';
import hu from './hu';
import { useOrderWords } from './parts';
import { sampleOrder } from './sample.test-data';

async function wordsIn(lng: 'hu' | 'en') {
  await i18next.use(initReactI18next).init({
    lng,
    resources: { hu: { translation: { ...sharedHu, ...hu } }, en: { translation: { ...sharedEn, ...en } } },
    keySeparator: false,
    nsSeparator: false,
  });
  return renderHook(useOrderWords).result.current;
}

it.each([
  ['phone', 'Minta', 'Réka Minta'],
  ['phone', null, 'Étterem Admin'],
  ['sit_in', 'Minta', 'Étterem Admin'],
] as const)('an order of staff by %s of %s is named after %s', async (platform, last_name, who) => {
  const order = sampleOrder({
    platform,
    admin_id: 'a',
    admin_name: 'Étterem Admin',
    is_test: false,
    first_name: last_name && 'Réka',
    last_name,
  });
  expect((await wordsIn('en')).who(order)).toBe(who);
});

describe('the title of an order', () => {
  it.each([
    ['hu', '12', '12. rendelés'],
    ['hu', 'B12', 'B12 rendelés'],
    ['hu', null, 'Szám nélkül'],
    ['en', '12', 'Order 12'],
    ['en', 'B12', 'Order B12'],
  ] as const)('%s: %s is %s', async (language, counter, title) => {
    expect((await wordsIn(language)).name(sampleOrder({ counter }))).toBe(title);
  });
});
