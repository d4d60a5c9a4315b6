import { Suspense } from 'react';
import { loadFeatureTexts } from './i18n';
import { later } from './later';

const Drawer = later(
  async () => (await Promise.all([import('../features/audit/RecordHistory'), loadFeatureTexts('audit')]))[0],
  'over',
);

export interface RecordHistoryProps {
  recordId: string;
  /** How the record is called, for the title. */
  name: string;
  /** The record belongs to the whole company rather than to this restaurant. */
  company?: boolean;
  onClose: () => void;
}

/** Who changed a record, when, and what it was before. Needs the right `system_general`. */
export function RecordHistory(props: RecordHistoryProps) {
  return (
    <Suspense>
      <Drawer {...props} />
    </Suspense>
  );
}
