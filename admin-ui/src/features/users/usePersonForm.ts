import { useMemo } from 'react';
import { mergeFields } from '../../lib/form/body';
import { useDraftForm } from '../../lib/form/useDraftForm';
import { useFormat } from '../../lib/format';
import { useRestaurant } from '../../lib/target';
import { usePartnerRestaurants, usePeople } from './api';
import { bodyOf, type Draft, draftOf, faultsOf, freshDraft, placeOf } from './draft';
import { factsOf } from './facts';
import type { Tree } from './tree';
import type { Admin } from './types';

/** The draft of a person, and what changed in words. */
export function usePersonForm(row: Admin | null, tree: Tree) {
  const { language } = useFormat();
  const restaurant = useRestaurant();
  const people = usePeople();
  const restaurants = usePartnerRestaurants();
  const of = useMemo(
    () => ({
      draft: draftOf(tree),
      body: bodyOf(tree),
      faults: faultsOf(row ? draftOf(tree)(row) : undefined),
    }),
    [tree, row],
  );
  const facts = useMemo(
    () => factsOf(tree, language, (id) => restaurants.data?.find((r) => r.id === id)?.name ?? '…'),
    [tree, language, restaurants.data],
  );
  const state = useDraftForm<Admin, Draft>({
    row,
    fresh: () => freshDraft(restaurant.id, language),
    draftOf: of.draft,
    bodyOf: of.body,
    merge: mergeFields<Draft>,
    validate: of.faults,
    place: (key) => placeOf(key),
    send: async ({ id, body }) => {
      const saved = id === undefined ? await people.create(body) : await people.update(id, body);
      await people.refresh();
      return saved;
    },
  });
  return { state, facts };
}
