import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Card, Chip } from '../../../lib/ui/page';
import { Loading } from '../../../lib/ui/states';
import type SortModeOf from './SortMode';
import type { SortModeProps } from './SortMode';
import { later } from '../../../lib/later';

// lazy() forgets that the component is generic.
const SortMode = later(() => import('./SortMode')) as unknown as typeof SortModeOf;

/** The card of a list while it is sorted; dragging is loaded when somebody begins to. */
export function SortCard<T extends { id: string }>(props: SortModeProps<T>) {
  return (
    <Card flush>
      <Suspense fallback={<Loading />}>
        <SortMode {...props} />
      </Suspense>
    </Card>
  );
}

/** A row while it is sorted: its name, whether it is inactive, and a fact to know it by. */
export function SortedRow({ row, fact }: { row: { name: string; active: boolean }; fact: ReactNode }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="rank-name">{row.name}</span>
      {!row.active && <Chip>{t('state.inactive')}</Chip>}
      <span className="sort-fact">{fact}</span>
    </>
  );
}
