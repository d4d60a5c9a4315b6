import { Suspense } from 'react';
import { loadFeatureTexts } from '../../lib/i18n';
import { later } from '../../lib/later';
import type { RecordHistoryProps } from '../../lib/crud/History';

const Drawer = later(
  async () => (await Promise.all([import('./RecordHistory'), loadFeatureTexts('audit')]))[0],
  'over',
);

/** The history of a record: person, time, old values. Needs the right `system_general`. */
export function RecordHistory(props: RecordHistoryProps) {
  return (
    <Suspense>
      <Drawer {...props} />
    </Suspense>
  );
}
