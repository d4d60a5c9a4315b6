import { cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { SaveBar } from './SaveBar';

beforeAll(async () => {
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { translation: {} } }, keySeparator: false, nsSeparator: false });
});
afterEach(cleanup);

const page = (dirty: boolean) => (
  <main>
    <input aria-label="Name" />
    <SaveBar shown={dirty} dirty={dirty}>
      <button type="button">save</button>
    </SaveBar>
  </main>
);

it('has buttons only while there is something to save, and tells screen readers so', () => {
  const { rerender } = render(page(false));
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  expect(screen.queryByRole('button')).toBeNull();
  rerender(page(true));
  expect(screen.getByRole('status')).toBe(status);
  expect(status.textContent).toBe('form.unsaved');
  expect(screen.getByRole('button', { name: 'save' })).toBeTruthy();
});

it('finds the field again that was mounted anew with the saved row', () => {
  const form = (version: number) => (
    <main>
      <input key={version} id="name" aria-label="Name" />
      <SaveBar shown={version === 1} dirty={version === 1}>
        <button type="button">save</button>
      </SaveBar>
    </main>
  );
  const { rerender } = render(form(1));
  screen.getByLabelText('Name').focus();
  screen.getByRole('button', { name: 'save' }).focus();
  rerender(form(2));
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});

it('gives the focus back to the field when its button is gone', () => {
  const { rerender } = render(page(true));
  screen.getByLabelText('Name').focus();
  screen.getByRole('button', { name: 'save' }).focus();
  rerender(page(false));
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});
