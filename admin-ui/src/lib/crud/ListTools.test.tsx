import { render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { ListTools } from './ListTools';
import { useListState } from './useListState';

const fields = {
  archived: { kind: 'switch' },
  active: { kind: 'switch' },
  vehicle: { kind: 'select', options: ['car', 'bike'] },
} as const;
const filters = Object.keys(fields);

function Tools() {
  return (
    <ListTools
      list={{ resource: 'couriers', fields, filters }}
      search={false}
      state={useListState(filters)}
    />
  );
}

it('says what a chosen filter is, where its value alone does not', async () => {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: {
      en: {
        translation: {
          'couriers.archived': 'Archived ones too',
          'couriers.active': 'State',
          'couriers.vehicle': 'Vehicle',
          'couriers.vehicle.car': 'Car',
          'state.active': 'Active',
          'tri.yes': 'Yes',
        },
      },
    },
    keySeparator: false,
    nsSeparator: false,
  });
  render(
    <MemoryRouter initialEntries={['/?archived=true&active=true&vehicle=car']}>
      <Tools />
    </MemoryRouter>,
  );
  const shown = [...screen.getByRole('search').querySelectorAll('.list-filter')].map(
    (one) => one.textContent,
  );
  expect(shown).toEqual(['Archived ones too: Yes', 'Active', 'Car']);
});
