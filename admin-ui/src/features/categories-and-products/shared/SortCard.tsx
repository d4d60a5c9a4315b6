import { Suspense } from 'react';
import { Card } from '../../../lib/ui/page';
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
