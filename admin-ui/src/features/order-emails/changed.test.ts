import { expect, it } from 'vitest';
import type { OrderEmail } from '../../generated/model';
import { changedTexts } from './changed';

it('sends the typed languages and nothing else', () => {
  const row = {
    subject: 'Régi',
    body: null,
    subject_sec_lang: null,
    body_sec_lang: 'old',
  } as unknown as OrderEmail;
  expect(
    changedTexts(row, {
      enabled: true,
      subject: 'Új',
      body: '',
      subject_sec_lang: 'new',
      body_sec_lang: 'old',
    }),
  ).toEqual({ subject: 'Új', subject_sec_lang: 'new' });
  expect(changedTexts(row, { subject: '' })).toEqual({ subject: null });
});
