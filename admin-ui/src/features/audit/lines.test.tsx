import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Me } from '../../generated/model';
import { session } from '../../lib/session';
import { AuditLines } from './AuditLines';
import en from './en';

beforeAll(async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { translation: en } },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  });
  session.set({ super_admin: true, targets: [] } as unknown as Me);
});
afterAll(() => session.set(null));

const CUSTOMER = '01900000-0000-7000-8000-00000000abcd';

it('say that a customer is not named, and of other unknown records how their ids end', () => {
  const details = { shadow_customer_id: [null, CUSTOMER], discount_id: [null, CUSTOMER] };
  const line = {
    id: 'l',
    at: '2026-11-20T10:00:00Z',
    actor_kind: 'admin',
    actor_name: 'Anna',
    request_id: '',
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AuditLines rows={[{ ...line, action: 'discount_usages_create', details }]} />
    </QueryClientProvider>,
  );
  expect(screen.getAllByRole('definition').map((one) => one.textContent)).toEqual([
    'not named in the log',
    'unnamed record (00abcd)',
  ]);
});
