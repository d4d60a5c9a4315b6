import { loadFeatureTexts } from '../../lib/i18n';
import { later } from '../../lib/later';
import type { RecordHistoryProps } from '../../lib/crud/History';

/** The history of a record: person, time, old values. Needs the right `system_general`. */
export const RecordHistory = later<RecordHistoryProps>(
  async () => (await Promise.all([import('./RecordHistory'), loadFeatureTexts('audit')]))[0],
  'over',
);
