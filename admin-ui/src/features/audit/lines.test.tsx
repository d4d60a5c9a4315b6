import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Me } from '../../generated/model';
import type { Feature } from '../../lib/feature';
import { registerFeatures } from '../../lib/features';
import { registerFeatureTexts } from '../../lib/i18n';
import { standing } from '../../lib/reach';
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

const LINE = { id: 'l', at: '2026-11-20T10:00:00Z', actor_kind: 'admin', actor_name: 'Anna', request_id: '' };
const CUSTOMER = '01900000-0000-7000-8000-00000000abcd';

it('say that a customer is not named, and of other unknown records how their ids end', () => {
  const details = { shadow_customer_id: [null, CUSTOMER], discount_id: [null, CUSTOMER] };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AuditLines rows={[{ ...LINE, action: 'discount_usages_create', details }]} />
    </QueryClientProvider>,
  );
  expect(screen.getAllByRole('definition').map((one) => one.textContent)).toEqual([
    'not named in the log',
    'unnamed record (00abcd)',
  ]);
});

it('keep names of fields back until the texts of their screen are there', async () => {
  let come: (texts: { default: Record<string, string> }) => void = () => undefined;
  const texts = new Promise<{ default: Record<string, string> }>((resolve) => (come = resolve));
  registerFeatures({
    './stools/feature.ts': {
      default: { key: 'stools', resources: ['stools'], order: 1 } as unknown as Feature,
    },
  });
  registerFeatureTexts({ './stools/en.ts': () => texts });
  const stood = standing.get();
  standing.set(true);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AuditLines rows={[{ ...LINE, action: 'stools_update', details: { leg_count: [3, 4] } }]} />
    </QueryClientProvider>,
  );
  expect(screen.getByRole('list').dataset.named).toBe('false');
  come({ default: { 'stools.leg_count': 'Legs' } });
  await waitFor(() => expect(screen.getByRole('list').dataset.named).toBe('true'));
  expect(screen.getByRole('term').textContent).toBe('Legs');
  standing.set(stood);
  registerFeatures({});
  registerFeatureTexts({});
});
